/** Every page that is pictured: of a brand that has everything, of one that has nothing, and of one in trouble. */
import type { FullBrand, TroubledBrand } from "./brands.ts";
import type { Webhooks } from "./webhooks.ts";

export interface Scene {
  name: string;
  /** Below the brand's own address, or one of the service from /studio, /docs or /dashboard on. */
  path: string;
  /** A form of that page, by the end of its action, and what is written into it before it is sent. */
  form?: { action: string; fields?: Record<string, string> };
}

/** Stands in for the ids of a brand where only the list of pages matters. */
export const ANY: FullBrand & TroubledBrand & Webhooks = {
  ...{ pictures: ["a", "b", "c"], account: "a", member: "a", colleague: "a" },
  ...{ series: "a", autopilot: "a", tried: "a", review: "a" },
  ...{ ready: "a", renewed: "a", planned: "a", young: "a", published: "a", failed: "a", held: "a" },
  ...{ webhook: "a", webhookOff: "a", webhookPaused: "a" },
  ...{ consent: "/studio/authorize", join: "/studio/join/a" },
};

/** Pages of the guide, which look alike; one has wide tables, one code, one long lists. */
const GUIDE: Scene[] = [
  { name: "docs", path: "/docs" },
  ...["introduction", "growing", "events", "changelog", "figures", "reference/posts"].map((
    page,
  ) => ({
    name: `docs-${page.replace("/", "-")}`,
    path: `/docs/${page}`,
  })),
];

/** What people see before they are signed in. */
export const outside = (links: { setUp: string; join: string }): Scene[] => [
  { name: "sign-in", path: "/studio" },
  { name: "set-up", path: links.setUp },
  { name: "join", path: links.join },
];

export const full = (of: FullBrand & Webhooks): Scene[] => [
  { name: "today", path: "" },
  { name: "calendar", path: "/calendar" },
  { name: "calendar-week", path: "/calendar?view=week&day=2026-11-23" },
  { name: "calendar-list", path: "/calendar?view=list" },
  { name: "post", path: `/posts/${of.ready}` },
  { name: "post-versions", path: `/posts/${of.renewed}` },
  { name: "post-planned", path: `/posts/${of.planned}` },
  { name: "post-move", path: `/posts/${of.ready}/move` },
  { name: "post-publish", path: `/posts/${of.ready}/publish` },
  { name: "post-skip", path: `/posts/${of.ready}/skip` },
  { name: "post-rewrite", path: `/posts/${of.ready}`, form: { action: "/caption" } },
  // The skip takes place when its page is left, so it comes after the other pictures of that post.
  {
    name: "calendar-skip",
    path: "/calendar?view=list",
    form: { action: "/calendar/chosen", fields: { ids: of.ready, verb: "skip" } },
  },
  { name: "create", path: "/create" },
  { name: "create-made", path: `/create/made?ids=${of.pictures.slice(0, 3).join(",")}` },
  { name: "picture", path: `/pictures/${of.pictures[0]}` },
  { name: "insights", path: "/insights?days=28" },
  {
    name: "insights-usual",
    path: "/insights?days=90&against=usual&metric=engagement&by=hashtag",
  },
  { name: "insights-youtube", path: "/insights?days=7&platform=youtube&metric=reach&by=hour" },
  { name: "published", path: `/published/${of.published}` },
  { name: "published-young", path: `/published/${of.young}` },
  { name: "library", path: "/library" },
  { name: "library-logos", path: "/library?show=logo" },
  { name: "library-cast", path: "/library?show=cast" },
  { name: "cast-new", path: "/cast/new" },
  { name: "cast-one", path: `/cast/${of.member}` },
  { name: "series", path: "/series" },
  { name: "series-new", path: "/series/new" },
  { name: "series-new-autopilot", path: "/series/new?mode=autopilot" },
  { name: "series-one", path: `/series/${of.series}` },
  { name: "series-change", path: `/series/${of.series}/change` },
  { name: "series-autopilot", path: `/series/${of.autopilot}` },
  { name: "series-tried", path: `/series/${of.tried}` },
  { name: "series-return", path: `/series/${of.tried}/reviews/${of.review}` },
  { name: "settings", path: "/settings" },
  { name: "settings-accounts", path: "/settings/accounts" },
  { name: "settings-disconnect", path: `/settings/accounts/${of.account}/disconnect` },
  { name: "settings-people", path: "/settings/people" },
  { name: "settings-people-remove", path: `/settings/people/${of.colleague}/remove` },
  { name: "settings-people-leave", path: "/settings/people/leave" },
  { name: "settings-invited", path: "/settings/people", form: { action: "/settings/people" } },
  { name: "settings-keys", path: "/settings/keys" },
  {
    name: "settings-key-made",
    path: "/settings/keys",
    form: { action: "/settings/keys", fields: { name: "Agent on my laptop", preset: "agent" } },
  },
  { name: "settings-notifications", path: "/settings/notifications" },
  { name: "settings-webhooks", path: "/settings/webhooks" },
  { name: "settings-webhook", path: `/settings/webhooks/${of.webhook}` },
  { name: "settings-webhook-off", path: `/settings/webhooks/${of.webhookOff}` },
  { name: "settings-webhook-delete", path: `/settings/webhooks/${of.webhook}/delete` },
  { name: "settings-audit", path: "/settings/audit" },
  { name: "settings-plan", path: "/settings/plan" },
  { name: "account", path: "/dashboard/account" },
  { name: "brand-new", path: "/studio/brands/new" },
  { name: "consent", path: of.consent },
  { name: "join-signed-in", path: of.join },
  ...GUIDE,
];

