/** Posting and reading creations in tests, and a model that can be broken. */
import type { Creation } from "../../domain/creations/shape.ts";
import { type ImageModel, ModelError } from "../../domain/models/model.ts";
import { quickModel } from "./quick_model.ts";
import type { TestService } from "./service.ts";

export const BODY = { prompt: "A red bicycle in the rain", idea: "bicycle", aspectRatio: "square" };

export async function post(t: TestService, secret: string, body: object = {}, headers = {}) {
  const call = { method: "POST", body: { ...BODY, ...body }, headers };
  const answer = await t.call(secret, "/v1/creations", call);
  return { status: answer.status, creation: await answer.json() };
}

export async function read(t: TestService, secret: string, id: string): Promise<Creation> {
  return await (await t.call(secret, `/v1/creations/${id}`)).json();
}

export async function used(t: TestService, secret: string): Promise<number> {
  return (await (await t.call(secret, "/v1/credits")).json()).used;
}

/** A model that refuses for good while `broken.now`. */
export function breakable(model: ImageModel = quickModel) {
  const broken = { now: true };
  const imageModel: ImageModel = {
    name: "breakable",
    atOnce: model.atOnce,
    paint: (request) =>
      broken.now
        ? Promise.reject(new ModelError("The model refused the prompt.", { transient: false }))
        : model.paint(request),
  };
  return { broken, imageModel };
}
