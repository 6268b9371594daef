/** The permissions of the tasks: enough for the whole service, and not more than it needs. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import manifest from "../../deno.json" with { type: "json" };
import { ENVIRON_NAMES } from "../../domain/foundation/settings.ts";
import { BODY } from "../support/creations.ts";
import { picture } from "../support/pictures.ts";
import { startProcess } from "../support/process.ts";
import { taskFlags } from "../support/task_flags.ts";
import type { Json } from "../support/json.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const JSON_TYPE = { "content-type": "application/json" };

/** What is read or set from the environment, but not as a setting. */
const BESIDE_SETTINGS = [
  "DENO_KV_ACCESS_TOKEN", // by Deno, for KV_URL
  "FONTCONFIG_FILE", // set for the library that draws text
  "INIT_CWD", // by `admin`: the folder from which the task was called
];

/** A folder of the test's own, gone when it ends. */
async function folder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ prefix: "marquee-test-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** What a program prints that runs in the project's folder with the given flags. */
async function run(flags: string[], program: string): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", ...flags, `data:text/javascript,${encodeURIComponent(program)}`],
    cwd: ROOT,
    env: { SOME_PASSWORD: "hidden" },
    stderr: "inherit",
  });
  return new TextDecoder().decode((await child.output()).stdout);
}

Deno.test("the tasks permit the environment's names that the service reads, and no others", () => {
  const flag = taskFlags("start", "data").find((word) => word.startsWith("--allow-env"));
  const permitted = flag?.split("=")[1]?.split(",") ?? [];
  assertEquals(permitted.toSorted(), [...ENVIRON_NAMES, ...BESIDE_SETTINGS].toSorted());
});

Deno.test("dev and start may do the same; admin may also read and write what its caller names", () => {
  const start = taskFlags("start", "data");
  assertEquals(taskFlags("dev", "data"), start);
  assertEquals(taskFlags("admin", "data"), [...start, "--allow-read=/", "--allow-write=/"]);
  for (const name of ["read", "write", "ffi", "env"]) {
    assert(!start.includes(`--allow-${name}`), `${name} is permitted without limits`);
  }
  assert(!start.some((word) => /^--allow-(?:all|run|import)|^-A/.test(word)));
});

Deno.test("under the tasks' flags, a real service serves posts, takes an upload in and paints", async () => {
  await using dir = await folder();
  await using service = await startProcess({ dataDir: dir.path, mode: "dev" });
  const secret = await printedKey(() => service.printed);
  const headers = { authorization: `Bearer ${secret}`, ...JSON_TYPE };
  const ask = async (path: string, sent?: unknown): Promise<Json> => {
    const init = sent === undefined ? {} : { method: "POST", body: JSON.stringify(sent) };
    const answer = await fetch(service.url + path, { headers, ...init });
    assert(answer.ok, `${path}: ${answer.status}`);
    return await answer.json();
  };
  assertEquals((await ask("/v1/posts?sort=views&perPage=3")).data.length, 3);

  const bytes = await picture();
  const upload = { kind: "inspiration", name: "A", contentType: "image/jpeg", size: bytes.length };
  const { key, url, uploadUrl } = await ask("/v1/assets/uploads", upload);
  const sent = { method: "PUT", headers: { "content-type": "image/jpeg" }, body: bytes };
  await (await fetch(uploadUrl, sent)).body?.cancel();
  assertMatch((await ask("/v1/assets", { key, url })).id, /^ast_/);

  const overlay = { template: "quoteCard", text: "Good morning" };
  const { id } = await ask("/v1/creations", { ...BODY, overlay });
  const creation = await ask(`/v1/creations/${id}?wait=60`);
  assertEquals([creation.status, creation.error], ["complete", null]);
  const image = new Uint8Array(await (await fetch(creation.url)).arrayBuffer());
  assertEquals([...image.subarray(0, 2)], [0xff, 0xd8], "no JPEG");
});