export const EMPTY: Scene[] = [
  { name: "today", path: "" },
  { name: "calendar", path: "/calendar" },
  { name: "calendar-week", path: "/calendar?view=week" },
  { name: "calendar-list", path: "/calendar?view=list" },
  { name: "create", path: "/create" },
  { name: "insights", path: "/insights" },
  { name: "library", path: "/library" },
  { name: "library-logos", path: "/library?show=logo" },
  { name: "library-cast", path: "/library?show=cast" },
  { name: "series", path: "/series" },
  { name: "series-new", path: "/series/new" },
  { name: "settings-accounts", path: "/settings/accounts" },
  { name: "settings-people", path: "/settings/people" },
  { name: "settings-keys", path: "/settings/keys" },
  { name: "settings-webhooks", path: "/settings/webhooks" },
  { name: "settings-audit", path: "/settings/audit" },
  { name: "settings-plan", path: "/settings/plan" },
];

/** Forms that are refused, and pages of a brand where something has gone wrong. */
export const wrong = (of: TroubledBrand): Scene[] => [
  { name: "today", path: "" },
  { name: "calendar", path: "/calendar" },
  { name: "calendar-list", path: "/calendar?view=list" },
  { name: "post-held", path: `/posts/${of.held}` },
  {
    name: "post-refused",
    path: `/posts/${of.held}`,
    form: { action: `/posts/${of.held}`, fields: { scheduledFor: "2020-01-01T09:00" } },
  },
  { name: "post-publish", path: `/posts/${of.held}/publish` },
  { name: "picture-failed", path: `/pictures/${of.failed}` },
  { name: "create-made", path: `/create/made?ids=${of.failed}` },
  {
    name: "create-no-credits",
    path: "/create",
    form: { action: "/create", fields: { idea: "A harbour at dawn" } },
  },
  { name: "insights-days", path: "/insights?from=2026-11-20&to=2026-11-01" },
  {
    name: "library-no-file",
    path: "/library?show=logo",
    form: { action: "/library" },
  },
  { name: "cast-refused", path: "/cast/new", form: { action: "/cast/new" } },
  { name: "series-refused", path: "/series/new", form: { action: "/series/new" } },
  { name: "settings", path: "/settings", form: { action: "/settings", fields: { name: "" } } },
  { name: "settings-accounts", path: "/settings/accounts" },
  { name: "settings-keys", path: "/settings/keys", form: { action: "/settings/keys" } },
  {
    name: "settings-notifications",
    path: "/settings/notifications",
    form: {
      action: "/settings/notifications",
      fields: { discordWebhookUrl: "https://example.com/hook" },
    },
  },
  {
    name: "settings-webhooks",
    path: "/settings/webhooks",
    form: { action: "/settings/webhooks", fields: { url: "http://localhost/hook" } },
  },
  { name: "settings-plan", path: "/settings/plan" },
  { name: "account", path: "/dashboard/account", form: { action: "/password" } },
  { name: "brand-new", path: "/studio/brands/new", form: { action: "/brands/new" } },
  { name: "not-here", path: "/posts/nothing" },
  { name: "consent", path: "/studio/authorize?client_id=nobody" },
];

/** Without a session: what is refused at the door. */
export const outsideWrong = (links: { setUp: string; join: string }): Scene[] => [
  {
    name: "sign-in",
    path: "/studio",
    form: { action: "/sign-in", fields: { email: "ana@example.com", password: "wrong" } },
  },
  { name: "set-up", path: links.setUp, form: { action: links.setUp } },
  { name: "set-up-over", path: "/studio/set-up/used" },
  {
    name: "join",
    path: links.join,
    form: { action: links.join, fields: { email: "ana@example.com", password: "short" } },
  },
  { name: "join-over", path: "/studio/join/nowhere?invite=used" },
  { name: "session-over", path: "/settings" },
];
