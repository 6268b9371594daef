/** The look of a brand reaches its pictures: colours from the kit, and colours for the kit from the logo. */
import { assertEquals } from "@std/assert";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { png } from "../support/overlaid.ts";
import { post, read } from "../support/creations.ts";
import { testService } from "../support/service.ts";
import { add, put, start } from "../support/uploads.ts";
import type { TestService } from "../support/service.ts";

const OVERLAY = { template: "captionBar", text: "Autumn menu" };

Deno.test("an overlay is printed in the kit's colours, and again in other ones when they change", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const dye = async (colors: string[] | null) => {
    const body = { baseStylePrompt: "", discordWebhookUrl: null, colors };
    assertEquals((await t.call(secret, "/v1/brand-kit", { method: "PUT", body })).status, 200);
  };
  await dye(["#0b3d91"]);
  const { creation: { id } } = await post(t, secret, { overlay: OVERLAY });
  await t.worker.drain();
  assertNear(await cornerOf(t, secret, id), [0x0b, 0x3d, 0x91]);
  await dye(["#8a1c3d"]);
  const print = { method: "POST", body: { overlay: OVERLAY } };
  assertEquals((await t.call(secret, `/v1/creations/${id}/overlay`, print)).status, 200);
  assertNear(await cornerOf(t, secret, id), [0x8a, 0x1c, 0x3d]);
});

Deno.test("a kit's colours are proposed from the primary logo, and from no other picture", async () => {
  await using t = await testService();
  const { secret } = await t.brand();
  const proposed = async () => await (await t.call(secret, "/v1/brand/colors")).json();
  assertEquals(await proposed(), { logoId: null, colors: [] });
  await add(t, secret, { kind: "inspiration" });
  assertEquals(await proposed(), { logoId: null, colors: [] });
  const bytes = new Uint8Array(
    await png(90, 30, (x) => x < 60 ? [11, 61, 145, 255] : [255, 122, 26, 255]),
  );
  const kind = { kind: "logo", contentType: "image/png", size: bytes.length };
  const { key, url, uploadUrl } = await start(t, secret, kind);
  assertEquals((await put(t, uploadUrl, bytes, "image/png")).status, 200);
  const made = await t.call(secret, "/v1/assets", { method: "POST", body: { key, url } });
  const { id } = await made.json();
  assertEquals(await proposed(), { logoId: id, colors: ["#0b3d91", "#ff7a1a"] });
  const other = await t.brand();
  const theirs = await (await t.call(other.secret, "/v1/brand/colors")).json();
  assertEquals(theirs, { logoId: null, colors: [] });
});

/** The colour of the finished picture's lower left corner. */
async function cornerOf(t: TestService, secret: string, id: string): Promise<number[]> {
  const { url } = await read(t, secret, id);
  const answer = await t.app.request(url!);
  const sharp = await loadSharp();
  const image = sharp(new Uint8Array(await answer.arrayBuffer()));
  const { height } = await image.metadata();
  const corner = { left: 4, top: height - 12, width: 4, height: 4 };
  return [...(await image.extract(corner).raw().toBuffer()).subarray(0, 3)];
}

function assertNear(found: number[], wanted: number[]): void {
  const apart = Math.max(...found.map((value, at) => Math.abs(value - wanted[at]!)));
  assertEquals(apart <= 6, true, `${found} is not near ${wanted}`);
}
