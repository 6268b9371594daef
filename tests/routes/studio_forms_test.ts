/** Studio's forms: from an idea to a public post, uploads, keys; and what is refused. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { OverlayTemplate } from "../../domain/media/overlays/shape.ts";
import { auditRows } from "../../domain/kv/audit.ts";
import { cookies, submit, tryToSignIn } from "../support/door.ts";
import { truth } from "../support/series.ts";
import { NOON, testService } from "../support/service.ts";
import { studioPerson } from "../support/studio.ts";
import { furnished } from "../support/studio_brand.ts";

/** The smallest PNG. */
const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

Deno.test("a post is changed, approved, moved and published, and its page says why at each step", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const { person, postId, accountId } = await furnished(t);
  const at = `/posts/${postId}`;
  const fields = {
    caption: "First cup is at six",
    hashtags: "#Harbour coffee",
    scheduledFor: "2026-11-25T10:30",
    socialAccountId: accountId,
    altText: "Boats",
  };
  assertEquals((await person.send(at, fields)).status, 303);
  let page = (await person.open(at)).text;
  for (const words of ["First cup is at six", "#harbour #coffee", "Wed 25 Nov, 10:30", "Boats"]) {
    assertStringIncludes(page, words);
  }
  const hash = /name="hash" value="([^"]+)"/.exec(page)?.[1] ?? "";
  assertEquals((await person.send(`${at}/approve`, { hash })).status, 303);
  page = (await person.open(at)).text;
  assertStringIncludes(page, "Take back the approval");
  assertStringIncludes(page, "Approved by ana@example.com.");
  const stale = await person.send(`${at}/publish`, { hash: "0".repeat(hash.length) });
  assertEquals(stale.status, 409);
  assertMatch(stale.text, /role="alert"/);
  t.worker.start();
  assertEquals((await person.send(`${at}/publish`, { hash })).status, 303);
  page = (await person.open(at)).text;
  assertStringIncludes(page, "Published");
  assert(!page.includes("Save</button>"), "what is public can't be edited");
  const captions = (await truth(t, "instagram", "harbour", NOON)).map(({ caption }) => caption);
  assertEquals(captions, ["First cup is at six\n\n#harbour #coffee"]);
  const rows = await Array.fromAsync(auditRows(t.service, [person.brand.id]));
  const published = rows.findLast(({ action }) => action.startsWith("item.publish"));
  assertEquals(published?.actor, {
    kind: "account",
    id: person.brand.accountId,
    email: "ana@example.com",
    role: "owner",
  });
});

Deno.test("a refused form says why in words for people and keeps what was typed", async () => {
  await using t = await testService();
  const { person, postId } = await furnished(t);
  const refused = async (path: string, fields: Record<string, string>) => {
    const { status, text } = await person.send(path, fields);
    assertEquals(status, 400, path);
    assertMatch(text, /<title>Error: /);
    return text;
  };
  const past = { caption: "Kept words", scheduledFor: "2020-01-01T10:00" };
  const post = await refused(`/posts/${postId}`, past);
  assertStringIncludes(post, "Time must not be before now");
  assertStringIncludes(post, "Kept words</textarea>");
  const series = await refused("/series/new", { mode: "manual", name: "Kept", cadenceDays: "x" });
  assertStringIncludes(series, 'value="Kept"');
  assertStringIncludes(await refused("/settings/keys", { name: "site" }), "What it may do: choose");
  assertStringIncludes(await refused("/calendar/chosen", { verb: "skip" }), "choose at least one");
});

