/** LinkedIn's versions end after a year, and a person's Pages come in pages. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { HOUR } from "../../domain/foundation/calendar.ts";
import { signInFor } from "../../domain/platforms/connectors/connectors.ts";
import { linkedInVersionEnd } from "../../domain/platforms/connectors/linkedin/version.ts";
import { operatorNotes } from "../../domain/platforms/operator_notes.ts";
import { publishPost } from "../../domain/platforms/publish.ts";
import { connectHandle } from "../../domain/platforms/sandbox/handles.ts";
import { Discord } from "../support/discord.ts";
import { rehearse } from "../support/rehearsal.ts";
import { NOON } from "../support/service.ts";

Deno.test("a version that is over is one alert, a line in /healthz, and ends with a newer one", async () => {
  await using discord = new Discord();
  const environ = { ALLOW_PRIVATE_HOSTS: discord.host, LINKEDIN_API_VERSION: "202509" };
  await using r = await rehearse({ environ });
  await r.t.call(r.brand.secret, "/v1/brand-kit", {
    method: "PUT",
    body: { baseStylePrompt: "", discordWebhookUrl: discord.url },
  });
  const health = async () => await (await r.t.request(null, "/healthz")).json();
  assert(!("operator" in await health()));
  const accounts = [await r.connect("linkedin", "one"), await r.connect("linkedin", "two")];
  for (let pass = 0; pass < 3; pass++) {
    assertEquals((await r.pass())["failed"], 2);
    r.t.turn(HOUR);
  }
  const outcome = await publishPost(r.service, await r.attempt(accounts[0]!));
  assertEquals(outcome.state, "later");
  await r.t.worker.drain();
  assertEquals(discord.posted.length, 1);
  for (const account of accounts) {
    const { status, error } = await r.again(account);
    assertEquals(status, "connected");
    assertStringIncludes(error!, "Requested version 202509 is not active");
    assertStringIncludes(error!, "operator");
  }
  assertEquals(r.logged.split('"event":"platform.versionOver"').length, 2);
  const { operator } = await health();
  assertEquals(operator.length, 1);
  assertStringIncludes(operator[0], "Set LINKEDIN_API_VERSION to a newer version.");

  Object.assign(r.service.settings, { LINKEDIN_API_VERSION: "202609" });
  assert(!("operator" in await health()));
  assertEquals((await r.pass())["failed"], 0);
  assertEquals((await r.again(accounts[0]!)).error, null);
});

Deno.test("the end of a version is told before it comes, where there is a LinkedIn application", async () => {
  assertEquals(new Date(linkedInVersionEnd("202609")).toISOString(), "2027-09-15T00:00:00.000Z");
  const environ = { LINKEDIN_CLIENT_ID: "a", LINKEDIN_CLIENT_SECRET: "b" };
  await using r = await rehearse({ environ });
  assertEquals(await operatorNotes(r.service), []);
  r.t.turnTo("2027-08-05T00:00:00Z");
  assertEquals(await operatorNotes(r.service), [
    "LINKEDIN_API_VERSION 202609 ends on 2027-09-15. Set a newer version.",
  ]);
  r.t.turnTo("2027-09-16T00:00:00Z");
  assertStringIncludes((await operatorNotes(r.service))[0]!, "ended on 2027-09-15");
});

Deno.test("every Page that a person administers is found, however many there are", async () => {
  await using r = await rehearse();
  for (
    const [handle, pages] of [["alone", 1], ["group-of-12", 12], ["group-of-230", 230]] as const
  ) {
    const grant = await connectHandle(r.service.kv, r.service.now, "linkedin", handle);
    const found = await signInFor(r.service, "linkedin", false).identify({
      access: grant.accessToken,
      issuedAt: NOON,
      accessExpiresAt: null,
      refresh: null,
      refreshExpiresAt: null,
    });
    assertEquals(new Set(found.map(({ identity }) => identity.externalId)).size, pages);
    assertEquals(found.at(-1)!.identity.externalId, grant.externalId);
    assertEquals(found.at(-1)!.identity.handle, handle);
  }
});
