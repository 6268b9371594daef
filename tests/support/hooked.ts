/** A brand with a webhook to a local receiver. */
import { assertEquals } from "@std/assert";
import type { Delivery, WebhookWithSecret } from "../../domain/events/webhooks/shape.ts";
import { Webhook as Verifier } from "standardwebhooks";
import { post } from "./creations.ts";
import type { Discord } from "./discord.ts";
import { Receiver } from "./receiver.ts";
import type { Log } from "../../domain/foundation/log.ts";
import { type TestService, testService } from "./service.ts";

export async function hooked(
  body: object = {},
  options: { at?: number; discord?: Discord; log?: Log; hosts?: string[] } = {},
) {
  const receiver = new Receiver();
  const { at, discord, log, hosts: others = [] } = options;
  const hosts = [receiver.host, ...others, ...discord === undefined ? [] : [discord.host]];
  const t = await testService({
    environ: { ALLOW_PRIVATE_HOSTS: hosts.join(",") },
    ...(at === undefined ? {} : { at }),
    ...(log === undefined ? {} : { dependencies: { log } }),
  });
  const { brand, secret } = await t.brand();
  const call = async (method: string, path: string, sent?: object) => {
    const answer = await t.call(secret, `/v1/webhooks${path}`, {
      method,
      ...(sent === undefined ? {} : { body: sent }),
    });
    return { status: answer.status, body: answer.status === 204 ? null : await answer.json() };
  };
  const made = await call("POST", "", { url: receiver.url, ...body });
  assertEquals(made.status, 201, JSON.stringify(made.body));
  const webhook: WebhookWithSecret = made.body;
  const path = `/${webhook.id}`;
  return {
    t,
    brand,
    secret,
    receiver,
    webhook,
    call,
    path,
    deliveries: async (): Promise<Delivery[]> =>
      (await call("GET", `${path}/deliveries`)).body.data,
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

/** Throws what Standard Webhooks' own library does of a message that is not ours. */
export const verified = (secret: string, { headers, body }: Receiver["received"][0]) =>
  new Verifier(secret).verify(body, headers);

export async function madePicture(t: TestService, secret: string): Promise<string> {
  const { creation } = await post(t, secret);
  await t.worker.drain();
  return creation.id;
}
