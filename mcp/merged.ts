/** Operations of tools that differ from REST: two merged, one narrowed, fields renamed. */
import { z } from "zod";
import { approveItem, unapproveItem } from "../domain/operations/approval.ts";
import { createAsset } from "../domain/operations/assets.ts";
import { createCastMember, updateCastMember } from "../domain/operations/cast.ts";
import { createCreation, getCreation } from "../domain/operations/creations.ts";
import { perform } from "../domain/operations/gate.ts";
import {
  type AnyOperation,
  type Context,
  operation,
  type Value,
} from "../domain/operations/operation.ts";
import { listPosts } from "../domain/operations/posts.ts";
import { createSeries, updateSeries } from "../domain/operations/series.ts";
import { Post } from "../domain/posts/shape.ts";

type Input = Record<string, unknown>;

/** Performs `operation` for the caller of `context`, by way of the gate. */
export async function performIn<Output extends z.ZodType | null>(
  context: Context,
  operation: AnyOperation<Output>,
  input: Input,
): Promise<Value<Output>> {
  const { value } = await perform(context, context, operation, () => input, context.client);
  return value;
}

/** Creates without an id and changes with one. Every field of a creation can also be changed. */
function saving<Output extends z.ZodType>(
  id: string,
  summary: string,
  create: AnyOperation<Output>,
  update: AnyOperation<Output>,
): AnyOperation<Output> {
  const { id: _, ...fields } = update.input.shape;
  return operation({
    id,
    group: update.group,
    summary,
    description: [create.description, update.description].filter(Boolean).join(" "),
    scopes: update.scopes,
    costs: update.costs,
    errors: update.errors,
    input: z.object({
      id: z.string().optional().describe("Changes that one; without an id a new one is made."),
      ...fields,
    }),
    output: update.output,
    run: (context, input) => performIn(context, input.id === undefined ? create : update, input),
  });
}

export const saveCastMember = saving(
  "saveCastMember",
  "Add a cast member, or change one by its id; what is left out of a change stays as it is. A " +
    "new one needs name and lookPrompt.",
  createCastMember,
  updateCastMember,
);

export const saveSeries = saving(
  "saveSeries",
  "Start a series, or change one by its id; what is left out of a change stays as it is. A new " +
    "one needs name and mode, and starts active.",
  createSeries,
  updateSeries,
);

export const setSeriesActive = operation({
  id: "setSeriesActive",
  group: updateSeries.group,
  summary: "Pause a series or resume it.",
  description: "While paused nothing is planned, generated or published by itself; slots can " +
    "still be handled one by one.",
  scopes: updateSeries.scopes,
  costs: updateSeries.costs,
  errors: updateSeries.errors,
  input: z.object({ id: z.string(), active: z.boolean() }),
  output: updateSeries.output,
  run: (context, input) => performIn(context, updateSeries, input),
});

const { kind, name, sourceUrl, key, url, isPrimary } = createAsset.input.shape;

/** `createAsset` by an address only, so the fields that this needs are required. */
export const addAsset = operation({
  ...createAsset,
  id: "addAsset",
  summary: "Add an image to the library from a public address.",
  description: "The service fetches it. JPEG, PNG or WebP, at most 10 MB.",
  input: z.object({
    kind: kind.unwrap(),
    name: name.unwrap(),
    sourceUrl: sourceUrl.unwrap(),
    isPrimary,
  }),
});

/** `createAsset` by an upload only. */
export const confirmAssetUpload = operation({
  ...createAsset,
  id: "confirmAssetUpload",
  summary: "Add an uploaded image to the library.",
  description: "With key and url as create_asset_upload answered them, after the bytes were put.",
  input: z.object({ key: key.unwrap(), url: url.unwrap(), isPrimary }),
});

/** An operation on a slot, which is named by its own id; with `seriesId` only as one of that series. */
export function onSlot<Output extends z.ZodType | null>(
  inSeries: AnyOperation<Output>,
  byId: AnyOperation<Output>,
): AnyOperation<Output> {
  const { id: _item, ...fields } = byId.input.shape;
  return operation({
    ...inSeries,
    input: z.object({
      seriesId: z.string().optional(),
      itemId: z.string().describe("From list_items."),
      ...fields,
    }),
    run: (context, { seriesId, itemId, ...input }) =>
      seriesId === undefined
        ? performIn(context, byId, { ...input, id: itemId })
        : performIn(context, inSeries, { ...input, id: seriesId, itemId }),
  });
}

/** Approves, or takes an approval back. */
export const setApproval = operation({
  ...approveItem,
  id: "setApproval",
  summary: "Approve a post as it is now, or take its approval back.",
  input: approveItem.input.extend({ approved: z.boolean().default(true) }),
  run: (context, { approved, ...input }) =>
    performIn(context, approved ? approveItem : unapproveItem, input),
});

/** Generates, and waits for the picture when asked to. */
export const generateImage = operation({
  ...createCreation,
  id: "generateImage",
  input: createCreation.input.extend({ wait: getCreation.input.shape.wait }),
  run: async (context, { wait, ...input }) => {
    const created = await performIn(context, createCreation, input);
    if (wait === 0) return created;
    // A key that may generate may also read the result.
    const waiting = { ...getCreation, scopes: createCreation.scopes };
    return await performIn(context, waiting, { id: created.id, wait });
  },
});

const Fields = z.array(Post.keyof()).min(1).optional().describe(
  "Only these fields of each post; all when left out.",
);

/** Lists posts, with a part of each post's fields when asked to. */
export const listPostFields = operation({
  ...listPosts,
  input: listPosts.input.safeExtend({ fields: Fields }),
  output: listPosts.output.extend({ data: z.array(Post.partial()) }),
  run: async ({ posts, brand }, query) => {
    // The validated query goes on as the same object: see `domain/foundation/repeats.ts`.
    const answer = await posts.page(brand.id, query);
    const { fields } = query;
    if (fields === undefined) return answer;
    const data = answer.data.map((post) =>
      Object.fromEntries(fields.map((field) => [field, post[field]]))
    );
    return { ...answer, data };
  },
});

/** Reads a creation and shows the picture when asked to. */
export const lookAtCreation = operation({
  ...getCreation,
  input: getCreation.input.extend({
    preview: z.boolean().default(false).describe(
      "Adds the picture itself, at most 512 pixels a side.",
    ),
  }),
});
