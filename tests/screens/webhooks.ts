/** Webhooks to be shown: one that fails, one that is switched off and one that is paused. */
import { HOUR } from "../../domain/foundation/calendar.ts";
import type { Receiver } from "../support/receiver.ts";
import type { TestService } from "../support/service.ts";
import type { StudioPerson } from "../support/studio.ts";

/** A webhook that works, mostly, one that its receiver has ended, and one that is paused. */
export async function webhooks(t: TestService, person: StudioPerson, receiver: Receiver) {
  const add = async (fields: Record<string, string>) => {
    const { text } = await person.send("/settings/webhooks", fields);
    return /\/webhooks\/(whk_\w+)"(?![^]*\/webhooks\/whk_)/.exec(text)?.[1] ?? "";
  };
  const test = async (id: string, status: number) => {
    receiver.status = status;
    await person.send(`/settings/webhooks/${id}/test`);
    await t.worker.drain();
    t.turn(HOUR);
  };
  const webhook = await add({ url: receiver.url, description: "The shop's own site" });
  await test(webhook, 200);
  await test(webhook, 503);
  receiver.status = 200;
  await person.send("/settings/keys", { name: "Planner", preset: "agent" });
  await t.worker.drain();
  await person.send(`/settings/webhooks/${webhook}/rotate`);
  const webhookOff = await add({ url: `${receiver.url}/old`, types: "item.published" });
  await test(webhookOff, 410);
  const paused = await add({ url: `${receiver.url}/paused`, types: "credits.low" });
  await person.send(`/settings/webhooks/${paused}/pause`);
  await test(webhook, 500);
  return { webhook, webhookOff };
}
