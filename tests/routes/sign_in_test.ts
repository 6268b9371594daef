/** Signing in: who is held back after wrong tries, and who never is. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Passwords } from "../../domain/brands/passwords.ts";
import { cookies, OWNER, owner, submit, tryToSignIn } from "../support/door.ts";
import { QUICK, type TestService, testService } from "../support/service.ts";

const STRANGER = "203.0.113.9";
const MOST = 20;

async function guess(t: TestService, times: number, address = STRANGER): Promise<Response> {
  let last = await tryToSignIn(t, "guess", { address });
  for (let n = 1; n < times; n++) last = await tryToSignIn(t, "guess", { address });
  return last;
}

Deno.test("20 wrong tries in 5 minutes hold a network back, whatever email it tries, and nobody else", async () => {
  await using t = await testService();
  await owner(t);
  assertEquals((await guess(t, MOST)).status, 401);
  for (const email of [OWNER.email, "other@example.com"]) {
    const held = await tryToSignIn(t, OWNER.password, { address: STRANGER, email });
    assertEquals(held.status, 429);
    assertEquals(held.headers.get("retry-after"), "300");
    assertStringIncludes(await held.text(), "Too many failed sign-ins. Try again in 5 minutes.");
  }
  assertEquals((await tryToSignIn(t, OWNER.password)).status, 303, "from another network");
  t.turn(5 * 60_000);
  assertEquals((await tryToSignIn(t, OWNER.password, { address: STRANGER })).status, 303);
});

Deno.test("a client's whole IPv6 /64 counts as one", async () => {
  await using t = await testService();
  await owner(t);
  for (let n = 0; n < MOST; n++) await guess(t, 1, `2001:db8:1:2::${n}`);
  assertEquals((await guess(t, 1, "2001:db8:1:2:ffff::1")).status, 429);
  assertEquals((await guess(t, 1, "2001:db8:1:3::1")).status, 401);
});

Deno.test("a browser that has signed in before passes where strangers are held back", async () => {
  await using t = await testService();
  await owner(t);
  const known = cookies(await tryToSignIn(t, OWNER.password, { address: STRANGER }));
  await guess(t, MOST);
  assertEquals((await tryToSignIn(t, OWNER.password, { address: STRANGER })).status, 429);
  const from = { address: STRANGER, ...known };
  assertEquals((await tryToSignIn(t, "guess", from)).status, 401);
  assertEquals((await tryToSignIn(t, OWNER.password, from)).status, 303);
  const other = { ...from, email: "other@example.com" };
  assertEquals((await tryToSignIn(t, "guess", other)).status, 429, "for its own account only");
  const cookie = known.headers.cookie.replace(/(marquee_browser=\w+\.)\w/, "$1x");
  const forged = { address: STRANGER, headers: { cookie } };
  assertEquals((await tryToSignIn(t, OWNER.password, forged)).status, 429, "forged");
  for (let n = 1; n < MOST; n++) await tryToSignIn(t, "guess", from);
  assertEquals((await tryToSignIn(t, "guess", from)).status, 429, "its own tries count");
});

Deno.test("a person who signs in again and again is never held back", async () => {
  await using t = await testService();
  await owner(t);
  for (let n = 0; n < MOST + 5; n++) {
    const answer = await tryToSignIn(t, OWNER.password, { email: "OWNER@example.com" });
    assertEquals(answer.status, 303);
  }
});

Deno.test("with TRUST_PROXY the rightmost address that is no proxy's counts; without it the socket's", async () => {
  const proxy = "10.0.0.2";
  const from = (forwarded: string) => ({
    address: proxy,
    headers: { "x-forwarded-for": forwarded },
  });
  const tries = async (t: TestService) => {
    await owner(t);
    for (let n = 0; n < MOST; n++) {
      await tryToSignIn(t, "guess", from(`192.0.2.${n}, ${STRANGER}, 10.0.0.1`));
    }
    return [
      (await tryToSignIn(t, OWNER.password, from(`192.0.2.99, ${STRANGER}`))).status,
      (await tryToSignIn(t, OWNER.password, from(`${STRANGER}, 192.0.2.99`))).status,
    ];
  };
  await using trusting = await testService({ environ: { TRUST_PROXY: "on" } });
  assertEquals(await tries(trusting), [429, 303]);
  await using careful = await testService();
  assertEquals(await tries(careful), [429, 429]);
});

/** Hashes that end when the test says so, once it holds them. */
class HeldPasswords extends Passwords {
  readonly waiting: (() => void)[] = [];
  holds = false;

  constructor() {
    super(QUICK);
  }

  override async check(password: string, stored: string | null) {
    if (this.holds) await new Promise<void>((go) => this.waiting.push(go));
    return await super.check(password, stored);
  }

  /** Lets all of them end, also those that begin meanwhile. */
  release(): void {
    this.holds = false;
    for (const go of this.waiting) go();
  }
}

/** Sends the tries at once; waits until all but `held` of them have their answers. */
async function flooded(tries: Promise<Response>[], held: number) {
  const statuses: number[] = [];
  const ended = tries.map(async (one) => void statuses.push((await one).status));
  while (statuses.length < tries.length - held) await new Promise((done) => setTimeout(done, 1));
  return { statuses, ended };
}

