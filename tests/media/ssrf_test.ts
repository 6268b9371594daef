/** The guarded fetch: no user's address leads into a private network. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { guardedFetch } from "../../domain/media/net/fetch_public.ts";
import { LIMITS, origin, rawOrigin, refused } from "../support/origins.ts";
import { haveShared, needsShared, sharedFile } from "../support/pictures.ts";
import { runProgram } from "../support/process.ts";
import { taskFlags } from "../support/task_flags.ts";

const SPECIAL = [
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.1",
  "198.18.0.1",
  "203.0.113.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "64:ff9b::127.0.0.1",
  "64:ff9b::93.184.216.34",
  "168.63.129.16",
  "::ffff:168.63.129.16",
  "64:ff9b:1::8.8.8.8",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "3fff::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fec0::1",
  "ff02::1",
  "no address",
];

Deno.test({
  name: "every hostile address is refused without a connection" + needsShared,
  ignore: !haveShared,
  // Without the permission, an attempt to connect would fail as the host's fault, not the caller's.
  permissions: { net: false, read: true },
  async fn(t) {
    const inside = { resolve: () => Promise.resolve(["127.0.0.1"]) };
    const text = new TextDecoder().decode(await sharedFile("security/ssrf_must_reject.tsv"));
    for (const line of text.split("\n").filter((line) => line !== "")) {
      const url = line.slice(line.indexOf("\t") + 1);
      await t.step(line, async () => {
        assertStringIncludes(await refused(url, inside), "validationError sourceUrl: ");
      });
    }
  },
});

Deno.test({
  name: "a name that resolves to a special address is refused without a connection",
  permissions: { net: false },
  async fn() {
    for (const address of SPECIAL) {
      for (const addresses of [[address], ["8.8.8.8", address]]) {
        const resolve = () => Promise.resolve(addresses);
        const words = await refused("https://pictures.test/a.jpg", { resolve });
        assertStringIncludes(words, "validationError", addresses.join());
      }
    }
  },
});

Deno.test({
  name: "a public address passes the guard, in IPv4 and IPv6",
  permissions: { net: false },
  async fn() {
    for (const address of ["93.184.216.34", "2606:2800:220:1::1"]) {
      const resolve = () => Promise.resolve([address]);
      assertStringIncludes(await refused("http://a.test", { resolve }), "serviceUnavailable");
    }
  },
});

Deno.test("user names, passwords, other schemes and unknown names are refused", async () => {
  const resolve = () => Promise.reject(new Error("no such name"));
  assertStringIncludes(await refused("http://u:p@example.com/"), "user name or password");
  assertStringIncludes(await refused("http://u@example.com/"), "user name or password");
  assertStringIncludes(await refused("data:image/png;base64,AA"), "http or https");
  assertStringIncludes(await refused("//example.com/a"), "http or https");
  assertStringIncludes(
    await refused("http://nowhere.test", { resolve }),
    "validationError sourceUrl: names a host that does not resolve",
  );
});

Deno.test("a redirect to a private address is refused without a connection", async () => {
  await using inner = origin(() => new Response("secret"));
  const targets = [
    inner.url,
    "http://169.254.169.254/latest/",
    "file:///etc/passwd",
    "http://[::1]/",
  ];
  for (const location of targets) {
    for (const status of [301, 302, 303, 307, 308]) {
      await using outer = origin(() => new Response(null, { status, headers: { location } }));
      assertStringIncludes(await refused(outer.url, { allowed: [outer.host] }), "validationError");
      assertEquals(outer.seen(), 1);
    }
  }
  assertEquals(inner.seen(), 0);
});

Deno.test("a name is resolved once, so a later change of its address has no effect", async () => {
  await using good = origin((request) => new Response(request.headers.get("host")));
  const port = new URL(good.url).port;
  const answers = [["127.0.0.1"], ["127.0.0.2"]];
  const get = guardedFetch({
    allowed: [`rebind.test:${port}`],
    resolve: () => Promise.resolve(answers.shift()!),
  });
  const host = `rebind.test:${port}`;
  assertEquals(new TextDecoder().decode(await get(`http://${host}/`, LIMITS)), host);
  assertEquals([good.seen(), answers.length], [1, 1]);
});

Deno.test("https requests and checks the certificate of the name, not of the address", async () => {
  await using server = rawOrigin("", "end");
  const port = server.host.split(":")[1];
  const words = await refused(`https://pictures.test:${port}/a.jpg`, {
    allowed: [`pictures.test:${port}`],
    resolve: () => Promise.resolve(["127.0.0.1"]),
  });
  assertStringIncludes(words, "serviceUnavailable");
  assertStringIncludes(server.heard(), "pictures.test");
});

Deno.test("the tasks deny network addresses that no process needs", async () => {
  for (const task of ["dev", "start", "admin"] as const) {
    const denied = taskFlags(task, ".").filter((flag) => flag.startsWith("--deny-net="));
    assertEquals(denied.length, 1, `${task} denies nothing`);
    const program = `
      for (const host of ["169.254.169.254", "100.100.100.200", "192.0.0.192", "[fd00:ec2::254]"]) {
        await fetch("http://" + host).catch((error) => console.log(error.name));
      }
      await fetch("http://127.0.0.1:9").catch((error) => console.log(error.name));
      Deno.listen({ port: 0, hostname: "0.0.0.0" }).close();
      console.log("listens");
    `;
    const flags = ["--no-config", "--no-prompt", "--allow-net", ...denied];
    const lines = (await runProgram(flags, program)).trim().split("\n");
    assertEquals(lines, [...Array(4).fill("NotCapable"), "TypeError", "listens"]);
  }
});
