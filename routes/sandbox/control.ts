/** The sandbox's own calls: what the public sees, faults to order, handles to connect. */
import { Hono } from "hono";
import { z } from "zod";
import { iso } from "../../domain/calendar.ts";
import { invalid, ServiceError } from "../../domain/errors.ts";
import { Platform } from "../../domain/posts/shape.ts";
import { findAccount } from "../../domain/sandbox/accounts.ts";
import { clearFaults, Fault, orderFault } from "../../domain/sandbox/faults.ts";
import { connectHandle } from "../../domain/sandbox/handles.ts";
import { publicPosts } from "../../domain/sandbox/posts.ts";
import type { Service } from "../../domain/service.ts";
import { jsonResponse } from "../../domain/wire.ts";
import type { AppContext, AppEnv } from "../request.ts";
import { absolute } from "./wire.ts";

/** `/sandbox/linkedin/rest/posts` is LinkedIn's own. */
const LINKEDIN_REST = "rest";

const Handle = z.object({ handle: z.string() });

export function controlRoutes(service: Service): Hono<AppEnv> {
  const { kv, now } = service;
  const app = new Hono<AppEnv>();
  const platforms = `:platform{${Platform.options.join("|")}}`;
  const platformOf = (c: AppContext) => Platform.parse(c.req.param("platform"));

  app.get(`/sandbox/${platforms}/:handle/posts`, async (c, next) => {
    const handle = c.req.param("handle")!;
    if (handle === LINKEDIN_REST) return await next();
    const account = await findAccount(kv, platformOf(c), handle);
    if (account === null) throw new ServiceError("notFound", "No such handle in the sandbox.");
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

  app.post(`/sandbox/${platforms}/faults`, async (c) => {
    const fault = await readBody(c, Fault);
    if (!await orderFault(kv, platformOf(c), fault)) {
      throw new ServiceError("validationError", "Too many faults wait already; clear them first.");
    }
    return new Response(null, { status: 204 });
  });
  app.delete(`/sandbox/${platforms}/faults`, async (c) => {
    await clearFaults(kv, platformOf(c));
    return new Response(null, { status: 204 });
  });

  app.post(`/sandbox/${platforms}/handles`, async (c) => {
    const { handle } = await readBody(c, Handle);
    return jsonResponse(await connectHandle(kv, now, platformOf(c), handle), 200);
  });
  return app;
}

async function readBody<Shape extends z.ZodType>(
  c: AppContext,
  shape: Shape,
): Promise<z.output<Shape>> {
  const body: unknown = await c.req.json().catch(() => {
    throw new ServiceError("validationError", "Send the body as JSON.");
  });
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw invalid(issue.path.join(".") || "body", issue.message);
}
