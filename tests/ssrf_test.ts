/** The guarded fetch: no address that a user gives leads into a private network. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import manifest from "../deno.json" with { type: "json" };
import { ServiceError } from "../domain/errors.ts";
import { guardedFetch, type GuardOptions } from "../domain/net/fetch_public.ts";
import { haveShared, needsShared, picture, sharedFile } from "./pictures.ts";
import { testService } from "./service.ts";

const LIMITS = { maxBytes: 1_000_000, field: "sourceUrl" };
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

/** The refusal's code and words. */
async function refused(url: string, options: Partial<GuardOptions> = {}): Promise<string> {
  const get = guardedFetch({ allowed: [], ...options });
  const error = await assertRejects(() => get(url, LIMITS), ServiceError);
  return `${error.code} ${error.message}`;
}

/** A local HTTP server with the guard that may reach it, and how many requests it saw. */
function origin(answer: (request: Request) => Response | Promise<Response>) {
  let requests = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    requests++;
    return answer(request);
  });
  const host = `127.0.0.1:${server.addr.port}`;
  return {
    host,
    url: `http://${host}/`,
    seen: () => requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** A local server that sends `text` as it stands, then ends the connection or leaves it open. */
function rawOrigin(text: string, then: "end" | "hang") {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const open: Deno.Conn[] = [];
  let heard = "";
  const done = (async () => {
    for await (const connection of listener) {
      open.push(connection);
      const head = new Uint8Array(8_192);
      heard += new TextDecoder("latin1").decode(head.subarray(0, await connection.read(head) ?? 0));
      await connection.write(new TextEncoder().encode(text));
      if (then === "end") connection.closeWrite();
    }
  })();
  return {
    host: `127.0.0.1:${listener.addr.port}`,
    heard: () => heard,
    async [Symbol.asyncDispose]() {
      listener.close();
      await done;
      for (const connection of open) connection.close();
    },
  };
}

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
  name: "a name that stands for any special address is refused without a connection",
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
  name: "a public address passes the guard, in IPv4, IPv6 and through NAT64",
  permissions: { net: false },
  async fn() {
    for (const address of ["93.184.216.34", "2606:2800:220:1::1", "64:ff9b::93.184.216.34"]) {
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

Deno.test("a redirect into private space is refused, and nothing connects there", async () => {
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

Deno.test("three redirects are followed, a fourth or a loop is refused", async () => {
  await using hops = origin((request) => {
    const left = Number(new URL(request.url).pathname.slice(1));
    if (left === 0) return new Response("here");
    return new Response(null, { status: 302, headers: { location: `/${left - 1}` } });
  });
  const get = guardedFetch({ allowed: [hops.host] });
  assertEquals(new TextDecoder().decode(await get(`${hops.url}3`, LIMITS)), "here");
  const allowed = [hops.host];
  assertStringIncludes(await refused(`${hops.url}4`, { allowed }), "validationError");
  const location = "/again";
  await using loop = origin(() => new Response(null, { status: 302, headers: { location } }));
  assertStringIncludes(await refused(loop.url, { allowed: [loop.host] }), "more than 3 times");
  assertEquals(loop.seen(), 4);
});

Deno.test("a name is resolved once: what it stands for later changes nothing", async () => {
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

Deno.test("over https the name is asked for and checked, not the address", async () => {
  await using server = rawOrigin("", "end");
  const port = server.host.split(":")[1];
  const words = await refused(`https://pictures.test:${port}/a.jpg`, {
    allowed: [`pictures.test:${port}`],
    resolve: () => Promise.resolve(["127.0.0.1"]),
  });
  assertStringIncludes(words, "serviceUnavailable");
  assertStringIncludes(server.heard(), "pictures.test");
});

Deno.test("a host's next address is tried when the first takes no connection", async () => {
  await using server = origin(() => new Response("here"));
  const port = new URL(server.url).port;
  const get = guardedFetch({
    allowed: [`two.test:${port}`],
    resolve: () => Promise.resolve(["127.0.0.9", "127.0.0.1"]),
  });
  assertEquals((await get(`http://two.test:${port}/`, LIMITS)).length, 4);
});

Deno.test("what the source refuses is the caller's to mend, what it fails at is not", async () => {
  for (
    const [status, code] of [
      [404, "validation"],
      [403, "validation"],
      [204, "validation"],
      [
        304,
        "validation",
      ],
      [500, "serviceUn"],
      [503, "serviceUn"],
    ] as const
  ) {
    await using server = origin(() => new Response(null, { status }));
    assertStringIncludes(await refused(server.url, { allowed: [server.host] }), code);
  }
  const closed = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  closed.close();
  const host = `127.0.0.1:${closed.addr.port}`;
  assertStringIncludes(await refused(`http://${host}`, { allowed: [host] }), "serviceUnavailable");
});

Deno.test("an answer that is cut, garbled or never comes is the host's failure", async () => {
  const patience = { connectMs: 1_000, wholeMs: 200 };
  const answers = [
    ["HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc", "end"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n", "end"],
    ["hello", "end"],
    ["", "end"],
    ["", "hang"],
    ["HTTP/1.1 200 OK\r\n", "hang"],
    ["HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc", "hang"],
    [`HTTP/1.1 200 OK\r\nX: ${"a".repeat(1_000_000)}\r\n\r\n`, "hang"],
  ] as const;
  for (const [text, then] of answers) {
    await using server = rawOrigin(text, then);
    const words = await refused(`http://${server.host}/`, { allowed: [server.host], patience });
    assertStringIncludes(words, "serviceUnavailable", text.slice(0, 80));
  }
});

Deno.test("a host that never completes its handshake is given up after the time to connect", async () => {
  await using server = rawOrigin("", "hang");
  const patience = { connectMs: 100, wholeMs: 60_000 };
  const words = await refused(`https://${server.host}/`, { allowed: [server.host], patience });
  assertStringIncludes(words, "serviceUnavailable");
});

Deno.test("a file beyond the limit is refused, announced or streamed", async () => {
  await using announced = origin(() => new Response(new Uint8Array(1_000_001)));
  let sent = 0;
  await using streamed = origin(() =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sent++;
          controller.enqueue(new Uint8Array(100_000));
        },
      }),
    )
  );
  for (const server of [announced, streamed]) {
    const words = await refused(server.url, { allowed: [server.host] });
    assertStringIncludes(words, "validationError sourceUrl: leads to a file of more than");
  }
  assert(sent < 500, `an endless answer was read for ${sent} chunks`);
});

Deno.test("an asset comes from a public address; a source that fails leaves nothing behind", async () => {
  const bytes = await picture("png", 30, 20);
  let body: BodyInit = "<html>no picture</html>";
  let status = 200;
  await using server = origin(() => new Response(body, { status }));
  await using t = await testService({ environ: { ALLOW_PRIVATE_HOSTS: server.host } });
  const { secret } = await t.brand();
  const create = async (sourceUrl: string) => {
    const input = { kind: "inspiration", name: "From there", sourceUrl };
    return await t.call(secret, "/v1/assets", { method: "POST", body: input });
  };
  assertEquals((await create(server.url)).status, 400);
  assertEquals((await create("http://127.0.0.1:1/")).status, 400);
  status = 502;
  const failed = await create(server.url);
  assertEquals([failed.status, failed.headers.get("retry-after")], [503, "5"]);
  assertEquals(await (await t.call(secret, "/v1/assets")).json(), { data: [] });
  status = 200;
  body = bytes;
  const created = await create(server.url);
  const asset = await created.json();
  assertEquals([created.status, asset.contentType, asset.width], [201, "image/png", 30]);
});

Deno.test("the tasks deny the process what no one has a reason to reach", async () => {
  for (const task of ["dev", "start", "admin"] as const) {
    const denied = /--deny-net=[^\s']+/.exec(manifest.tasks[task])?.[0];
    assert(denied !== undefined, `${task} denies nothing`);
    const program = `
      for (const host of ["169.254.169.254", "100.100.100.200", "192.0.0.192", "[fd00:ec2::254]"]) {
        await fetch("http://" + host).catch((error) => console.log(error.name));
      }
      await fetch("http://127.0.0.1:9").catch((error) => console.log(error.name));
      Deno.listen({ port: 0, hostname: "0.0.0.0" }).close();
      console.log("listens");
    `;
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "--no-config", "--no-prompt", "--allow-net", denied, "-"],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(program));
    await writer.close();
    const { stdout } = await child.output();
    const lines = new TextDecoder().decode(stdout).trim().split("\n");
    assertEquals(lines, [...Array(4).fill("NotCapable"), "TypeError", "listens"]);
  }
});
