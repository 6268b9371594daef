/** What people do with a post: change, approve, publish, skip, renew. */
import { getItem, updateItem } from "../../../domain/operations/calendar.ts";
import {
  captionItemById,
  regenerateItemById,
  skipItemById,
} from "../../../domain/operations/items.ts";
import { approveItem, unapproveItem } from "../../../domain/operations/approval.ts";
import { generateItemById } from "../../../domain/operations/generate_item.ts";
import { publishItemById } from "../../../domain/operations/publish_item.ts";
import { invalid } from "../../../domain/foundation/errors.ts";
import { iso } from "../../../domain/foundation/calendar.ts";
import { calendarAt } from "../back.ts";
import { orNull, tagsOf, textOf, textsOf } from "../form.ts";
import { overlayOf } from "../parts/overlay.tsx";
import { shownOf, type ShownPost } from "../parts/post_form.tsx";
import { idOf, type Studio } from "../studio.ts";
import { instantOf, localOf } from "../when.ts";
import { chooseCaption, rewritePost } from "./rewrite.tsx";

const here = (studio: Studio): string => `/posts/${idOf(studio)}`;

/** Changes what the person has changed, because no round overwrites a field after that. */
export async function savePost(studio: Studio, fields: FormData): Promise<string> {
  const { zone } = studio;
  const id = idOf(studio);
  const at = instantOf(textOf(fields, "scheduledFor"), zone);
  if (at === null) throw invalid("scheduledFor", "must be a day and a time");
  const sent = {
    caption: textOf(fields, "caption"),
    hashtags: tagsOf(textOf(fields, "hashtags")),
    altText: orNull(textOf(fields, "altText")),
    overlay: overlayOf(fields),
    socialAccountId: orNull(textOf(fields, "socialAccountId")),
    scheduledFor: localOf(at, zone),
  };
  const shown = shownIn(fields) ?? shownOf(await studio.call(getItem, { id }), zone);
  const changed = Object.entries(sent).filter(([name, value]) =>
    JSON.stringify(value) !== JSON.stringify(shown[name as keyof typeof sent])
  );
  const { scheduledFor, ...others } = Object.fromEntries(changed);
  const moved = scheduledFor === undefined ? {} : { scheduledFor: iso(at) };
  await studio.call(updateItem, { id, ...others, ...moved });
  return here(studio);
}

/** The values that the form had when its page was shown; null for a form that does not say. */
function shownIn(fields: FormData): Partial<ShownPost> | null {
  try {
    return JSON.parse(textOf(fields, "shown"));
  } catch {
    return null;
  }
}

/** Moves a post to another time, and goes back to the calendar if it was moved there. */
export async function movePost(studio: Studio, fields: FormData): Promise<string> {
  const at = instantOf(textOf(fields, "scheduledFor"), studio.zone);
  if (at === null) throw invalid("scheduledFor", "must be a day and a time");
  const id = idOf(studio);
  const { scheduledFor } = await studio.call(getItem, { id });
  await studio.call(updateItem, { id, scheduledFor: iso(at) });
  const back = textOf(fields, "back");
  if (back === "") return here(studio);
  return calendarAt(back, { moved: id, was: localOf(scheduledFor, studio.zone) });
}

async function approvePost(studio: Studio, fields: FormData): Promise<string> {
  const expectedHash = orNull(textOf(fields, "hash"));
  const seen = expectedHash === null ? {} : { expectedHash };
  await studio.call(approveItem, { id: idOf(studio), ...seen });
  return here(studio);
}

async function unapprovePost(studio: Studio): Promise<string> {
  await studio.call(unapproveItem, { id: idOf(studio) });
  return here(studio);
}

async function skipPost(studio: Studio): Promise<string> {
  await studio.call(skipItemById, { id: idOf(studio) });
  return here(studio);
}

async function renewPost(studio: Studio): Promise<string> {
  await studio.call(regenerateItemById, { id: idOf(studio) });
  return here(studio);
}

/** Puts earlier pictures in place again. */
async function usePictures(studio: Studio, fields: FormData): Promise<string> {
  await studio.call(updateItem, { id: idOf(studio), creationIds: textsOf(fields, "pictures") });
  return here(studio);
}

async function generatePost(studio: Studio, fields: FormData): Promise<string> {
  const idempotencyKey = textOf(fields, "once").slice(0, 36) || crypto.randomUUID();
  await studio.call(generateItemById, { id: idOf(studio), idempotencyKey });
  return here(studio);
}

export async function publishPost(studio: Studio, fields: FormData): Promise<string> {
  const expectedHash = orNull(textOf(fields, "hash"));
  const seen = expectedHash === null ? {} : { expectedHash };
  await studio.call(publishItemById, { id: idOf(studio), ...seen });
  return here(studio);
}

/** The verbs that need no page of their own, by the last part of their address. */
export const POST_VERBS = {
  approve: { act: approvePost, of: approveItem },
  unapprove: { act: unapprovePost, of: unapproveItem },
  skip: { act: skipPost, of: skipItemById },
  caption: { act: rewritePost, of: captionItemById },
  words: { act: chooseCaption, of: updateItem },
  regenerate: { act: renewPost, of: regenerateItemById },
  generate: { act: generatePost, of: generateItemById },
  pictures: { act: usePictures, of: updateItem },
};
