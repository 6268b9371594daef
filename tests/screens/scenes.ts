/** The pages that are shown, on a brand that has everything and on one that has nothing. */
import { connectSandboxAccount } from "../../domain/platforms/sandbox_account.ts";
import { DAY } from "../../domain/foundation/calendar.ts";
import { runPass } from "../../jobs/passes.ts";
import { HandMadeApp } from "../support/oauth.ts";
import { type TestService, testService } from "../support/service.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { pastPosts } from "../support/published.ts";
import { Receiver } from "../support/receiver.ts";
import { reviewOften } from "../support/reviewed_series.ts";
import { type StudioPerson, studioPerson } from "../support/studio.ts";
import { webhooks } from "./webhooks.ts";

export interface Scene {
  name: string;
  url: string;
  cookie: { name: string; value: string };
}

const PORT = 8_765;

export async function* scenes(): AsyncGenerator<Scene> {
  const BASE_URL = `http://127.0.0.1:${PORT}`;
  await using receiver = new Receiver();
  await using t = await testService({
    paints: true,
    environ: {
      ...{ BASE_URL, PORT: String(PORT), SANDBOX: "on" },
      ALLOW_PRIVATE_HOSTS: receiver.host,
    },
  });
  const server = Deno.serve({ port: PORT, onListen: () => {} }, (request) => t.app.fetch(request));
  const full = await studioPerson(t);
  const empty = await studioPerson(t, {
    email: "new@example.com",
    name: "Kiln & Co",
    plan: "free",
  });
  const ids = { ...await furnish(t, full), ...await webhooks(t, full, receiver) };
  for (const [name, path] of pagesOf(ids)) yield scene(BASE_URL, full, name, path);
  for (const [name, path] of EMPTY) yield scene(BASE_URL, empty, `empty-${name}`, path);
  yield scene(BASE_URL, full, "account", "/dashboard/account");
  const app = await HandMadeApp.registered(t);
  yield scene(BASE_URL, full, "consent", (await app.address({ scope: "" })).replace(BASE_URL, ""));
  yield { name: "sign-in", url: `${BASE_URL}/studio`, cookie: { name: "none", value: "1" } };
  await server.shutdown();
}

const EMPTY: [string, string][] = [
  ["today", ""],
  ["calendar", "/calendar"],
  ["insights", "/insights"],
  ["library", "/library"],
  ["series", "/series"],
  ["accounts", "/settings/accounts"],
  ["webhooks", "/settings/webhooks"],
];

type Ids = Awaited<ReturnType<typeof furnish>> & Awaited<ReturnType<typeof webhooks>>;

function pagesOf(ids: Ids): [string, string][] {
  return [
    ["today", ""],
    ["calendar", "/calendar"],
    ["calendar-week", "/calendar?view=week&day=2026-11-23"],
    ["calendar-list", "/calendar?view=list"],
    ["post", `/posts/${ids.ready}`],
    ["post-planned", `/posts/${ids.planned}`],
    ["publish", `/posts/${ids.ready}/publish`],
    ["create", "/create"],
    ["made", `/create/made?ids=${ids.pictures.slice(0, 3).join(",")}`],
    ["picture", `/pictures/${ids.pictures[0]}`],
    ["insights", "/insights?days=28"],
    ["insights-usual", "/insights?days=90&against=usual&metric=engagement&by=hashtag"],
    ["insights-youtube", "/insights?days=7&platform=youtube&metric=reach&by=hour"],
    ["insights-refused", "/insights?from=2026-11-20&to=2026-11-01"],
    ["published", `/published/${ids.published}`],
    ["published-young", `/published/${ids.young}`],
    ["library", "/library"],
    ["logos", "/library?show=logo"],
    ["cast", "/library?show=cast"],
    ["series", "/series"],
    ["series-new", "/series/new"],
    ["series-one", `/series/${ids.series}`],
    ["series-autopilot", `/series/${ids.autopilot}`],
    ["series-tried", `/series/${ids.tried}`],
    ["series-return", `/series/${ids.tried}/reviews/${ids.review}`],
    ["settings", "/settings"],
    ["accounts", "/settings/accounts"],
    ["people", "/settings/people"],
    ["keys", "/settings/keys"],
    ["notifications", "/settings/notifications"],
    ["webhooks", "/settings/webhooks"],
    ["webhook", `/settings/webhooks/${ids.webhook}`],
    ["webhook-off", `/settings/webhooks/${ids.webhookOff}`],
    ["webhook-delete", `/settings/webhooks/${ids.webhook}/delete`],
    ["audit", "/settings/audit"],
    ["plan", "/settings/plan"],
  ];
}

const scene = (base: string, person: StudioPerson, name: string, path: string): Scene => {
  const [cookie = "", value = ""] = person.cookie.split("=");
  return { name, url: base + person.at(path), cookie: { name: cookie, value } };
};

const IDEAS = [
  "Fresh oat latte on the counter in early light",
  "Harbour at dawn with small boats",
  "A basket of warm croissants",
  "Barista pouring milk, close up",
];

/** Accounts, pictures, a series of its own and an autopilot, with posts in several states. */
async function furnish(t: TestService, person: StudioPerson) {
  const { brand } = person;
  for (const [platform, handle] of [["instagram", "harbour.coffee"], ["linkedin", "harbour"]]) {
    await connectSandboxAccount(t.service, brand.id, platform as "instagram", handle!);
  }
  await runPass(t.service, t.worker, "metrics", { brandId: brand.id });
  const { secret } = await t.key(brand.id, [
    "postsRead",
    "createRead",
    "createWrite",
    "publishWrite",
  ]);
  const call = async (path: string, body?: unknown) => {
    const answer = await t.call(secret, path, body === undefined ? {} : { method: "POST", body });
    return answer.status === 204 ? null : await answer.json();
  };
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
  const { data: made } = await call("/v1/creations?perPage=10");
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
  const { reviews } = await call(`/v1/series/${tried.id}`);
  const { data: posts } = await call("/v1/posts?perPage=20&platform=instagram&sort=published");
  const { data: items } = await call("/v1/items?perPage=100");
  const one = (status: string): string =>
    items.find((item: { status: string }) => item.status === status)?.id ?? oneOff.id;
  return {
    pictures,
    series: series.id as string,
    autopilot: autopilot.id as string,
    tried: tried.id as string,
    review: reviews.at(-1).id as string,
    ready:
      items.find((item: { status: string; approvedAt: null | string }) =>
        item.status === "ready" && item.approvedAt === null
      )?.id ?? oneOff.id,
    planned: one("planned"),
    young: posts[0].id as string,
    published: posts[9].id as string,
  };
}
