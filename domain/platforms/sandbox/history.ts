/** The made-up history of a new handle: posts of its last 90 days, drawn from its name. */
import { DAY } from "../../foundation/calendar.ts";
import { hashOf } from "../../foundation/chance.ts";
import type { SandboxAccount } from "./accounts.ts";
import { postId } from "./ids.ts";
import { type PostKind, type SandboxImage, type SandboxPost, wholeSecond } from "./shape.ts";
import { type Draws, drawsFrom } from "./draws.ts";
import { sampleChannel } from "./sample.ts";
import { SANDBOX_TRAITS, type SandboxTraits } from "./traits.ts";
import { altTextFor, captionFor, titleFor } from "./words.ts";

const HISTORY_DAYS = 90;
const HISTORIES_KEPT = 200;

/** A history never changes, so those in use are kept in memory. */
const cache = new Map<string, SandboxPost[]>();

/** The posts of the account's history, oldest first; a post's place is its serial. */
export async function seededPosts(account: SandboxAccount): Promise<SandboxPost[]> {
  const name = `${account.platform} ${account.number} ${account.createdAt} ${account.handle}`;
  const known = cache.get(name);
  if (known !== undefined) return known;
  const posts = account.sampleChannelId === null ? madeUp(account) : await realVideos(account);
  if (cache.size >= HISTORIES_KEPT) cache.clear();
  cache.set(name, posts);
  return posts;
}

function madeUp(account: SandboxAccount): SandboxPost[] {
  const draws = drawsFrom(`${account.platform}/${account.handle.toLowerCase()}/when`);
  const stories = SANDBOX_TRAITS[account.platform].storyAges.slice(0, account.seeded);
  const ages = Array.from(
    { length: account.seeded - stories.length },
    (_, at) => (at + draws.unit()) / (account.seeded - stories.length) * (HISTORY_DAYS - 1) * DAY,
  ).map((age) => age + DAY).sort((a, b) => b - a);
  return [
    ...ages.map((age, serial) => seededPost(account, serial, age, null)),
    ...stories.map((age, at) => seededPost(account, ages.length + at, age, "story")),
  ];
}

function seededPost(
  account: SandboxAccount,
  serial: number,
  age: number,
  fixed: PostKind | null,
): SandboxPost {
  const { platform, number } = account;
  const traits = SANDBOX_TRAITS[platform];
  const draws = drawsFrom(`${platform}/${account.handle.toLowerCase()}/${serial}`);
  const kind = fixed ?? pickKind(draws, traits);
  const link = linkFor(draws, traits, kind);
  const { caption, tags } = captionFor(draws, account.handle, kind === "article" ? null : link);
  const short = kind === "reel";
  return {
    id: postId(platform, { number, serial }),
    number,
    serial,
    publishedAt: wholeSecond(account.createdAt - age),
    kind,
    caption: kind === "story" ? "" : caption,
    wireText: traits.wireText(caption),
    title: traits.hasTitles || ["article", "document", "video"].includes(kind)
      ? titleFor(draws, account.handle)
      : null,
    link,
    images: pictures(draws, account, serial, kind),
    durationSec: short
      ? draws.whole(12, 59)
      : kind === "video"
      ? videoLength(draws.whole(190, 1_900), traits, serial)
      : null,
    tags,
    likesHidden: draws.unit() < 0.03,
    commentsOff: isDrawn(draws, traits.commentsOffShare),
    readings: null,
  };
}

/** Some wide videos are as short as a Short, and are none. */
function videoLength(usual: number, { shortVideoEach }: SandboxTraits, serial: number): number {
  return shortVideoEach !== null && serial % shortVideoEach === 1 ? 30 + usual % 150 : usual;
}

function pickKind(draws: Draws, { kinds }: SandboxTraits): PostKind {
  let left = draws.unit();
  for (const [kind, share] of kinds) {
    left -= share;
    if (left < 0) return kind;
  }
  return kinds[0][0];
}

/** A share of 0 draws nothing, so that the draws that follow stay the same. */
function isDrawn(draws: Draws, share: number): boolean {
  return share > 0 && draws.unit() < share;
}

function linkFor(draws: Draws, { linkShare }: SandboxTraits, kind: PostKind): string | null {
  const page = draws.pick(["guide", "notes", "spring", "workshop", "story", "menu"]);
  const wanted = kind === "article" || isDrawn(draws, linkShare);
  return wanted && kind !== "story" ? `https://example.com/${page}` : null;
}

function pictures(
  draws: Draws,
  account: SandboxAccount,
  serial: number,
  kind: PostKind,
): SandboxImage[] {
  if (kind === "text") return [];
  const count = kind === "carousel" ? draws.whole(3, 6) : 1;
  const { covers } = SANDBOX_TRAITS[account.platform];
  const size = covers[kind] ?? covers.usual;
  return Array.from({ length: count }, (_, at) => {
    const seed = hashOf(`${account.platform}/${account.handle.toLowerCase()}/${serial}/${at}`);
    return {
      id: imageId(account, serial, at),
      url: `/sandbox/media/pictures/${seed.toString(16).padStart(8, "0")}-${size}.png`,
      altText: altTextFor(draws, account.handle),
    };
  });
}

/** The platform's id of an image; it names the image's post. */
export function imageId(account: SandboxAccount, serial: number, at: number): string {
  const place = `${String(serial).padStart(5, "0")}${String(at).padStart(2, "0")}`;
  return SANDBOX_TRAITS[account.platform].imageId(account.number, place);
}

async function realVideos(account: SandboxAccount): Promise<SandboxPost[]> {
  const channel = await sampleChannel(account.handle);
  return (channel?.videos ?? []).map((video, serial) => ({
    id: video.videoId,
    number: account.number,
    serial,
    publishedAt: Date.parse(video.publishedAt),
    kind: video.durationSec <= 180 && !video.isLive ? "reel" : "video",
    caption: "",
    wireText: null,
    title: video.title,
    link: null,
    images: [{
      id: video.videoId,
      url: `/sandbox/media/pictures/${
        hashOf(video.videoId).toString(16).padStart(8, "0")
      }-480x360.png`,
      altText: video.title,
    }],
    durationSec: video.durationSec,
    tags: video.tags,
    likesHidden: false,
    commentsOff: false,
    readings: video.readings.map(([at, ...counts]) => [Date.parse(at), ...counts]),
  }));
}
