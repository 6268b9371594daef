/** The sandbox's own calls: public posts, ordered faults, and connecting a handle. */
import { Hono } from "hono";
import { z } from "zod";
import { iso } from "../../domain/foundation/calendar.ts";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { firstProblem } from "../../domain/foundation/problems.ts";
import { Platform } from "../../domain/posts/shape.ts";
import { findAccount } from "../../domain/platforms/sandbox/accounts.ts";
import { clearFaults, Fault, orderFault } from "../../domain/platforms/sandbox/faults.ts";
import { connectHandle } from "../../domain/platforms/sandbox/handles.ts";
import { publicPosts } from "../../domain/platforms/sandbox/posts.ts";
import type { Service } from "../../domain/service/service.ts";
import { jsonResponse, readBody } from "../../domain/operations/http.ts";
import { refuseForeign } from "../own_pages.ts";
import type { AppContext, AppEnv } from "../request.ts";
import { addRefusal, clearRefusals, MetricRefusal } from "./instagram/refusals.ts";
import { absolute } from "./wire.ts";

/** Not a handle: `/sandbox/linkedin/rest/posts` is a path of LinkedIn's. */
const LINKEDIN_REST = "rest";

const Handle = z.object({ handle: z.string() });

export function controlRoutes(service: Service): Hono<AppEnv> {
  const { kv, now, settings } = service;
  const app = new Hono<AppEnv>();
  const platforms = `:platform{${Platform.options.join("|")}}`;
  const platformOf = (c: AppContext) => Platform.parse(c.req.param("platform"));

  app.get(`/sandbox/${platforms}/:handle/posts`, async (c, next) => {
    const handle = c.req.param("handle");
    if (handle === LINKEDIN_REST) return await next();
    const account = await findAccount(kv, platformOf(c), handle);
    if (account === null) throw new ServiceError("notFound", "The sandbox has no such handle.");
    const posts = await publicPosts(kv, now, account);
    return jsonResponse(
      posts.map(({ id, kind, caption, images, publishedAt }) => ({
        id,
        caption: kind === "story" ? null : caption,
        media: images.map(({ url }) => absolute(service, url)),
        publishedAt: iso(publishedAt),
      })),
      200,
    );
  });

  // No page of another site may change what a visitor's own sandbox does.
  for (const control of ["faults", "handles", "refusals"]) {
    app.use(`/sandbox/${platforms}/${control}`, async (c, next) => {
      refuseForeign(c.req.raw, settings);
      await next();
    });
  }
  app.post(`/sandbox/${platforms}/faults`, async (c) => {
    const fault = await readJson(c, Fault);
    if (!await orderFault(kv, platformOf(c), fault)) {
      throw new ServiceError(
        "validationError",
        "Too many faults are ordered already. Delete them first.",
      );
    }
    return new Response(null, { status: 204 });
  });
  app.delete(`/sandbox/${platforms}/faults`, async (c) => {
    await clearFaults(kv, platformOf(c));
    return new Response(null, { status: 204 });
  });

  app.post("/sandbox/instagram/refusals", async (c) => {
    const refusal = await readJson(c, MetricRefusal);
    if (!await addRefusal(kv, refusal)) {
      throw new ServiceError("validationError", "Too many metrics are refused. Delete them first.");
    }
    return new Response(null, { status: 204 });
  });
  app.delete("/sandbox/instagram/refusals", async () => {
    await clearRefusals(kv);
    return new Response(null, { status: 204 });
  });

  app.post(`/sandbox/${platforms}/handles`, async (c) => {
    const { handle } = await readJson(c, Handle);
    return jsonResponse(await connectHandle(kv, now, platformOf(c), handle), 200);
  });
  return app;
}

/** @throws ServiceError `validationError` for a body that is too large, too slow or has another shape */
async function readJson<Shape extends z.ZodType>(
  c: AppContext,
  shape: Shape,
): Promise<z.output<Shape>> {
  const parsed = shape.safeParse(parseJson(await readBody(c.req.raw)));
  if (parsed.success) return parsed.data;
  throw new ServiceError("validationError", firstProblem(parsed.error));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ServiceError("validationError", "Send the body as JSON.", { cause });
  }
}
