/** The operations on the library's assets (spec 4.4). */
import { z } from "zod";
import { invalid } from "../foundation/errors.ts";
import { MAX_IMAGE_BYTES } from "../media/images/ingest.ts";
import { like, needs, where, without, withRules } from "./body_rules.ts";
import { operation } from "./operation.ts";
import { text } from "../foundation/text.ts";
import {
  Asset,
  AssetKind,
  ImageType,
  listLive,
  showAsset,
  showAssets,
} from "../creations/assets/shape.ts";
import { retire } from "../creations/assets/shelf.ts";
import {
  addFromAddress,
  beginUpload,
  confirmUpload,
  onlyLogos,
} from "../creations/assets/uploads.ts";

const AssetName = text(120);
const IsPrimary = z.boolean().optional()
  .describe("Makes this logo the one that overlays show. The first logo is it anyway.");

/** The addresses from which images are fetched, for the description. */
const HTTP = String.raw`^[Hh][Tt][Tt][Pp][Ss]?://` +
  String.raw`(\[[0-9A-Fa-f:.]+\]|[^\x00-\x20#%/:<>?@\[\\\]^|\x7f]+)(:\d*)?([/?#]|$)`;

/** Only a logo can be primary. */
const ONLY_LOGOS = where("isPrimary", true, like({ kind: { const: "logo" } }));

export const listAssets = operation({
  id: "listAssets",
  group: "Assets",
  summary: "List the brand's assets, newest first.",
  scopes: ["createRead"],
  costs: "request",
  errors: [],
  input: z.object({ kind: AssetKind.optional() }),
  output: z.object({ data: z.array(Asset) }),
  async run(context, { kind }) {
    const { kv, brand } = context;
    return { data: await showAssets(context, brand.id, await listLive(kv, brand.id, kind)) };
  },
});

export const createAsset = operation({
  id: "createAsset",
  group: "Assets",
  summary: "Add an image to the library, from an address or from an upload.",
  description: "Either `kind`, `name` and `sourceUrl`: the service fetches the image from that " +
    "public http(s) address. Or `key` and `url` as returned when an upload was started, after " +
    "the bytes were put. JPEG, PNG or WebP by their bytes, at most 10 MB and 50 megapixels. The " +
    "image is turned upright and its metadata removed; of an animation the first frame is kept. " +
    "An upload is confirmed once.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["conflict", "serviceUnavailable"],
  input: withRules(
    z.object({
      kind: AssetKind.optional(),
      name: AssetName.optional(),
      sourceUrl: text(4_096).meta({ pattern: HTTP }).optional(),
      key: z.string().max(256).optional(),
      url: z.string().max(8_192).optional(),
      isPrimary: IsPrimary,
    }),
    {
      oneOf: [needs("kind", "name", "sourceUrl"), needs("key", "url")],
      ...without("sourceUrl", "key", "url"),
      ...ONLY_LOGOS,
    },
  ),
  output: Asset,
  async run(context, { kind, name, sourceUrl, key, url, isPrimary }) {
    const { id } = context.brand;
    if (key !== undefined || url !== undefined) {
      if (sourceUrl !== undefined) throw invalid("sourceUrl", "can't be sent with key and url");
      const asset = await confirmUpload(
        context,
        id,
        required("key", key),
        required("url", url),
        isPrimary,
      );
      return await showAsset(context, id, asset);
    }
    const address = required("sourceUrl", sourceUrl);
    const details = {
      kind: required("kind", kind),
      name: required("name", name),
      isPrimary: isPrimary ?? false,
    };
    if (details.isPrimary && details.kind !== "logo") throw onlyLogos();
    const asset = await addFromAddress(context, id, details, address);
    return await showAsset(context, id, asset);
  },
});

export const startUpload = operation({
  id: "startUpload",
  group: "Assets",
  summary: "Start an upload: get a link that takes one PUT of the image's bytes.",
  description: "PUT the raw bytes to `uploadUrl` with the same Content-Type, exactly `size` of " +
    "them, within 15 minutes; then create the asset with `key` and `url`. The PUT needs no key. " +
    "A brand may have 20 uploads at a time that are not confirmed.",
  scopes: ["createWrite"],
  costs: "request",
  errors: [],
  input: withRules(
    z.object({
      kind: AssetKind,
      name: AssetName,
      contentType: ImageType,
      size: z.int().min(1).max(MAX_IMAGE_BYTES).describe("Bytes, exactly."),
      isPrimary: IsPrimary,
    }),
    ONLY_LOGOS,
  ),
  output: z.object({
    uploadUrl: z.string(),
    url: z.string().describe("Where the image will be once the upload is confirmed."),
    key: z.string(),
    kind: AssetKind,
    name: z.string(),
    contentType: ImageType,
  }).meta({ id: "Upload" }),
  async run(context, { isPrimary = false, ...input }) {
    const { kind, name, contentType } = input;
    if (isPrimary && kind !== "logo") throw onlyLogos();
    const started = await beginUpload(context, context.brand.id, { ...input, isPrimary });
    return { ...started, kind, name, contentType };
  },
});

export const deleteAsset = operation({
  id: "deleteAsset",
  group: "Assets",
  summary: "Delete an asset.",
  description: "A soft delete: it leaves the lists and the reference photos of cast members; " +
    "what used it keeps working, and its address goes on answering.",
  scopes: ["createWrite"],
  costs: "request",
  errors: ["notFound"],
  input: z.object({ id: z.string() }),
  output: null,
  run: (context, { id }) => retire(context, context.brand.id, id),
});

function required<T>(field: string, value: T | undefined): T {
  if (value === undefined) throw invalid(field, "is required");
  return value;
}
