/** The small pictures of layouts: one brand's pile holds up no other brand. */
import { assert, assertEquals } from "@std/assert";
import { previewOverlay } from "../../domain/creations/overlay_preview.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { testService } from "../support/service.ts";

Deno.test("a pile of distinct words is refused past a limit, and another brand's turn comes first", async () => {
  await using t = await testService();
  const [{ brand }, other] = [await t.brand(), await t.brand()];
  const draw = (brandId: string, text: string) =>
    previewOverlay(t.service, brandId, {
      ...{ template: "captionBar", text, showLogo: false, creationId: null },
      aspectRatio: "portrait",
    });
  let drawn = 0;
  const pile = Array.from(
    { length: 40 },
    (_, nth) => draw(brand.id, `Words ${nth}`).then(() => drawn++),
  );
  const ended = Promise.allSettled(pile);
  assert((await draw(other.brand.id, "Few words")).length > 0);
  assert(drawn < 5, "the other brand did not wait for the pile");
  const refused = (await ended).flatMap((one) => one.status === "rejected" ? [one.reason] : []);
  assertEquals(refused.length, 6);
  for (const error of refused) {
    assert(error instanceof ServiceError && error.code === "serviceUnavailable");
  }
});