Deno.test("under the tasks' flags, other files, libraries and variables are out of reach", async () => {
  await using dir = await folder();
  const outside = `${dir.path}-outside`;
  const program = `
    const tries = {
      shadow: () => Deno.readTextFile("/etc/shadow"),
      passwd: () => Deno.readTextFile("/etc/passwd"),
      list: () => Array.fromAsync(Deno.readDir("/")),
      outside: () => Deno.writeTextFile(${JSON.stringify(outside)}, "x"),
      project: () => Deno.writeTextFile("main.ts", "x"),
      library: () => Deno.dlopen("libc.so.6", {}),
      run: () => new Deno.Command("true").output(),
      inside: () => Deno.writeTextFile(${JSON.stringify(`${dir.path}/x`)}, "x"),
    };
    const outcomes = { variable: Deno.env.get("SOME_PASSWORD") ?? null };
    for (const [name, attempt] of Object.entries(tries)) {
      outcomes[name] = await Promise.try(attempt).then(() => "done", (error) => error.name);
    }
    console.log(JSON.stringify(outcomes));`;
  const refused = ["shadow", "passwd", "list", "outside", "project", "library", "run"];
  assertEquals(JSON.parse(await run(taskFlags("start", dir.path), program)), {
    variable: null,
    ...Object.fromEntries(refused.map((name) => [name, "NotCapable"])),
    inside: "done",
  });
});

Deno.test("the task finds its folders by itself: DATA_DIR unset, relative, absolute, a link", async () => {
  await using dir = await folder();
  const { command } = manifest.tasks.limited;
  // The same shell text, in an empty project of its own.
  const tasks = { limited: command, show: "deno task --quiet limited show.ts" };
  await Deno.writeTextFile(`${dir.path}/deno.json`, JSON.stringify({ tasks }));
  await Deno.mkdir(`${dir.path}/jobs`);
  await Deno.copyFile(`${ROOT}/jobs/permitted.ts`, `${dir.path}/jobs/permitted.ts`);
  await Deno.mkdir(`${dir.path}/elsewhere`);
  await Deno.symlink(`${dir.path}/elsewhere`, `${dir.path}/link`);
  const program =
    `const { state } = await Deno.permissions.query({ name: "ffi", path: Deno.args[0] });
    await Deno.mkdir(Deno.env.get("DATA_DIR"), { recursive: true });
    await Deno.writeTextFile(Deno.env.get("DATA_DIR") + "/x", "");
    (await Deno.open(Deno.env.get("DATA_DIR") + "/x")).close();
    console.log(Deno.env.get("DATA_DIR"), state);`;
  await Deno.writeTextFile(`${dir.path}/show.ts`, program);
  const cases = {
    "": "cache",
    "some where": "cache",
    [`${dir.path}/a`]: `${dir.path}/cache`,
    // Links: some of Deno's calls check the name, others what it leads to.
    link: "link",
  };
  for (const [dataDir, cache] of Object.entries(cases)) {
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["task", "--quiet", "show", `${cache}/npm/library.node`],
      cwd: dir.path,
      env: { DATA_DIR: dataDir, DENO_DIR: cache },
    }).output();
    const printed = new TextDecoder().decode(stdout).trim();
    assertEquals(printed, `${dataDir || "./.data"} granted`, new TextDecoder().decode(stderr));
  }
});

Deno.test("a folder with a comma, which Deno's flags would split, is refused and nothing is made", async () => {
  await using dir = await folder();
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "dev"],
    cwd: ROOT,
    env: { DATA_DIR: `${dir.path}/a,b` },
  }).output();
  assertMatch(new TextDecoder().decode(stderr), /^Cannot use setting DATA_DIR: .* comma/m);
  assertEquals([code, await Array.fromAsync(Deno.readDir(dir.path))], [1, []]);
});

async function printedKey(printed: () => string): Promise<string> {
  for (;;) {
    const [key] = /mq_[0-9A-Za-z]{49}/.exec(printed()) ?? [];
    if (key !== undefined) return key;
    await new Promise((done) => setTimeout(done, 20));
  }
}
