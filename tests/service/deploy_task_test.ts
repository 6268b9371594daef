/** `deno task deploy`: nothing changes before everything is there; then one command does it all. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import manifest from "../../deno.json" with { type: "json" };
import type { Account } from "../support/deploy_cli.ts";

const ROOT = new URL("../../", import.meta.url);
const SETTINGS = {
  SECRET_KEY: "a secret for tests only, long enough for Deno Deploy",
  S3_BUCKET: "images",
  AWS_ACCESS_KEY_ID: "id",
  AWS_SECRET_ACCESS_KEY: 'quotes " and $ signs',
  BASE_URL: "https://marquee.example",
};
const LOGIN = { DENO_DEPLOY_ORG: "org", DENO_DEPLOY_APP: "marquee", DENO_DEPLOY_TOKEN: "ddo_1" };
const FRESH: Account = { token: "ddo_1", apps: [], variables: [], databases: [], calls: [] };

/** Runs the task for an account, in a folder with a copy of deno.json. */
async function deploy(account: Account, environ: Record<string, string>) {
  const dir = await Deno.makeTempDir({ prefix: "marquee-deploy-" });
  const config = await Deno.readTextFile(new URL("deno.json", ROOT));
  await Deno.writeTextFile(`${dir}/deno.json`, config);
  await Deno.writeTextFile(`${dir}/account`, JSON.stringify(account));
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-lock", "--config", new URL("deno.json", ROOT).pathname]
      .concat(new URL("jobs/deploy.ts", ROOT).href),
    cwd: dir,
    env: {
      DENO_DEPLOY_CLI_SPECIFIER: new URL("tests/support/deploy_cli.ts", ROOT).href,
      DEPLOY_STATE: `${dir}/account`,
      ...environ,
    },
  }).output();
  const after: Account = JSON.parse(await Deno.readTextFile(`${dir}/account`));
  assertEquals(await Deno.readTextFile(`${dir}/deno.json`), config, "deno.json has changed");
  await Deno.remove(dir, { recursive: true });
  const decoder = new TextDecoder();
  return { code, said: decoder.decode(stdout) + decoder.decode(stderr), account: after };
}

Deno.test("the first deployment creates the app, its store and its settings, and deploys", async () => {
  const { code, said, account } = await deploy(FRESH, { ...LOGIN, ...SETTINGS });
  assertEquals(code, 0, said);
  assertEquals(account.apps, ["marquee"]);
  assertEquals(account.databases, [
    { name: "marquee-kv", engine: "denokv", assignments: ["marquee"] },
  ]);
  const sent = account.variables.map(({ key, value }) => [key, value]);
  assertEquals(Object.fromEntries(sent), SETTINGS);
  for (const { contexts } of account.variables) assertEquals(contexts, ["Production"]);
  assertEquals(account.calls.at(-1), "--prod");
  assertMatch(said, /deployed: https:\S+\n$/);
  assert(!said.includes(SETTINGS.SECRET_KEY), "a secret is printed");
});

Deno.test("a later deployment needs no secrets and changes no setting", async () => {
  const first = await deploy(FRESH, { ...LOGIN, ...SETTINGS });
  const before = { ...first.account, calls: [] };
  const { code, said, account } = await deploy(before, LOGIN);
  assertEquals(code, 0, said);
  assertEquals({ ...account, calls: [] }, before);
  assertEquals(account.calls, ["whoami", "env list", "database list", "--prod"]);
});

Deno.test("everything that is missing is said at once, and nothing is changed", async () => {
  const { code, said, account } = await deploy(FRESH, {});
  assertEquals(code, 1);
  const lines = said.trim().split("\n").slice(1);
  const named = [
    "DENO_DEPLOY_ORG",
    "DENO_DEPLOY_APP",
    "DENO_DEPLOY_TOKEN",
    "SECRET_KEY",
    "S3_BUCKET",
    "BASE_URL",
  ];
  assertEquals(lines.length, named.length, said);
  named.forEach((name, index) => assertStringIncludes(lines[index] ?? "", name));
  assertEquals({ ...account, calls: [] }, FRESH);
});

Deno.test("a secret that is too short, or only there for previews, counts as missing", async () => {
  const variables = [{ key: "SECRET_KEY", value: "", contexts: ["Development"] }];
  const { SECRET_KEY: _, ...others } = SETTINGS;
  const cases = [
    { account: FRESH, environ: { ...LOGIN, ...SETTINGS, SECRET_KEY: "short" } },
    { account: { ...FRESH, apps: ["marquee"], variables }, environ: { ...LOGIN, ...others } },
  ];
  for (const { account, environ } of cases) {
    const { code, said } = await deploy(account, environ);
    assertEquals([code, said.trim().split("\n").length], [1, 2], said);
    assertStringIncludes(said, "SECRET_KEY to at least 32 characters");
  }
});

Deno.test("deno.json tells Deploy what to run", async () => {
  const { type, entrypoint } = manifest.deploy.runtime;
  assertEquals(type, "dynamic");
  assert((await Deno.stat(new URL(entrypoint, ROOT))).isFile);
});
