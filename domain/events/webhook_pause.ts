/** One message at a time to a webhook, and none while Discord has rate-limited it. */
import { MINUTE, SECOND } from "../foundation/calendar.ts";
import { ServiceError } from "../foundation/errors.ts";
import { sha256 } from "../foundation/secrets.ts";
import { Turns } from "../foundation/turns.ts";
import { transact } from "../kv/transact.ts";
import type { Service } from "../service/service.ts";
import type { Sent } from "./discord.ts";

/**
 * Otherwise messages that are under way at the same time would all meet the limit that the first one
 * met. The line is short, because what waits in it takes room that other webhooks' messages need.
 */
const webhooks = new Turns<string>({
  ...{ running: Infinity, runningEach: 1 },
  ...{ waiting: Infinity, waitingEach: 6 },
  refusal: "The webhook has many messages already.",
});
/** When a message that found no place in the line comes again. */
const LATER: Sent = { state: "limited", retryAfter: SECOND };

/** Posts by `post` unless the webhook is paused, and pauses it for all processes if it is limited. */
export async function inWebhookTurn(
  service: Pick<Service, "kv" | "now">,
  url: string,
  post: () => Promise<Sent>,
): Promise<Sent> {
  const key = await pauseKey(url);
  try {
    return await webhooks.run(key.join(), async () => {
      const until = (await service.kv.get<number>(key)).value ?? 0;
      const left = until - service.now();
      if (left > 0) return { state: "limited", retryAfter: left };
      const sent = await post();
      if (sent.state === "limited") await pause(service, key, sent.retryAfter);
      return sent;
    });
  } catch (error) {
    if (error instanceof ServiceError) return LATER;
    throw error;
  }
}

function pause(
  { kv, now }: Pick<Service, "kv" | "now">,
  key: string[],
  retryAfter: number,
): Promise<void> {
  const until = now() + retryAfter;
  return transact(kv, async (commit) => {
    if (until <= (await commit.get<number>(key) ?? 0)) return;
    commit.set(key, until, { expireIn: retryAfter + MINUTE });
  });
}

/** Under the hash of the webhook's id and token, because the token is secret and hosts have aliases. */
async function pauseKey(url: string): Promise<string[]> {
  const { pathname } = new URL(url);
  return ["webhookPause", await sha256(pathname.split("/").slice(-2).join("/"))];
}