Deno.test("a layout is chosen from small pictures of the brand's own words and picture", async () => {
  await using t = await testService();
  const { person, pictureId, postId } = await furnished(t);
  const small = (page: string) =>
    [...page.matchAll(/<img src="([^"]+\/layouts\/small\.jpg[^"]*)"/g)].map(([, at]) =>
      at!.replaceAll("&amp;", "&")
    );
  const page = (await person.open(`/posts/${postId}`)).text;
  const addresses = small(page);
  assertEquals(addresses.length, OverlayTemplate.options.length);
  assertEquals(page.match(/type="radio" name="template"/g)?.length, addresses.length + 1);
  const sharp = await loadSharp();
  const seen = new Set<string>();
  for (const address of addresses) {
    assertStringIncludes(address, pictureId);
    const { status, headers, bytes } = await person.take(address);
    assertEquals([status, headers.get("content-type")], [200, "image/jpeg"]);
    assertMatch(headers.get("cache-control") ?? "", /^private, max-age=\d+$/);
    const { width, height } = await sharp(bytes).metadata();
    assertEquals([width, height], [270, 338]);
    seen.add(headers.get("etag") ?? "");
  }
  assertEquals(seen.size, addresses.length, "no two look alike");
  const [first = ""] = addresses;
  const { headers } = await person.take(first);
  const again = await person.take(first, { "if-none-match": headers.get("etag") ?? "" });
  assertEquals([again.status, again.bytes.length], [304, 0]);

  const typed = new URLSearchParams({ overlayText: "Doors at seven", template: "eventDate" });
  const part = (await person.open(`/layouts?picture=${pictureId}&${typed}`)).text;
  assert(small(part).every((address) => address.includes("Doors+at+seven")), "they follow");
  assertMatch(part, /value="eventDate" checked/);
  assertEquals((await person.open("/layouts/small.jpg?template=none")).status, 404);
  const others = await studioPerson(t, { email: "eve@example.com" });
  const plain = await others.take(`/layouts/small.jpg?template=textOnly&picture=none`);
  const foreign = await others.take(`/layouts/small.jpg?template=textOnly&picture=${pictureId}`);
  assertEquals(foreign.bytes, plain.bytes, "another brand's picture is not shown");

  const printed = { template: "eventDate", overlayText: "12 Dec\r\nWine evening" };
  assertEquals((await person.send(`/pictures/${pictureId}/text`, printed)).status, 303);
  const after = (await person.open(`/pictures/${pictureId}`)).text;
  assertMatch(after, /value="eventDate" checked/);
  assertStringIncludes(after, "12 Dec\nWine evening</textarea>");
});

Deno.test("logos are uploaded, one is made primary, and another kind of file is refused", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const upload = (name: string, bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData();
    form.set("kind", "logo");
    form.append("files", new File([bytes], name, { type: "image/png" }));
    return person.send("/library", form);
  };
  for (const name of ["anchor.png", "boat.png"]) {
    assertEquals((await upload(name, PNG)).status, 303);
  }
  const page = (await person.open("/library?show=logo")).text;
  assertStringIncludes(page, "boat");
  assertEquals(page.match(/Primary/g)?.length, 1);
  const make = /action="([^"]+\/primary)"/.exec(page)?.[1] ?? "";
  assertEquals((await person.send(make)).status, 303);
  const after = (await person.open("/library?show=logo")).text;
  assert(!after.includes(make), "the other one is primary now");
  const text = await upload("notes.png", new TextEncoder().encode("no picture"));
  assertEquals(text.status, 400);
  assertMatch(text.text, /role="alert"/);
});

Deno.test("a key made in Studio is shown once, works, and stops when revoked there", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const made = await person.send("/settings/keys", { name: "site", scopes: "postsRead" });
  const secret = /mq_[0-9A-Za-z]{49}/.exec(made.text)?.[0] ?? "";
  assertEquals((await t.call(secret, "/v1/posts")).status, 200);
  const page = (await person.open("/settings/keys")).text;
  assert(!page.includes(secret));
  assertStringIncludes(page, secret.slice(0, 8));
  const revoke = /action="([^"]+\/revoke)"/.exec(page)?.[1] ?? "";
  assertEquals((await person.send(revoke)).status, 303);
  assertEquals((await t.call(secret, "/v1/posts")).status, 401);
});

Deno.test("every form refuses pages of other sites, and people spend no quota of programs", async () => {
  await using t = await testService();
  const { person, postId, pictureId, seriesId } = await furnished(t);
  const forms = ["/create", "/library", "/settings", "/settings/keys", "/calendar/chosen"];
  const of = [`/posts/${postId}/publish`, `/pictures/${pictureId}/delete`, `/series/${seriesId}`];
  for (const path of [...forms, ...of, "/studio/brands/new"]) {
    const foreign = await person.send(path, {}, { origin: "https://evil.example" });
    assertEquals(foreign.status, 403, path);
  }
  assertStringIncludes((await person.open("/settings/plan")).text, "0 of 250,000 requests");
});

