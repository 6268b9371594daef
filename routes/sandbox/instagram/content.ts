/** Checks what a new container is to hold (PLATFORMS A.6 steps 1 to 3). */
import type { Service } from "../../../domain/service/service.ts";
import type { GraphCall, Params } from "./call.ts";
import { type Container, findContainer } from "./container.ts";
import { badParameter, containerGone, publishing } from "./errors.ts";
import { takeImage } from "./image_url.ts";

const MAX_CAPTION = 2_200;
const MAX_HASHTAGS = 30;
const MAX_MENTIONS = 20;
const MAX_ALT_TEXT = 1_000;
const CHILDREN = { least: 2, most: 10 };

type ContainerContent = Pick<Container, "kind" | "images" | "children" | "caption">;

/** @throws Refusal for what can't be published */
export function contentOf(service: Service, call: GraphCall): Promise<ContainerContent> {
  const type = call.params["media_type"] ?? "IMAGE";
  switch (type) {
    case "IMAGE":
      return single(service, call.params);
    case "STORIES":
      return story(service, call.params);
    case "CAROUSEL":
      return carousel(service, call);
    default:
      throw badParameter(`The media type ${type} is unknown to this sandbox.`, 2207023);
  }
}

async function single(service: Service, params: Params): Promise<ContainerContent> {
  const child = params["is_carousel_item"] === "true";
  if (child && params["is_ai_generated"] !== undefined) {
    throw badParameter("The parameter is_ai_generated is not allowed on carousel items.");
  }
  const caption = child ? "" : checkedCaption(params["caption"] ?? "");
  const altText = params["alt_text"] ?? "";
  if (altText.length > MAX_ALT_TEXT) throw badParameter("Param alt_text is too long.");
  const url = await takeImage(service, required(params, "image_url"), "feed");
  return { kind: child ? "child" : "image", images: [{ url, altText }], children: [], caption };
}

async function story(service: Service, params: Params): Promise<ContainerContent> {
  const url = await takeImage(service, required(params, "image_url"), "story");
  return { kind: "story", images: [{ url, altText: "" }], children: [], caption: "" };
}

async function carousel(service: Service, call: GraphCall): Promise<ContainerContent> {
  const caption = checkedCaption(call.params["caption"] ?? "");
  const children = childIds(required(call.params, "children"));
  if (children.length < CHILDREN.least || children.length > CHILDREN.most) {
    throw publishing(
      100,
      2207028,
      "Carousel item count is not supported.",
      "Your post won't work as a carousel. Carousels need at least 2 items and at most 10.",
    );
  }
  const images: Container["images"] = [];
  for (const id of children) {
    const child = await findContainer(service, call.account, id);
    if (child?.kind !== "child") throw containerGone(id);
    images.push(...child.images);
  }
  return { kind: "carousel", images, children, caption };
}

/** A comma-separated list, or a JSON array. */
function childIds(text: string): string[] {
  const inside = text.startsWith("[") ? text.slice(1, -1).replaceAll('"', "") : text;
  return inside.split(",").map((id) => id.trim()).filter(Boolean);
}

function checkedCaption(caption: string): string {
  const hashtags = caption.match(/#[\p{L}\p{N}_]+/gu)?.length ?? 0;
  const mentions = caption.match(/(?<![\w.])@[\w.]+/gu)?.length ?? 0;
  if ([...caption].length > MAX_CAPTION || hashtags > MAX_HASHTAGS) {
    throw publishing(
      36004,
      2207010,
      "The caption was too long.",
      `A caption has at most ${MAX_CAPTION} characters and ${MAX_HASHTAGS} hashtags.`,
    );
  }
  if (mentions > MAX_MENTIONS) {
    throw publishing(
      100,
      2207040,
      "Cannot use more than 20 tags.",
      `Cannot use more than ${MAX_MENTIONS} @ tags per created media.`,
    );
  }
  return caption;
}

function required(params: Params, name: string): string {
  const value = params[name];
  if (value === undefined || value === "") {
    throw badParameter(`The parameter ${name} is required`);
  }
  return value;
}
