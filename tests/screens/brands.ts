/** The brands whose pages are pictured: one that has everything, one in trouble. */
import { makeSetUpLink } from "../../domain/brands/set_up.ts";
import { DAY, HOUR, iso } from "../../domain/foundation/calendar.ts";
import { accountByEmail } from "../../domain/brands/accounts.ts";
import { reader, transact } from "../../domain/kv/transact.ts";
import { threadedPainter } from "../../domain/models/painter/thread.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { type ImageModel, ModelError } from "../../domain/models/model.ts";
import { moveAccount, type SocialAccount, updateAccount } from "../../domain/platforms/accounts.ts";
import { connectSandboxAccount } from "../../domain/platforms/sandbox_account.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { runPass } from "../../jobs/passes.ts";
import { colleague, invitation } from "../support/colleagues.ts";
import { HandMadeApp } from "../support/oauth.ts";
import { pastPosts } from "../support/published.ts";
import { reviewOften } from "../support/reviewed_series.ts";
import type { TestService } from "../support/service.ts";
import type { StudioPerson } from "../support/studio.ts";

/** The painter, except for ideas with this word, which it refuses as a model of people's would. */
const UNPAINTABLE = "celebrity";

export function moodyPainter(): ImageModel {
  const painter = threadedPainter();
  return {
    ...painter,
    paint: (request) => {
      if (!request.prompt.includes(UNPAINTABLE)) return painter.paint(request);
      const words = "The image model refused the prompt, because it names a real person.";
      return Promise.reject(new ModelError(words, { transient: false }));
    },
  };
}

/** One-time links, as a person gets them before they have an account. */
export async function linksOf(t: TestService, owner: StudioPerson) {
  return {
    setUp: `/studio/set-up/${await makeSetUpLink(t.service)}`,
    join: await invitation(owner, "editor"),
  };
}

const IDEAS = [
  "Fresh oat latte on the counter in early light",
  "Harbour at dawn with small boats",
  "A basket of warm croissants",
  "Barista pouring milk, close up",
];

const CAPTIONS = [
  "Oat or whole milk? Tell the barista, or tell us below.",
  "Croissants at seven, gone by nine. You have been warned.",
  "Meet Mia, who has pulled our shots for six years.",
  "First snow on the quay, and the oven is on.",
];

export type FullBrand = Awaited<ReturnType<typeof furnish>>;

/** Accounts, pictures, a series of its own and an autopilot, with posts in several states. */
export async function furnish(t: TestService, person: StudioPerson) {
  const { brand } = person;
  for (const [platform, handle] of [["instagram", "harbour.coffee"], ["linkedin", "harbour"]]) {
    await connectSandboxAccount(t.service, brand.id, platform as "instagram", handle!);
  }
  await runPass(t.service, t.worker, "metrics", { brandId: brand.id });
  const call = await callsOf(t, person);
  const [account] = (await call("/v1/accounts")).data;
  const pictures: string[] = [];
  const { id: castMemberId } = await call("/v1/cast-members", {
    name: "Mia",
    lookPrompt: "In her thirties, red scarf, short dark hair, always laughing",
  });
  for (const idea of IDEAS) {
    const look = idea.startsWith("Barista") ? { castMemberId } : {};
    const made = await call("/v1/creations", {
      ...{ idea, prompt: idea, aspectRatio: "portrait" },
      ...look,
    });
    pictures.push(made.id);
  }
  const common = { aspectRatio: "portrait", socialAccountId: account.id };
  const series = await call("/v1/series", {
    ...common,
    name: "Morning cups",
    mode: "manual",
    theme: "Coffee in the morning, by the harbour",
    format: "post",
    cadenceDays: 2,
    needsApproval: true,
    overlay: { template: "captionBar", text: "Good morning", showLogo: false },
  });
  const autopilot = await call("/v1/series", {
    ...common,
    name: "More weekday guests",
    mode: "autopilot",
    goal: "More guests on weekday mornings",
    postsPerWeek: 3,
  });
  await t.worker.drain();
  await call(`/v1/series/${autopilot.id}/reviews`, {});
  await runPass(t.service, t.worker, "series", { brandId: brand.id });
  await t.worker.drain();
  const soon = new Date(t.service.now() + DAY).toISOString();
  const oneOff = await call("/v1/items", {
    creationIds: [pictures[1]],
    caption: "The harbour wakes up, and so do we. First cup is at six.",
    hashtags: ["harbour", "coffee"],
    scheduledFor: soon,
    socialAccountId: account.id,
  });
  await call(`/v1/items/${oneOff.id}/approve`, {});
  for (const [nth, caption] of CAPTIONS.entries()) {
    await call("/v1/items", {
      ...{ creationIds: [pictures[nth % pictures.length]], caption, hashtags: ["harbour"] },
      scheduledFor: iso(t.service.now() + (nth + 2) * 2 * DAY + (nth % 3) * 3 * HOUR),
      socialAccountId: account.id,
    });
  }
  const { data: made } = await call("/v1/creations?perPage=10");
  await fillLibrary(t, person, pictures.map((id) => made.find((one: Made) => one.id === id)!));
  const urls = made.flatMap(({ url }: { url: string | null }) => url === null ? [] : [url]);
  const past = pastPosts({ now: t.service.now(), posts: 260, days: 400, pictures: urls });
  await upsertPosts(t.service, brand.id, past);
  const tried = await call("/v1/series", {
    ...common,
    name: "Who comes back",
    mode: "autopilot",
    goal: "Guests who come back",
    postsPerWeek: 3,
  });
  await reviewOften(t.service, brand.id, tried.id);
  for (const role of ["editor", "approver", "viewer"] as const) await colleague(t, person, role);
  const viewer = await accountByEmail(reader(t.service.kv), "viewer@example.com");
  const app = await HandMadeApp.registered(t);
  const { reviews } = await call(`/v1/series/${tried.id}`);
  const { data: posts } = await call("/v1/posts?perPage=20&q=croissants&sort=published");
  const { data: [best] } = await call(
    "/v1/posts?perPage=1&q=croissants&platform=instagram&sort=views",
  );
  const { data: [renewed] } = await call(`/v1/items?status=ready&seriesId=${autopilot.id}`);
  await call(`/v1/items/${renewed.id}/regenerate`, {});
  await runPass(t.service, t.worker, "series", { brandId: brand.id });
  await t.worker.drain();
  const { data: items } = await call("/v1/items?perPage=100");
  const one = (status: string): string =>
    items.find((item: { status: string }) => item.status === status)?.id ?? oneOff.id;
  return {
    pictures,
    account: account.id as string,
    member: castMemberId as string,
    colleague: viewer?.id ?? "",
    consent: (await app.address({ scope: "" })).replace(t.service.settings.BASE_URL, ""),
    join: await invitation(person, "approver"),
    series: series.id as string,
    autopilot: autopilot.id as string,
    tried: tried.id as string,
    review: reviews.at(-1).id as string,
    ready: items.find((item: { status: string; seriesId: string | null }) =>
      item.status === "ready" && item.seriesId === series.id
    ).id as string,
    renewed: renewed.id as string,
    planned: one("planned"),
    young: posts[0].id as string,
    published: best.id as string,
  };
}

