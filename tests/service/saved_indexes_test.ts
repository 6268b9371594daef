/** Files of saved indexes: whatever is wrong with them, posts are answered; nobody else reads them; they leave. */
import { assert, assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../domain/foundation/calendar.ts";
import { createSecrets } from "../../domain/foundation/secrets.ts";
import { deleteBrand } from "../../domain/operations/brands/delete.ts";
import { exportBrand } from "../../domain/operations/brands/export.ts";
import { PostIndexes } from "../../domain/posts/index/indexes.ts";
import { savedKey } from "../../domain/posts/index/saved.ts";
import { upsertPosts } from "../../domain/posts/upsert.ts";
import { backUp } from "../../domain/service/backup.ts";
import type { Service } from "../../domain/service/service.ts";
import { madePosts } from "../support/corpus.ts";
import { questions } from "../support/posts_model.ts";
import { agree, privateFiles, reading, rowOf, save, SMALL } from "../support/saved_index.ts";
import { type TestService, testService } from "../support/service.ts";

const POSTS = madePosts(600);
const BLOCKS = Math.ceil(POSTS.length / SMALL.blockPosts);

async function brandOf(t: TestService): Promise<string> {
  const { brand } = await t.brand();
  await upsertPosts(t.service, brand.id, POSTS);
  return brand.id;
}

/** A new process answers right from the list, and saves the index again. */
async function listsAndSaves(t: TestService, brandId: string, name: string): Promise<void> {
  const cold = reading(t.service);
  const list = new PostIndexes(t.service.kv, t.service.now);
  await agree([cold.posts, list], brandId, questions(POSTS), 10);
  assert(cold.reads() >= POSTS.length, `${name}: ${cold.reads()} values were read`);
  await cold.files.idle();
  assert(cold.logged.includes("index.saved"), `${name}: ${cold.logged}`);
  const again = reading(t.service);
  await again.posts.of(brandId);
  assert(again.reads() < 10, name);
}

Deno.test("files that are missing, cut off, changed, exchanged or of another format are ignored", async () => {
  await using t = await testService();
  const brandId = await brandOf(t);
  const { kv } = t.service;
  const rewrite = async (path: string, change: (bytes: Uint8Array) => Uint8Array) =>
    await Deno.writeFile(path, change(await Deno.readFile(path)));
  const damages: Record<string, (files: string[]) => Promise<unknown>> = {
    missing: ([, second]) => Deno.remove(second!),
    "cut off": ([first]) => rewrite(first!, (bytes) => bytes.subarray(0, bytes.length - 1)),
    empty: ([first]) => Deno.writeFile(first!, new Uint8Array()),
    "one bit changed": ([, second]) =>
      rewrite(second!, (bytes) => bytes.with(bytes.length >> 1, bytes[bytes.length >> 1]! ^ 1)),
    "in another order": async ([first, second]) => {
      const [one, other] = [await Deno.readFile(first!), await Deno.readFile(second!)];
      await Deno.writeFile(first!, other);
      await Deno.writeFile(second!, one);
    },
    "another format": async () => {
      const row = await rowOf(t.service, brandId);
      await kv.set(savedKey(brandId), { ...row, saved: { ...row!.saved, format: 0 } });
    },
    "said to be of another version": async () => {
      const row = await rowOf(t.service, brandId);
      await kv.set(savedKey(brandId), { ...row, saved: { ...row!.saved, version: 1 } });
    },
  };
  await save(t.service, brandId);
  for (const [name, damage] of Object.entries(damages)) {
    const { name: saved } = (await rowOf(t.service, brandId))!.saved!;
    const files = (await privateFiles(t.service)).filter((path) => path.includes(saved));
    assertEquals(files.length, BLOCKS);
    await damage(files);
    await listsAndSaves(t, brandId, name);
  }
});

Deno.test("another secret opens nothing, the one before still does", async () => {
  await using t = await testService();
  const brandId = await brandOf(t);
  await save(t.service, brandId);
  const secret = "another secret, for tests only and long enough";
  const both = await createSecrets(secret, t.service.settings.SECRET_KEY);
  const rotated = reading(t.service, { secrets: both });
  await rotated.posts.of(brandId);
  assert(rotated.reads() < 10);
  const strange = reading(t.service, { secrets: await createSecrets(secret) });
  await strange.posts.of(brandId);
  await strange.files.idle();
  assert(strange.reads() > POSTS.length);
  assertEquals(strange.logged, ["index.unusable", "index.saved"]);
});

Deno.test("on a full disk posts are answered, nothing is left, and it is saved once there is room", async () => {
  await using t = await testService();
  const brandId = await brandOf(t);
  const { storage } = t.service;
  let puts = 0;
  const full: Service["storage"] = Object.assign(Object.create(storage), {
    put: (...input: Parameters<typeof storage.put>) =>
      ++puts === 3 ? Promise.reject(new Error("No space left on device")) : storage.put(...input),
  });
  const process = reading(t.service, { storage: full });
  const read = async () => {
    assertEquals((await process.posts.of(brandId)).size, POSTS.length);
    await process.files.idle();
  };
  await read();
  assertEquals([process.logged, await privateFiles(t.service)], [["index.unsaved"], []]);
  t.turn(MINUTE);
  await read();
  assertEquals(puts, 3, "it is not tried again at once");
  t.turn(HOUR);
  await read();
  assertEquals(process.logged, ["index.unsaved", "index.saved"]);
});

Deno.test("an image store that does not answer is not waited for, and the index stays saved", async () => {
  await using t = await testService();
  const brandId = await brandOf(t);
  await save(t.service, brandId);
  const { storage } = t.service;
  const away: Service["storage"] = Object.assign(Object.create(storage), {
    get: () => new Promise(() => {}),
  });
  const cold = reading(t.service, { storage: away });
  assertEquals((await cold.posts.of(brandId)).size, POSTS.length);
  await cold.files.idle();
  assertEquals(cold.logged, ["index.unusable"]);
});

Deno.test("kill -9 while an index is saved costs nothing: posts are answered, the files are swept", async () => {
  const dir = await Deno.makeTempDir({ prefix: "marquee-test-" });
  const kv = await Deno.openKv(`${dir}/kv.sqlite3`);
  {
    await using t = await testService({ kv, environ: { DATA_DIR: dir } });
    const brandId = await brandOf(t);
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...[
          "run",
          "-A",
          "--no-check",
          new URL("../support/saving_child.ts", import.meta.url).pathname,
        ],
        ...[brandId, t.service.now(), SMALL.leastPosts, SMALL.blockPosts].map(String),
      ],
      env: { DATA_DIR: dir, SECRET_KEY: "a secret for tests only, and long enough" },
      stdout: "piped",
    }).spawn();
    let said = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += text;
      if (said.includes("3")) break;
    }
    child.kill("SIGKILL");
    await child.status;
    assertEquals((await privateFiles(t.service)).length, 3);
    assertEquals((await rowOf(t.service, brandId))?.saved, null);

    const cold = reading(t.service);
    const list = new PostIndexes(t.service.kv, t.service.now);
    await agree([cold.posts, list], brandId, questions(POSTS), 10);
    await cold.files.idle();
    assertEquals(cold.logged, [], "it may still be writing");
    t.turn(20 * MINUTE);
    await cold.posts.of(brandId);
    await cold.files.idle();
    assertEquals(cold.logged, ["index.saved"]);
    assertEquals((await privateFiles(t.service)).length, 3 + BLOCKS);
    t.turn(HOUR);
    await t.worker.drain();
    const { name } = (await rowOf(t.service, brandId))!.saved!;
    const left = await privateFiles(t.service);
    assert(left.length === BLOCKS && left.every((path) => path.includes(name)));
  }
  await Deno.remove(dir, { recursive: true });
});

