/** A new handle's past: posts over the last 90 days, drawn from its name and the instant it opened. */
import { DAY, HOUR } from "../calendar.ts";
import type { Platform } from "../posts/shape.ts";
import { hashOf } from "../random.ts";
import type { SandboxAccount } from "./accounts.ts";
import { postId } from "./ids.ts";
import { type PostKind, type SandboxImage, type SandboxPost, wholeSecond } from "./posts.ts";
import { type Draws, drawsFrom } from "./draws.ts";
import { sampleChannel } from "./sample.ts";
import { escapeLittleText } from "./little_text.ts";
import { altTextFor, captionFor, titleFor } from "./words.ts";

const HISTORY_DAYS = 90;
/** The last posts of an Instagram history are stories that are still to be seen. */
const STORY_AGES = [14 * HOUR, 5 * HOUR];
const HISTORIES_KEPT = 200;

/** How often each kind occurs. */
const KINDS: Record<Platform, readonly [PostKind, number][]> = {
  instagram: [["image", 0.45], ["carousel", 0.3], ["reel", 0.25]],
  linkedin: [
    ["image", 0.35],
    ["carousel", 0.2],
    ["text", 0.2],
    ["article", 0.15],
    ["document", 0.05],
    ["video", 0.05],
  ],
  youtube: [["video", 0.6], ["reel", 0.4]],
};

/** Pixels of a cover, by platform and kind. */
function coverSize(platform: Platform, kind: PostKind): string {
  if (platform === "youtube") return "480x360";
  if (kind === "story" || kind === "reel") return "540x960";
  return platform === "instagram" ? "540x675" : "600x400";
}

/** Histories never change, so the recently used are remembered. */
const remembered = new Map<string, SandboxPost[]>();

/** Oldest first, so that a post's place is its serial. */
export async function seededPosts(account: SandboxAccount): Promise<SandboxPost[]> {
  const name = `${account.platform} ${account.number} ${account.createdAt} ${account.handle}`;
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const posts = account.sampleChannelId === null ? madeUp(account) : await realVideos(account);
  if (remembered.size >= HISTORIES_KEPT) remembered.clear();
  remembered.set(name, posts);
  return posts;
}

function madeUp(account: SandboxAccount): SandboxPost[] {
  const draws = drawsFrom(`${account.platform}/${account.handle.toLowerCase()}/when`);
  const stories = account.platform === "instagram" ? STORY_AGES.slice(0, account.seeded) : [];
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
  const draws = drawsFrom(`${platform}/${account.handle.toLowerCase()}/${serial}`);
  const kind = fixed ?? pickKind(draws, KINDS[platform]);
  const link = linkFor(draws, platform, kind);
  const { caption, tags } = captionFor(draws, kind === "article" ? null : link);
  const short = kind === "reel";
  return {
    id: postId(platform, { number, serial }),
    number,
    serial,
    publishedAt: wholeSecond(account.createdAt - age),
    kind,
    caption: kind === "story" ? "" : caption,
    wireText: platform === "linkedin" ? escapeLittleText(caption) : null,
    title: platform === "youtube" || ["article", "document", "video"].includes(kind)
      ? titleFor(draws)
      : null,
    link,
    images: pictures(draws, account, serial, kind),
    durationSec: short ? draws.whole(12, 59) : kind === "video" ? draws.whole(190, 1_900) : null,
    tags,
    likesHidden: draws.unit() < 0.03,
    commentsOff: platform === "youtube" && draws.unit() < 0.03,
    readings: null,
  };
}

function pickKind(draws: Draws, kinds: readonly [PostKind, number][]): PostKind {
  let left = draws.unit();
  for (const [kind, share] of kinds) {
    left -= share;
    if (left < 0) return kind;
  }
  return kinds[0]![0];
}

/** An article always points somewhere; other posts off Instagram now and then. */
function linkFor(draws: Draws, platform: Platform, kind: PostKind): string | null {
  const page = draws.pick(["guide", "notes", "spring", "workshop", "story", "menu"]);
  const wanted = kind === "article" || (platform !== "instagram" && draws.unit() < 0.25);
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
  const size = coverSize(account.platform, kind);
  return Array.from({ length: count }, (_, at) => {
    const seed = hashOf(`${account.platform}/${account.handle.toLowerCase()}/${serial}/${at}`);
    return {
      id: imageId(account, serial, at),
      url: `/sandbox/media/pictures/${seed.toString(16).padStart(8, "0")}-${size}.png`,
      altText: altTextFor(draws),
    };
  });
}

/** A carousel child's id on Instagram; an image URN on LinkedIn that names its post. */
export function imageId(account: SandboxAccount, serial: number, at: number): string {
  const place = `${String(serial).padStart(5, "0")}${String(at).padStart(2, "0")}`;
  return account.platform === "instagram"
    ? `17${account.number}${place}`
    : `urn:li:image:C4E10AQ${account.number}${place}`;
}

async function realVideos(account: SandboxAccount): Promise<SandboxPost[]> {
  const { videos } = (await sampleChannel(account.handle))!;
  return videos.map((video, serial) => ({
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
