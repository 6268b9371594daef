/** Publishing a post now, exactly as it was looked at. */
import { z } from "zod";
import { spend } from "../brands/budgets.ts";
import { SECOND } from "../foundation/calendar.ts";
import { ServiceError } from "../foundation/errors.ts";
import { getSocialAccount } from "../platforms/accounts.ts";
import { contentOf } from "../series/making/content.ts";
import { claimSlot } from "../series/making/publishing.ts";
import type { ClaimedSlot } from "../series/facts.ts";
import { SlotStatus, type StoredSlot } from "../series/records.ts";
import { awaitMoved, requireMove } from "../series/states.ts";
import { accountIdOf } from "../series/steering.ts";
import { LATE } from "../series/timing.ts";
import {
  AnyItem,
  anywhere,
  changeItem,
  ExpectedHash,
  inSeries,
  type ItemRef,
  requireExpected,
  SeriesItem,
} from "./item_address.ts";
import { type Context, operation } from "./operation.ts";

/** How long the answer waits for the platform. Real time, because the client waits with it. */
const PUBLISH_WAIT = 25 * SECOND;

/** What became of a post. REST answers 204, with `url` as `Location`. */
const Outcome = z.object({
  status: SlotStatus.describe("`published`, or `publishing` while the platform is still at work."),
  url: z.string().nullable(),
  externalPostId: z.string().nullable(),
  publishedAt: z.iso.datetime().nullable(),
}).meta({ id: "PublishOutcome" });
type Outcome = z.output<typeof Outcome>;

const PUBLISH = {
  summary: "Publish a ready or held post now, approved or not.",
  description: "Public at once, on the post's own account or its series'. With `expectedHash` or " +
    "`If-Match`, only if the content is still that one. The answer waits up to 25 seconds: 204 " +
    "when it is published or still at work; 409 with the platform's words when it refused; 503 " +
    "when it did not take the post or did not say. Nothing is ever sent twice without looking first.",
  scopes: ["publishWrite"],
  costs: "request",
  errors: ["notFound", "conflict", "serviceUnavailable"],
  output: Outcome,
} as const;

export const publishItem = operation({
  ...PUBLISH,
  id: "publishItem",
  group: "Series items",
  input: SeriesItem.extend({ expectedHash: ExpectedHash }),
  run: (context, input) => publish(context, inSeries(input), input.expectedHash),
});

export const publishItemById = operation({
  ...PUBLISH,
  id: "publishItemById",
  group: "Items",
  input: AnyItem.extend({ expectedHash: ExpectedHash }),
  run: (context, input) => publish(context, anywhere(input), input.expectedHash),
});

async function publish(
  context: Context,
  ref: ItemRef,
  expectedHash: string | undefined,
): Promise<Outcome> {
  const { kv, brand, key, now } = context;
  const claimed = await changeItem(context, ref, async (commit, { slot, series }) => {
    requireMove(slot, "publish");
    const account = await getSocialAccount(commit, brand.id, accountIdOf(slot, series) ?? "");
    const content = await contentOf(kv, slot, accountIdOf(slot, series));
    requireExpected(slot, content?.hash ?? null, expectedHash);
    if (content === null) {
      throw new ServiceError(
        "conflict",
        "The post has no images yet, or not all. Regenerate it, or retry its failed creations.",
      );
    }
    await spend(commit, key, now(), "publishes", 1);
    const claim = { cause: "Published by hand.", goodUntil: now() + LATE, content };
    return await claimSlot(context, commit, slot, account, claim);
  });
  const { status, url, externalPostId, publishedAt } = await concluded(context, claimed);
  return { status, url, externalPostId, publishedAt };
}

/** Waits for the outcome of the attempt and refuses if it failed. */
async function concluded(context: Context, claimed: ClaimedSlot): Promise<StoredSlot> {
  const slot = await awaitMoved(context, claimed, PUBLISH_WAIT);
  const publication = slot?.publication;
  if (!slot || !publication || publication.attemptId !== claimed.publication.attemptId) {
    return slot ?? claimed;
  }
  const words = slot.error ?? "";
  switch (publication.outcome) {
    case "refused":
    case "outdated":
      throw new ServiceError("conflict", words);
    case "later": {
      const wait = Math.ceil(((publication.retryAt ?? 0) - context.now()) / SECOND);
      throw new ServiceError("serviceUnavailable", words, { retryAfter: Math.max(1, wait) });
    }
    case "untaken":
    case "unknown":
      throw new ServiceError("serviceUnavailable", words);
  }
  return slot;
}