Deno.test("of 600 strangers at once few are hashed, the others get 503, and the owner passes them", async () => {
  const passwords = new HeldPasswords();
  await using t = await testService({ dependencies: { passwords } });
  await owner(t);
  const known = cookies(await tryToSignIn(t, OWNER.password));
  passwords.holds = true;
  const tries = Array.from({ length: 600 }, (_, n) =>
    tryToSignIn(t, "guess", {
      address: `203.0.${n >> 8}.${n & 255}`,
      email: n % 2 === 0 ? OWNER.email : `x${n}@example.com`,
    }));
  const { statuses, ended } = await flooded(tries, 5);
  assertEquals(new Set(statuses), new Set([503]));
  assertEquals(passwords.waiting.length, 1, "one stranger at a time");
  const busy = await tryToSignIn(t, OWNER.password);
  assertEquals([busy.status, busy.headers.get("retry-after")], [503, "3"]);
  const mine = tryToSignIn(t, OWNER.password, known);
  while (passwords.waiting.length < 2) await new Promise((done) => setTimeout(done, 1));
  passwords.waiting[1]!();
  assertEquals((await mine).status, 303, "while all strangers still wait");
  passwords.release();
  await Promise.all(ended);
  assertEquals(statuses.slice(595), Array(5).fill(401));
});

Deno.test("one network takes one place in the queue, so it can't keep other strangers out", async () => {
  const passwords = new HeldPasswords();
  await using t = await testService({ dependencies: { passwords } });
  await owner(t);
  passwords.holds = true;
  const tries = Array.from({ length: 100 }, () => tryToSignIn(t, "guess", { address: STRANGER }));
  const { statuses, ended } = await flooded(tries, 2);
  assertEquals(new Set(statuses), new Set([503]));
  const mine = tryToSignIn(t, OWNER.password);
  passwords.release();
  assertEquals((await mine).status, 303);
  await Promise.all(ended);
});

Deno.test("a held-back stranger's form is not even read", async () => {
  await using t = await testService();
  await owner(t);
  await guess(t, MOST + 1);
  const never = new ReadableStream({ pull: () => new Promise(() => {}) });
  const remoteAddr: Deno.NetAddr = { transport: "tcp", hostname: STRANGER, port: 1 };
  const answer = await t.app.request("/dashboard/sign-in", { method: "POST", body: never }, {
    info: { remoteAddr },
  });
  assertEquals(answer.status, 429);
});

Deno.test("a changed password ends all other sessions, and the old password no longer works", async () => {
  await using t = await testService();
  await owner(t);
  const [here, there] = [
    cookies(await tryToSignIn(t, OWNER.password)),
    cookies(await tryToSignIn(t, OWNER.password)),
  ];
  const isIn = async (browser: { headers: { cookie: string } }) =>
    (await t.request(null, "/dashboard/account", browser)).status === 200;
  assert(await isIn(here) && await isIn(there));
  const change = (currentPassword: string, newPassword: string) =>
    submit(t, "/dashboard/account/password", { currentPassword, newPassword }, here);
  const wrong = await change("guess", "battery staple");
  assertEquals(wrong.status, 400);
  assertStringIncludes(await wrong.text(), "Current password is not the account&#39;s");
  assertEquals((await change(OWNER.password, "short")).status, 400);
  assert(await isIn(there));
  const changed = await change(OWNER.password, "battery staple");
  assertEquals(changed.status, 303);
  assert(await isIn(cookies(changed)));
  assert(!await isIn(there) && !await isIn(here));
  assertEquals((await tryToSignIn(t, OWNER.password)).status, 401);
  assertEquals((await tryToSignIn(t, "battery staple")).status, 303);
});

Deno.test("signing out everywhere ends every session", async () => {
  await using t = await testService();
  await owner(t);
  const [here, there] = [
    cookies(await tryToSignIn(t, OWNER.password)),
    cookies(await tryToSignIn(t, OWNER.password)),
  ];
  await submit(t, "/dashboard/account/sign-out-everywhere", {}, here);
  for (const browser of [here, there]) {
    assertEquals((await t.request(null, "/dashboard/account", browser)).status, 303);
  }
});

Deno.test("with https the cookies have a prefix, and pages tell browsers to stay with https", async () => {
  for (
    const [BASE_URL, prefix] of [
      ["https://marquee.example", "__Host-"],
      ["https://marquee.example/tools", "__Secure-"],
    ] as const
  ) {
    await using t = await testService({ environ: { BASE_URL, SANDBOX: "off" } });
    await owner(t);
    const answer = await tryToSignIn(t, OWNER.password);
    const set = answer.headers.getSetCookie();
    assertEquals(set.length, 2);
    for (const one of set) {
      assert(one.startsWith(`${prefix}marquee_`) && one.includes("; Secure"), one);
    }
    const page = await t.request(null, "/dashboard/account", cookies(answer));
    assertEquals(page.status, 200);
    for (const path of ["/dashboard", "/docs", "/connect/instagram"]) {
      const { headers } = await t.request(null, path);
      assertEquals(headers.get("strict-transport-security"), "max-age=31536000", path);
    }
  }
  await using t = await testService();
  const { headers } = await t.request(null, "/dashboard");
  assertEquals(headers.get("strict-transport-security"), null);
});