interface Made {
  id: string;
  url: string;
}

/** A logo, and pictures whose mood is liked. */
async function fillLibrary(t: TestService, person: StudioPerson, liked: Made[]) {
  const sharp = await loadSharp();
  const raw = { width: LOGO_SIDE, height: LOGO_SIDE, channels: 4 } as const;
  const logo = await sharp(cupFromAbove(), { raw }).png().toBuffer();
  const upload = async (
    kind: string,
    name: string,
    bytes: Uint8Array<ArrayBuffer>,
    type: string,
  ) => {
    const form = new FormData();
    form.append("kind", kind);
    form.append("files", new File([bytes], name, { type }));
    const { status, text } = await person.send("/library", form);
    if (status !== 303) throw new Error(`The library refused ${name}: ${text}`);
  };
  await upload("logo", "Cup from above.png", new Uint8Array(logo), "image/png");
  for (const [nth, { url }] of liked.slice(0, 3).entries()) {
    const answer = await t.app.request(url);
    await upload("inspiration", `Mood ${nth + 1}.jpg`, await answer.bytes(), "image/jpeg");
  }
}

const LOGO_SIDE = 480;

/** Pixels of a cup on its saucer: rings around the middle, clear outside. */
function cupFromAbove(): Uint8Array {
  const pixels = new Uint8Array(LOGO_SIDE * LOGO_SIDE * 4);
  for (let at = 0; at < LOGO_SIDE * LOGO_SIDE; at++) {
    const [x, y] = [at % LOGO_SIDE, Math.floor(at / LOGO_SIDE)].map((n) => n / LOGO_SIDE - 0.5);
    const from = Math.hypot(x!, y!);
    const isInk = from < 0.2 || (from > 0.27 && from < 0.33) || (from > 0.44 && from < 0.47);
    pixels.set(isInk ? [56, 95, 113, 255] : [0, 0, 0, 0], at * 4);
  }
  return pixels;
}

export type TroubledBrand = Awaited<ReturnType<typeof trouble>>;

/** No credits left, an account that needs its person, a picture that failed, posts that wait. */
export async function trouble(t: TestService, person: StudioPerson) {
  const { brand } = person;
  const account = await connectSandboxAccount(t.service, brand.id, "instagram", "kiln.and.co");
  await runPass(t.service, t.worker, "metrics", { brandId: brand.id });
  const call = await callsOf(t, person);
  const create = (idea: string) =>
    call("/v1/creations", { idea, prompt: idea, aspectRatio: "portrait" });
  const good = await create("Two bowls drying on a shelf");
  const failed = await create(`A ${UNPAINTABLE} drinks from our cup`);
  await t.worker.drain();
  const common = { socialAccountId: account.id, creationIds: [good.id] };
  await call("/v1/items", {
    ...common,
    caption: "The first bowls of the winter glaze are out of the kiln.",
    scheduledFor: iso(t.service.now() + DAY + HOUR),
  });
  while ((await create("A shelf of blue bowls")).id !== undefined) await t.worker.drain();
  await call("/v1/series", {
    ...{ name: "A bowl a day", mode: "manual", theme: "Bowls", format: "post", cadenceDays: 1 },
    ...{ socialAccountId: account.id, aspectRatio: "portrait" },
  });
  await runPass(t.service, t.worker, "series", { brandId: brand.id });
  await t.worker.drain();
  await transact(t.service.kv, (commit) => updateAccount(commit, account, endedSignIn));
  const { data: items } = await call("/v1/items?perPage=100");
  const held = items.find(({ status }: { status: string }) => status === "held");
  return { failed: failed.id as string, held: held.id as string };
}

const endedSignIn = (account: SocialAccount): SocialAccount => ({
  ...moveAccount(account, "tokenDead"),
  error: "Instagram says that the sign-in has ended. Connect the account again.",
});

/** Calls of REST with a key of the brand that may do everything. */
async function callsOf(t: TestService, { brand }: StudioPerson) {
  const { secret } = await t.key(brand.id, [
    "postsRead",
    "createRead",
    "createWrite",
    "publishWrite",
  ]);
  return async (path: string, body?: unknown) => {
    const answer = await t.call(secret, path, body === undefined ? {} : { method: "POST", body });
    return answer.status === 204 ? null : await answer.json();
  };
}
