/** A new platform: the compiler names each file that must decide for it, and no other file decides. */
import { assert, assertEquals } from "@std/assert";
import { textLimitsOf } from "../../domain/platforms/contract/limits.ts";
import { AccountKind, TRAITS } from "../../domain/platforms/contract/traits.ts";
import { Platform } from "../../domain/posts/shape.ts";

const ROOT = new URL("../..", import.meta.url);
const SOURCES = ["domain", "routes", "jobs", "mcp"];
const FOURTH = "threads";

/** Files that decide by platform. Each of them does so where the compiler demands every platform. */
const DECIDING = [
  "domain/platforms/connectors/connectors.ts",
  "domain/platforms/contract/traits.ts",
  "domain/platforms/disconnect.ts",
  "domain/platforms/sandbox/growth.ts",
  "domain/platforms/sandbox/handles.ts",
  "domain/platforms/sandbox/ids.ts",
  "domain/platforms/sandbox/tokens.ts",
  "domain/platforms/sandbox/traits.ts",
  "domain/platforms/sandbox_account.ts",
  "domain/posts/shape.ts",
  "domain/service/running.ts",
  "jobs/demo/brand.ts",
  "routes/sandbox/routes.ts",
];

const NAMES = Platform.options.join("|");
/** Code of one platform alone: its connector, and its side of the sandbox. */
const OWN_FOLDER = new RegExp(`/(?:connectors|sandbox)/(?:${NAMES})/`);
/** A platform's name as a value or as a key; words in prose don't decide anything. */
const NAMED = new RegExp(`"(?:${NAMES})"|^\\s*(?:${NAMES}):`, "m");

async function* sources(folder: URL): AsyncGenerator<URL> {
  for await (const entry of Deno.readDir(folder)) {
    const url = new URL(entry.name + (entry.isDirectory ? "/" : ""), folder);
    if (entry.isDirectory) yield* sources(url);
    else yield url;
  }
}

const pathOf = (file: URL): string => file.pathname.slice(ROOT.pathname.length);

/** Copies the sources to `folder`, where `Platform` has a fourth name. */
async function copyWithFourth(folder: string): Promise<void> {
  for (const name of ["deno.json", "deno.lock"]) {
    await Deno.copyFile(new URL(name, ROOT), `${folder}/${name}`);
  }
  for (const source of SOURCES) {
    for await (const file of sources(new URL(`${source}/`, ROOT))) {
      const target = `${folder}/${pathOf(file)}`;
      await Deno.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true });
      await Deno.copyFile(file, target);
    }
  }
  const shape = `${folder}/domain/posts/shape.ts`;
  const text = await Deno.readTextFile(shape);
  const before = `z.enum(${JSON.stringify(Platform.options).replaceAll(",", ", ")})`;
  assert(text.includes(before), "the enum of platforms is not where it was");
  await Deno.writeTextFile(shape, text.replace(before, `${before.slice(0, -2)}, "${FOURTH}"])`));
}

Deno.test("the compiler names each file that must decide for a fourth platform", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "marquee-fourth-" }));
  try {
    await copyWithFourth(folder);
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", ...SOURCES],
      cwd: folder,
      env: { NO_COLOR: "1" },
      stdout: "null",
    }).output();
    const report = new TextDecoder().decode(stderr);
    assert(!success, "nothing has to decide for a fourth platform");
    const places = [...report.matchAll(/^\s*at file:\/\/(\S+?):\d+:\d+$/gm)]
      .map(([, path = ""]) => path.slice(folder.length + 1));
    assertEquals([...new Set(places)].sort(), DECIDING, report);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("no file decides by a platform's name where the compiler would not name it", async () => {
  const naming: string[] = [];
  for (const source of SOURCES) {
    for await (const file of sources(new URL(`${source}/`, ROOT))) {
      if (!/\.tsx?$/.test(file.pathname) || OWN_FOLDER.test(file.pathname)) continue;
      if (NAMED.test(await Deno.readTextFile(file))) naming.push(pathOf(file));
    }
  }
  // It forms the names of settings from every platform's name, and so holds none of them.
  const byEveryName = ["domain/service/running.ts"];
  assertEquals(naming.sort(), DECIDING.filter((path) => !byEveryName.includes(path)));
});

Deno.test("every kind of account belongs to exactly one platform, and every platform has one", () => {
  const kinds = Platform.options.flatMap((platform) => Object.keys(TRAITS[platform].kinds));
  assertEquals(kinds.sort(), [...AccountKind.options].sort());
  for (const platform of Platform.options) {
    assert(Object.keys(TRAITS[platform].kinds).length > 0, platform);
  }
});

Deno.test("a caption for an unknown platform fits every platform that takes posts", () => {
  const strictest = textLimitsOf(null);
  for (const platform of Platform.options) {
    const { publishing } = TRAITS[platform];
    if ("refusal" in publishing) assertEquals(textLimitsOf(platform), strictest);
    else assert(strictest.characters <= publishing.text.characters, platform);
  }
  assertEquals(strictest.characters, 2_200);
});
