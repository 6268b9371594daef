/** A slot's caption when the text model fails: tried again while that may help, then the slot is held. */
import { assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { MINUTE } from "../../domain/foundation/calendar.ts";
import { ModelError, type TextModel } from "../../domain/models/model.ts";
import { writer } from "../../domain/models/choose.ts";
import { seriesKit } from "../support/series.ts";
import { testService } from "../support/service.ts";

/** A text model that throws `fault` for captions until it is null, and counts the calls. */
function failing(fault: ModelError | null) {
  const state = { fault, captions: 0 };
  const textModel: TextModel = {
    name: "failing",
    write(task, signal) {
      if (task.name === "caption") state.captions++;
      return task.name === "caption" && state.fault !== null
        ? Promise.reject(state.fault)
        : writer.write(task, signal);
    },
  };
  return { state, textModel };
}

Deno.test("a caption that is refused for good is asked for once, and a person can ask again", async () => {
  const { state, textModel } = failing(new ModelError("No such words.", { transient: false }));
  await using t = await testService({ dependencies: { textModel } });
  const { create, items, pass, why, act } = await seriesKit(t);
  const { id } = await create();
  await pass();
  t.turn(30 * MINUTE);
  await pass();
  assertEquals(state.captions, 1);
  const [held] = await items(id);
  assertEquals([held.status, held.caption], ["held", ""]);
  assertEquals((await why(id, held.id)).heldFor, "captionFailed");
  assertStringIncludes(held.error, "No such words.");
  assertStringIncludes(held.error, "Ask for a caption");
  state.fault = null;
  assertEquals((await act(id, held.id, "caption")).status, 200);
  assertNotEquals((await items(id))[0].caption, "");
});

Deno.test("a caption that can't be had for a while is tried again without a new image", async () => {
  const { state, textModel } = failing(new ModelError("Busy.", { transient: true }));
  await using t = await testService({ dependencies: { textModel } });
  const { create, items, pass } = await seriesKit(t);
  const { id } = await create();
  await pass();
  const [waiting] = await items(id);
  assertEquals([waiting.status, state.captions], ["generating", 1]);
  state.fault = null;
  t.turn(MINUTE);
  await t.worker.drain();
  const [ready] = await items(id);
  assertEquals([ready.status, state.captions], ["ready", 2]);
  assertNotEquals(ready.caption, "");
  assertEquals(ready.creations, waiting.creations);
});
