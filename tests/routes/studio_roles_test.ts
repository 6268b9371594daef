/** Each role × each form of Studio: what a role does not include is not shown and not done. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Role } from "../../domain/brands/roles.ts";
import { colleague } from "../support/colleagues.ts";
import { testService } from "../support/service.ts";
import { studioPerson } from "../support/studio.ts";
import { type Furnished, furnished } from "../support/studio_brand.ts";

/** Form → roles that may send it. Everything that posts to a brand is here. */
const FORMS = (f: Furnished): Record<string, Role[]> => {
  const makes: Role[] = ["owner", "editor"];
  const releases: Role[] = ["owner", "approver"];
  const owns: Role[] = ["owner"];
  const post = `/posts/${f.postId}`;
  const picture = `/pictures/${f.pictureId}`;
  const series = `/series/${f.seriesId}`;
  const webhook = `/settings/webhooks/${f.webhookId}`;
  return {
    "/create": makes,
    "/create/prompt": makes,
    "/library": makes,
    "/library/ast_1/primary": makes,
    "/library/ast_1/delete": makes,
    "/cast/new": makes,
    [`/cast/${f.memberId}`]: makes,
    [`/cast/${f.memberId}/delete`]: makes,
    [`${picture}/schedule`]: makes,
    [`${picture}/text`]: makes,
    [`${picture}/retry`]: makes,
    [`${picture}/delete`]: makes,
    [post]: makes,
    [`${post}/move`]: makes,
    [`${post}/caption`]: makes,
    [`${post}/words`]: makes,
    [`${post}/regenerate`]: makes,
    [`${post}/generate`]: makes,
    [`${post}/pictures`]: makes,
    [`${post}/skip`]: makes,
    [`${post}/approve`]: releases,
    [`${post}/unapprove`]: releases,
    [`${post}/publish`]: releases,
    "/calendar/chosen": ["owner", "editor", "approver"],
    "/series/new": makes,
    "/series/preview": makes,
    [`${series}/change`]: makes,
    [`${series}/pause`]: makes,
    [`${series}/resume`]: makes,
    [`${series}/review`]: makes,
    [`${series}/reviews/rev_1`]: makes,
    [`${series}/delete`]: makes,
    "/settings": makes,
    "/settings/notifications": makes,
    "/settings/people": owns,
    "/settings/people/acc_1/role": owns,
    "/settings/people/acc_1/remove": owns,
    "/settings/invites/x/withdraw": owns,
    "/settings/keys": owns,
    "/settings/keys/key_1/revoke": owns,
    "/settings/webhooks": makes,
    [webhook]: makes,
    [`${webhook}/pause`]: makes,
    [`${webhook}/resume`]: makes,
    [`${webhook}/test`]: makes,
    [`${webhook}/rotate`]: makes,
    [`${webhook}/replay`]: makes,
    [`${webhook}/deliveries/dlv_1/replay`]: makes,
    [`${webhook}/delete`]: makes,
    [`/settings/accounts/${f.accountId}/disconnect`]: owns,
    "/settings/people/leave": [...Role.options],
  };
};

const PAGES = (f: Furnished): string[] => [
  ...["", "/calendar", "/calendar?view=list", "/create", "/library", "/library?show=logo"],
  ...["/library?show=cast", "/cast/new", `/cast/${f.memberId}`, "/series", "/series/new"],
  ...[
    `/pictures/${f.pictureId}`,
    `/posts/${f.postId}`,
    `/posts/${f.postId}/move`,
    `/posts/${f.postId}/skip`,
  ],
  ...[`/posts/${f.postId}/publish`, `/series/${f.seriesId}`, `/series/${f.seriesId}/change`],
  ...[`/series/${f.autopilotId}`, "/settings", "/settings/people", "/settings/people/leave"],
  ...["/settings/accounts", `/settings/accounts/${f.accountId}/disconnect`, "/settings/keys"],
  `/published/${f.publishedId}`,
  ...["/settings/plan", "/settings/notifications", "/settings/audit", "/insights"],
  ...["/settings/webhooks", `/settings/webhooks/${f.webhookId}`],
  `/settings/webhooks/${f.webhookId}/delete`,
];

/** A form's path with its ids taken out, so that one form is one name. */
const shapeOf = (path: string): string =>
  path.replaceAll(/\/(?:\w{3}_\w+|[0-9a-f]{64}|x)/g, "/:id");

Deno.test("each role sees only its own forms, and the service refuses it all others", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const f = await furnished(t);
  const forms = Object.entries(FORMS(f));
  const seen = new Set<string>();
  for (const role of Role.options) {
    const person = await colleague(t, f.person, role);
    const allowed = forms.filter(([, roles]) => roles.includes(role)).map(([path]) =>
      shapeOf(path)
    );
    for (const page of PAGES(f)) {
      const { status, text } = await person.open(page);
      assert(status === 200 || status === 403, `${role} ${page}: ${status}`);
      for (const [, path = ""] of text.matchAll(/(?:action|formaction|hx-post)="([^"]+)"/g)) {
        if (!path.startsWith(`/studio/${f.person.brand.id}/`)) continue;
        const shape = shapeOf(path.slice(`/studio/${f.person.brand.id}`.length));
        // Filters only look.
        if (["/calendar", "/insights"].includes(shape)) continue;
        assert(allowed.includes(shape), `${role} sees ${shape} on ${page}`);
        seen.add(shape);
      }
      for (const [, path = ""] of text.matchAll(/ href="([^"#]+)"/g)) {
        if (!path.startsWith(person.at("/"))) continue;
        const { status: led } = await person.open(path);
        assertEquals(led, 200, `${role} is led from ${page} to ${path}`);
      }
    }
    for (const [path, roles] of forms) {
      if (roles.includes(role)) continue;
      const { status, text } = await person.send(path);
      assertEquals(status, 403, `${role} ${path}`);
      assertStringIncludes(text, `Your role here is ${role}`);
    }
  }
  assert(seen.size > 20, `only ${seen.size} forms were seen`);
});

Deno.test("every form of a brand is in the table above, and refuses other sites and other people", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const f = await furnished(t);
  const known = new Set(Object.keys(FORMS(f)).map(shapeOf));
  const routes = await studioForms(t);
  for (const path of routes) assert(known.has(path), `${path} has no row`);
  assert(routes.length > 30);
  const stranger = await studioPerson(t, { email: "mallory@example.com" });
  for (const path of Object.keys(FORMS(f))) {
    const foreign = await f.person.send(path, {}, { origin: "https://evil.example" });
    assertEquals(foreign.status, 403, path);
    assertStringIncludes(foreign.text, "Only the service's own pages");
    assertEquals((await stranger.send(f.person.at(path))).status, 404, path);
  }
});

async function studioForms(t: Awaited<ReturnType<typeof testService>>): Promise<string[]> {
  const { studioRoutes } = await import("../../routes/studio/routes.tsx");
  const own = studioRoutes(t.service).routes.filter(({ method }) => method === "POST");
  return own.map(({ path }) => path).filter((path) => path.startsWith("/studio/:brand"))
    .map((path) => path.slice("/studio/:brand".length).replaceAll(/:\w+/g, ":id"));
}