Deno.test("an index that is saved again takes the place of the former, whose files are swept", async () => {
  await using t = await testService();
  const brandId = await brandOf(t);
  const process = await save(t.service, brandId);
  const before = await privateFiles(t.service);
  await upsertPosts(t.service, brandId, [{ ...POSTS[0]!, caption: "New" }]);
  t.turn(20 * MINUTE);
  await process.posts.of(brandId);
  await process.files.idle();
  assertEquals((await privateFiles(t.service)).length, 2 * BLOCKS, "somebody may be reading it");
  t.turn(HOUR);
  await t.worker.drain();
  const after = await privateFiles(t.service);
  assertEquals([after.length, after.filter((path) => before.includes(path))], [BLOCKS, []]);
  assertEquals(await t.service.jobs.list(), []);
});

Deno.test("nobody is served a private file, and without the secret it tells nothing", async () => {
  await using t = await testService();
  const brandId = await brandOf(t);
  await save(t.service, brandId);
  const [path] = await privateFiles(t.service);
  const name = path!.slice(path!.lastIndexOf("/") + 1);
  const paths = [
    "media/.private/",
    "media/private/",
    "private/",
    "media/..%2F.private/",
    ".private/",
  ];
  for (const folder of paths) {
    const { status } = await t.app.request(`/${folder}${name}`);
    assertEquals(status, 404, folder);
  }
  for (const key of [`private/${name}`, `media/.private/${name}`]) {
    assertEquals(await t.service.storage.local!.open(key), null);
  }
  const text = new TextDecoder("latin1").decode(await Deno.readFile(path!));
  for (const told of ["coffee", "example.com", "instagram", brandId]) assert(!text.includes(told));
});

Deno.test("a deleted brand leaves no saved index, not even one that was just being saved", async () => {
  await using t = await testService();
  const [brandId, busyId] = [await brandOf(t), await brandOf(t)];
  await save(t.service, brandId);
  const { files } = await deleteBrand(t.service, brandId);
  assertEquals([files, await privateFiles(t.service)], [BLOCKS, []]);
  const { storage } = t.service;
  let puts = 0;
  const slow: Service["storage"] = Object.assign(Object.create(storage), {
    put: async (...input: Parameters<typeof storage.put>) => {
      if (++puts === 2) await deleteBrand(t.service, busyId);
      await storage.put(...input);
    },
  });
  const process = reading(t.service, { storage: slow });
  await process.posts.of(busyId);
  await process.files.idle();
  assertEquals([process.logged, await privateFiles(t.service)], [["index.unsaved"], []]);
  assertEquals(await rowOf(t.service, busyId), null);
});

Deno.test("backups and exports leave saved indexes out, and a restored store does without", async () => {
  const dir = await Deno.makeTempDir({ prefix: "marquee-test-" });
  const kv = await Deno.openKv(`${dir}/kv.sqlite3`);
  {
    await using t = await testService({ kv, environ: { DATA_DIR: dir } });
    const brandId = await brandOf(t);
    await save(t.service, brandId);
    const { images, missing } = await backUp(t.service, `${dir}/backup`);
    assertEquals([images, missing], [0, 0]);
    const report = await exportBrand(t.service, brandId, `${dir}/brand.tar.gz`);
    assertEquals([report.images, report.posts], [0, POSTS.length]);
    await Deno.remove(`${dir}/media/.private`, { recursive: true });
    await listsAndSaves(t, brandId, "restored");
  }
  await Deno.remove(dir, { recursive: true });
});