Deno.test("a session that ends in the middle of a form loses no text", async () => {
  await using t = await testService();
  const person = await studioPerson(t);
  const browser = cookies(
    await tryToSignIn(t, "correct horse", { email: "ana@example.com" }),
  );
  const mark = browser.headers.cookie.split("; ").find((one) => one.startsWith("marquee_browser"));
  const headers = { cookie: mark ?? "" };
  const path = person.at("/settings");
  const kit = { name: "Harbour", baseStylePrompt: "Soft <light>", discordWebhookUrl: "" };
  const lost = await submit(t, path, kit, { headers });
  assertEquals(lost.status, 401);
  const page = await lost.text();
  const value = (name: string) =>
    (new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "")
      .replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  const signIn = {
    email: "ana@example.com",
    password: "correct horse",
    next: value("next"),
    kept: value("kept"),
  };
  const back = await submit(t, "/dashboard/sign-in", signIn, { headers });
  assertEquals(back.status, 200);
  const kept = await back.text();
  assertStringIncludes(kept, "Soft &lt;light&gt;");
  assertStringIncludes(kept, `action="${path}"`);
  const elsewhere = { ...signIn, next: "https://evil.example/", kept: "[]" };
  const stays = await (await submit(t, "/dashboard/sign-in", elsewhere, { headers })).text();
  assert(!stays.includes("evil.example"));
});

Deno.test("pictures arrive with what can be done with them, and publishing asks before", async () => {
  await using t = await testService({ environ: { SANDBOX: "on" } });
  const { person, accountId } = await furnished(t);
  assertStringIncludes((await person.open("/create")).text, "4 for 4 credits");
  const { next } = await person.send("/create", { idea: "Boats", variants: "2" });
  const waiting = (await person.open(next)).text;
  const looks = [...waiting.matchAll(/hx-get="([^"]+\/tile\?verbs=yes)"/g)].map(([, at]) =>
    at ?? ""
  );
  assertEquals(looks.length, 2);
  assert(!waiting.includes(">Schedule<"));
  await t.worker.drain();
  const [look = ""] = looks;
  const tile = (await person.open(look)).text;
  for (const words of [">Schedule<", "Download", "More like this"]) {
    assertStringIncludes(tile, words);
  }
  assert(!tile.includes("hx-get"), "it looks no more");
  const id = /\/pictures\/(\w+)\/tile/.exec(look)?.[1] ?? "";
  const sent = await person.send(`/pictures/${id}/schedule`, {
    ...{
      socialAccountId: accountId,
      scheduledFor: "2026-11-24T10:00",
      caption: "Boats",
      now: "yes",
    },
  });
  assertMatch(sent.next, /\/posts\/\w+\/publish$/);
  assertStringIncludes((await person.open(sent.next)).text, "Publish this now?");
  const post = (await person.open(sent.next.replace(/\/publish$/, ""))).text;
  assertMatch(post, /name="needsApproval"[^>]*checked|Approve/);
});

Deno.test("a cast card shows the look, all photos, and where the person appears", async () => {
  await using t = await testService();
  const { person, memberId, accountId } = await furnished(t);
  const before = (await person.open("/library?show=cast")).text;
  assertStringIncludes(before, "Red scarf");
  assertStringIncludes(before, "Not used lately.");
  const recipe = {
    ...{ mode: "manual", name: "Mia's mornings", theme: "Coffee", format: "post" },
    ...{ cadenceDays: "2", hourUtc: "9", aspectRatio: "portrait" },
    ...{ socialAccountId: accountId, castMemberId: memberId },
  };
  const { next } = await person.send("/series/new", recipe);
  await person.send("/create", { idea: "Mia pours", castMemberId: memberId, variants: "1" });
  await t.worker.drain();
  const after = (await person.open("/library?show=cast")).text;
  assertStringIncludes(after, next.slice(next.indexOf("/series/")));
  assertStringIncludes(after, "1 picture lately");
  assertStringIncludes(after, 'aria-label="Picture of Mia: Mia pours"');
});
