/** `admin account`: passwords from stdin, and sessions that end. */
import { assertEquals, assertMatch } from "@std/assert";
import { admin } from "../support/process.ts";

const EMAIL = ["--email", "owner@example.com"];

/** Only the owner of the process may read what it stores. */
async function modes(dir: string): Promise<Record<string, number>> {
  const found: Record<string, number> = { ".": ((await Deno.stat(dir)).mode ?? 0) & 0o777 };
  for await (const { name } of Deno.readDir(dir)) {
    found[name] = ((await Deno.stat(`${dir}/${name}`)).mode ?? 0) & 0o777;
  }
  return found;
}

Deno.test("passwords come from stdin, and DATA_DIR is the user's alone", async () => {
  const parent = await Deno.makeTempDir({ prefix: "marquee-admin-" });
  const dir = `${parent}/data`;
  const call = (args: string[], stdin?: string) => admin(dir, args, { SECRET_KEY: "" }, stdin);
  const refused = (args: string[], stdin?: string) =>
    call(args, stdin).then(() => "", (error) => String(error.message));
  const stdin = ["--password-stdin"];
  const { id } = await call(["account", "create", ...EMAIL, ...stdin], "correct horse\n");
  for (const mode of Object.entries(await modes(dir))) {
    assertEquals(mode[1], mode[0] === "." ? 0o700 : 0o600, mode[0]);
  }
  const changed = await call(["account", "password", ...stdin, ...EMAIL], "battery staple");
  assertEquals(changed, { id, email: "owner@example.com" });
  assertEquals(await call(["account", "sign-out", ...EMAIL]), changed);
  assertMatch(await refused(["account", "password", ...EMAIL, ...stdin], "short"), /8 characters/);
  assertMatch(await refused(["account", "create", ...EMAIL]), /--password-stdin/);
  const unknown = ["account", "sign-out", "--email", "nobody@example.com"];
  assertMatch(await refused(unknown), /"code":"notFound"/);

  using kv = await Deno.openKv(`${dir}/kv.sqlite3`);
  const { value } = await kv.get<{ password: string; signOuts: number }>(["account", id]);
  assertEquals(value?.signOuts, 2);
  assertMatch(value?.password ?? "", /^scrypt:17:8:1:/);
  await Deno.remove(parent, { recursive: true });
});

Deno.test("a folder that earlier versions left open to others is closed", async () => {
  const dir = await Deno.makeTempDir({ prefix: "marquee-admin-" });
  await Deno.writeTextFile(`${dir}/secret.key`, "a secret that was made before");
  await Deno.chmod(`${dir}/secret.key`, 0o644);
  await Deno.chmod(dir, 0o755);
  await admin(dir, ["brand", "list"], { SECRET_KEY: "" });
  const found = await modes(dir);
  assertEquals([found["."], found["secret.key"], found["kv.sqlite3"]], [0o700, 0o600, 0o600]);
  await Deno.remove(dir, { recursive: true });
});
