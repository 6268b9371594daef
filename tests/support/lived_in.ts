/** A brand that has used everything: posts, images, people, series, a published post, open uploads. */
import { assertEquals } from "@std/assert";
import { invite } from "../../domain/brands/invites.ts";
import { joinAnew } from "../../domain/brands/join.ts";
import { HANDLERS } from "../../jobs/handlers.ts";
import { runPass } from "../../jobs/passes.ts";
import { Worker } from "../../jobs/worker.ts";
import { post as paint } from "./creations.ts";
import { seriesKit } from "./series.ts";
import type { TestService } from "./service.ts";
import { add, start } from "./uploads.ts";

export async function livedIn(t: TestService, handle = "bakery") {
  const kit = await seriesKit(t);
  const { secret, call, brand } = kit;
  const instagram = await kit.connect("instagram", handle);
  const youtube = await kit.connect("youtube", handle);
  await runPass(t.service, t.worker, "metrics");
  await t.worker.drain();
  const logo = await add(t, secret, { kind: "logo" });
  const photo = await add(t, secret, { kind: "castReference" });
  const retired = await add(t, secret, { kind: "inspiration" });
  assertEquals((await call("DELETE", `/v1/assets/${retired.id}`)).status, 204);
  await start(t, secret);
  const member = { name: "Ada", lookPrompt: "red hair", referenceAssetIds: [photo.id] };
  const { body: cast } = await call("POST", "/v1/cast-members", member);
  const overlay = { template: "captionBar", text: "Fresh", showLogo: true };
  const hook = { url: "https://receiver.example/hook", types: ["key.revoked"] };
  assertEquals((await call("POST", "/v1/webhooks", hook)).status, 201);
  const { creation } = await paint(t, secret, { castMemberId: cast.id, overlay });
  await t.worker.drain();
  const other = { overlay: { template: "captionBar", text: "Warm" } };
  assertEquals((await call("POST", `/v1/creations/${creation.id}/overlay`, other)).status, 200);
  const token = await invite(t.service, brand.id, "viewer");
  const colleague = { email: `${handle}@example.com`, password: "correct horse" };
  await joinAnew(t.service, { brandId: brand.id, token }, colleague);
  await invite(t.service, brand.id, "editor");
  const autopilot = { name: "Growth", mode: "autopilot", goal: "More guests on weekdays" };
  const series = await kit.create({ socialAccountId: instagram.id });
  const strategic = await kit.create({ ...autopilot, theme: undefined, format: undefined });
  await kit.pass();
  const [item] = await kit.items(series.id);
  const worker = new Worker(t.service, HANDLERS);
  worker.start();
  assertEquals((await kit.act(series.id, item.id, "publish")).status, 204);
  await worker.stop(0);
  return {
    ...kit,
    ...{ brandId: brand.id, instagram, youtube, logo, photo, retired, cast, creation },
    ...{ series, strategic, item },
  };
}
