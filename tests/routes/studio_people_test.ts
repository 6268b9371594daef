/** People of a brand: invitations, roles, leaving; what an editor makes waits for approval. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { auditRows } from "../../domain/kv/audit.ts";
import { HOUR } from "../../domain/foundation/calendar.ts";
import { colleague, invitation, sessionIn } from "../support/colleagues.ts";
import { cookies, submit, tryToSignIn } from "../support/door.ts";
import { testService } from "../support/service.ts";
import { StudioPerson, studioPerson } from "../support/studio.ts";
import { furnished } from "../support/studio_brand.ts";

const PASSWORD = "correct horse";

Deno.test("an invitation is shown once, works once, and makes an account with its role", async () => {
  await using t = await testService();
  const owner = await studioPerson(t);
  const path = await invitation(owner, "viewer");
  const people = await owner.open("/settings/people");
  assert(!people.text.includes("invite="), "the link is not shown again");
  assertStringIncludes(people.text, "Open invitations");
  const page = await (await t.request(null, path)).text();
  assertStringIncludes(page, "Join Harbour Coffee");
  assertMatch(page, /invited as <b>viewer<\/b>/);
  const weak = await submit(t, path, { email: "vi@example.com", password: "short" });
  assertEquals(weak.status, 400);
  assertStringIncludes(await weak.text(), 'value="vi@example.com"');
  const joined = await submit(t, path, { email: "vi@example.com", password: PASSWORD });
  assertEquals(joined.headers.get("location"), `/studio/${owner.brand.id}`);
  const viewer = new StudioPerson(t, owner.brand, sessionIn(joined));
  const today = await viewer.open("");
  assertEquals(today.status, 200);
  assertStringIncludes(today.text, "Viewer here");
  const again = await submit(t, path, { email: "mallory@example.com", password: PASSWORD });
  assertEquals(again.status, 403);
  assertStringIncludes(await again.text(), "This invitation is over");
  assertEquals((await t.request(null, path)).status, 403);
  assertEquals((await tryToSignIn(t, PASSWORD, { email: "mallory@example.com" })).status, 401);
});

Deno.test("somebody with an account signs in at the invitation and joins by one button", async () => {
  await using t = await testService();
  const owner = await studioPerson(t);
  const other = await studioPerson(t, { email: "bo@example.com", name: "Kiln" });
  const path = await invitation(owner, "approver");
  const taken = await submit(t, path, { email: "bo@example.com", password: PASSWORD });
  assertEquals(taken.status, 409);
  assertStringIncludes(await taken.text(), "Sign in with it below");
  const fields = { email: "bo@example.com", password: PASSWORD, next: path };
  const signedIn = await submit(t, "/dashboard/sign-in", fields);
  assertEquals(signedIn.headers.get("location"), path);
  const browser = cookies(signedIn);
  const page = await (await t.request(null, path, browser)).text();
  assertStringIncludes(page, "You are signed in as bo@example.com.");
  assertEquals((await submit(t, path, {}, browser)).status, 303);
  const menu = (await other.open("")).text;
  assertStringIncludes(menu, `/studio/${owner.brand.id}"`);
  assertEquals((await other.open(owner.at(""))).status, 200);
  const twice = await submit(t, await invitation(owner, "owner"), {}, browser);
  assertEquals(twice.status, 409);
  assertStringIncludes(await twice.text(), "You are in this brand already, as approver.");
});

Deno.test("an invitation ends after 72 hours, when it is withdrawn, and with the role of its owner", async () => {
  await using t = await testService();
  const owner = await studioPerson(t);
  const second = await colleague(t, owner, "owner");
  const late = await invitation(owner, "viewer");
  t.turn(72 * HOUR - 1);
  assertEquals((await t.request(null, late)).status, 200);
  t.turn(1);
  assertEquals((await t.request(null, late)).status, 403);
  const withdrawn = await invitation(owner, "editor");
  const page = (await owner.open("/settings/people")).text;
  const form = /action="([^"]+\/withdraw)"/.exec(page)?.[1] ?? "";
  assertEquals((await owner.send(form)).status, 303);
  assertEquals((await t.request(null, withdrawn)).status, 403);
  const own = await invitation(second, "owner");
  const id = await idOf(owner, "owner@example.com");
  assertEquals((await owner.send(`/settings/people/${id}/remove`)).status, 303);
  assertEquals((await t.request(null, own)).status, 403, "no way back in");
});

Deno.test("a new role and a removal work at once in an open session, and leave audit rows", async () => {
  await using t = await testService();
  const owner = await studioPerson(t);
  const ed = await colleague(t, owner, "editor");
  const id = await idOf(owner, "editor@example.com");
  assertEquals((await ed.open("/create")).status, 200);
  await owner.send(`/settings/people/${id}/role`, { role: "viewer" });
  const refused = await ed.open("/create");
  assertEquals(refused.status, 403);
  assertStringIncludes(refused.text, "Your role here is viewer");
  assertEquals((await owner.send(`/settings/people/${id}/remove`)).status, 303);
  for (const path of ["", "/settings/people"]) assertEquals((await ed.open(path)).status, 404);
  assertEquals((await ed.send("/settings/people/leave")).status, 404);
  const rows = await Array.fromAsync(auditRows(t.service, [owner.brand.id]));
  const told = rows.filter(({ action }) => action.startsWith("member."))
    .map(({ action, actor, details }) =>
      [action, actor.kind === "account" ? actor.email : null, details?.role].join(" ")
    );
  assertEquals(told, [
    "member.invited ana@example.com editor",
    "member.joined editor@example.com editor",
    "member.changed ana@example.com viewer",
    "member.removed ana@example.com viewer",
  ]);
});

Deno.test("the last owner can't leave; one of two can, and the brand passes to the other", async () => {
  await using t = await testService();
  const owner = await studioPerson(t);
  const id = await idOf(owner, "ana@example.com");
  for (const [path, role] of [["leave", ""], [`${id}/role`, "viewer"], [`${id}/remove`, ""]]) {
    const kept = await owner.send(`/settings/people/${path}`, { role: role ?? "" });
    assertEquals(kept.status, 409, path);
    assertStringIncludes(kept.text, "Make somebody else an owner first");
  }
  const second = await colleague(t, owner, "owner");
  await owner.send("/settings/keys", [["name", "agency"], ["scopes", "brandsWrite"]]);
  const keys = await owner.send("/settings/people/leave");
  assertEquals(keys.status, 409, "the key would reach the next owner's other brands");
  assertStringIncludes(keys.text, "agency");
  const revoke = /action="([^"]+\/revoke)"/.exec((await owner.open("/settings/keys")).text)?.[1];
  await owner.send(revoke ?? "");
  const left = await owner.send("/settings/people/leave");
  assertEquals([left.status, left.next], [303, "/studio"]);
  assertEquals((await owner.open("")).status, 404);
  assertEquals((await second.open("/settings/plan")).status, 200);
  assertEquals((await second.send("/settings/people/leave")).status, 409);
});

Deno.test("of two owners who leave at the same moment, one stays", async () => {
  await using t = await testService();
  const owner = await studioPerson(t);
  const second = await colleague(t, owner, "owner");
  const left = await Promise.all([owner, second].map((one) => one.send("/settings/people/leave")));
  assertEquals(left.map(({ status }) => status).toSorted(), [303, 409]);
  const open = await Promise.all([owner, second].map((one) => one.open("/settings/people")));
  assertEquals(open.map(({ status }) => status).toSorted(), [200, 404]);
  const stayed = open.find(({ status }) => status === 200);
  assertStringIncludes(stayed?.text ?? "", "1 in this brand");
});

Deno.test("an invitation that two people open at once lets one of them in", async () => {
  await using t = await testService();
  const owner = await studioPerson(t);
  const path = await invitation(owner, "editor");
  const joined = await Promise.all(
    ["a@example.com", "b@example.com"].map((email) =>
      submit(t, path, { email, password: PASSWORD })
    ),
  );
  assertEquals(joined.map(({ status }) => status).toSorted(), [303, 403]);
  assertStringIncludes((await owner.open("/settings/people")).text, "2 in this brand");
});

Deno.test("a brand has room for twenty open invitations", async () => {
  await using t = await testService();
  const owner = await studioPerson(t);
  for (let n = 0; n < 20; n++) await invitation(owner, "viewer");
  const full = await owner.send("/settings/people", { role: "viewer" });
  assertEquals(full.status, 409);
  assertStringIncludes(full.text, "20 invitations are open. Withdraw one first.");
});

Deno.test("an owner who was invited makes no key that reaches the other's brands", async () => {
  await using t = await testService();
  const owner = await studioPerson(t);
  const second = await colleague(t, owner, "owner");
  const refused = await second.send("/settings/keys", { name: "x", scopes: "brandsWrite" });
  assertEquals(refused.status, 403);
  assert(!(await second.open("/settings/keys")).text.includes('value="brandsWrite"'));
  assert((await owner.open("/settings/keys")).text.includes('value="brandsWrite"'));
});

Deno.test("what an editor makes waits for approval, however it is scheduled", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const f = await furnished(t);
  const ed = await colleague(t, f.person, "editor");
  const made = await ed.send(`/pictures/${f.pictureId}/schedule`, {
    scheduledFor: "2026-11-26T09:00",
    caption: "Mine",
    socialAccountId: f.accountId,
  });
  const own = (await f.person.open(made.next)).text;
  assertMatch(own, /\/approve"/, "it can't publish itself");
  assertStringIncludes(own, "waits for a person");
  const text = { template: "captionBar", overlayText: "Not approved" };
  const printed = await ed.send(`/pictures/${f.pictureId}/text`, text);
  assertEquals(printed.status, 403, "the owner's post would be published with it");
  assertStringIncludes(printed.text, "in a post that needs no approval");
  const change = {
    caption: "Changed",
    scheduledFor: "2026-11-24T09:00",
    socialAccountId: f.accountId,
  };
  assertEquals((await ed.send(`/posts/${f.postId}`, change)).status, 303);
  assertStringIncludes((await f.person.open(`/posts/${f.postId}`)).text, "waits for a person");
  const allowed = await ed.send(`/pictures/${f.pictureId}/text`, text);
  assertEquals(allowed.status, 303, "both posts wait for approval now");
  const series = await ed.send("/series/new", {
    ...{ mode: "manual", name: "Own", theme: "Tea", format: "post", cadenceDays: "2" },
    ...{ hourUtc: "9", socialAccountId: f.accountId, aspectRatio: "portrait" },
  });
  const page = (await f.person.open(`${series.next}/change`)).text;
  assertMatch(page, /name="needsApproval"[^>]* checked/);
});

Deno.test("only an owner begins and ends the sign-in that connects an account", async () => {
  const app = { INSTAGRAM_CLIENT_ID: "id", INSTAGRAM_CLIENT_SECRET: "secret" };
  await using t = await testService({ environ: { SANDBOX: "on", ...app } });
  const owner = await studioPerson(t);
  const second = await colleague(t, owner, "owner");
  const ed = await colleague(t, owner, "editor");
  const begin = (person: StudioPerson) =>
    t.request(null, `/connect/instagram?brand=${owner.brand.id}`, {
      headers: { cookie: person.cookie },
    });
  const refused = await begin(ed);
  assertEquals(refused.status, 403);
  assertStringIncludes(await refused.text(), "Only owners of the brand connect accounts");
  const begun = await begin(second);
  assertEquals(begun.status, 302);
  await owner.send(`/settings/people/${await idOf(owner, "owner@example.com")}/remove`);
  const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state");
  const back = `/connect/instagram/callback?code=x&state=${state}`;
  const ended = await t.request(null, back, { headers: { cookie: second.cookie } });
  assertEquals(ended.status, 404, "removed meanwhile");
});

/** The account's id, from the owner's own page. */
async function idOf(owner: StudioPerson, email: string): Promise<string> {
  const { text } = await owner.open("/settings/people");
  const found = new RegExp(`people/(acc_\\w+)/role"[^]*?Role of ([^"]+)"`, "g");
  return [...text.matchAll(found)].find(([, , name]) => name === email)?.[1] ?? "";
}
