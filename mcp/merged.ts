/** Tools that are not one operation word for word: two merged, one narrowed, fields renamed. */
import { z } from "zod";
import { createAsset } from "../domain/assets/operations.ts";
import { createCastMember, updateCastMember } from "../domain/cast.ts";
import { createCreation, getCreation } from "../domain/creations/operations.ts";
import { type Context, type Operation, operation, perform } from "../domain/operation.ts";
import { createSeries, updateSeries } from "../domain/series/series.ts";

type Input = Record<string, unknown>;

/** Performs `operation` for the caller of `context`: the gate's order holds within it too. */
async function performIn(context: Context, operation: Operation, input: Input): Promise<unknown> {
  const { value } = await perform(context, context, operation, () => input, context.client);
  return value;
}

/** Create without an id, change with one: whatever can be set at creation can be changed. */
function saving(id: string, summary: string, create: Operation, update: Operation): Operation {
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
    output: update.output!,
    run: (context, input) => performIn(context, input["id"] === undefined ? create : update, input),
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
  output: updateSeries.output!,
  run: (context, input) => performIn(context, updateSeries, input),
});

/** An operation with some of its fields, all of them required but `optional` ones. */
function narrowed(
  whole: Operation,
  words: Pick<Operation, "id" | "summary" | "description">,
  required: string[],
  optional: string[],
): Operation {
  const bare = (name: string) => {
    const field = whole.input.shape[name] as z.ZodOptional<z.ZodType>;
    return [name, field.unwrap()] as const;
  };
  const kept = optional.map((name) => [name, whole.input.shape[name]!] as const);
  return {
    ...whole,
    ...words,
    input: z.object(Object.fromEntries([...required.map(bare), ...kept])),
  };
}

export const addAsset = narrowed(
  createAsset,
  {
    id: "addAsset",
    summary: "Add an image to the library from a public address.",
    description: "The service fetches it. JPEG, PNG or WebP, at most 10 MB.",
  },
  ["kind", "name", "sourceUrl"],
  ["isPrimary"],
);

export const confirmAssetUpload = narrowed(
  createAsset,
  {
    id: "confirmAssetUpload",
    summary: "Add an uploaded image to the library.",
    description: "With key and url as create_asset_upload answered them, after the bytes were put.",
  },
  ["key", "url"],
  ["isPrimary"],
);

/** An operation on a slot, whose series goes by `seriesId` where the path says `id`. */
export function onSlot(ofItem: Operation): Operation {
  const { id: _series, itemId: _item, ...fields } = ofItem.input.shape;
  return {
    ...ofItem,
    input: z.object({
      seriesId: z.string(),
      itemId: z.string().describe("The slot: an item of get_series_queue."),
      ...fields,
    }),
    run: (context, { seriesId, ...input }) =>
      performIn(context, ofItem, { ...input, id: seriesId }),
  };
}

const WAIT = getCreation.input.shape["wait"]!;

/** Generates, and stays for the picture when asked to. */
export const generateImage = operation({
  ...createCreation,
  id: "generateImage",
  input: createCreation.input.extend({ wait: WAIT }),
  output: createCreation.output!,
  run: async (context, { wait, ...input }) => {
    const created = await performIn(context, createCreation, input) as { id: string };
    if (wait === 0) return created;
    // Whoever may generate may see what came of it.
    const waiting = { ...getCreation, scopes: createCreation.scopes };
    return await performIn(context, waiting, { id: created.id, wait });
  },
});

/** Reads a creation and, when asked to, shows it. */
export const lookAtCreation: Operation = {
  ...getCreation,
  input: getCreation.input.extend({
    preview: z.boolean().default(false).describe(
      "Adds the picture itself, at most 512 pixels a side.",
    ),
  }),
};
