/** The local Instagram: the paths of www., api. and graph.instagram.com under one address. */
import { Hono } from "hono";
import type { SandboxOperation } from "../../../domain/platforms/sandbox/faults.ts";
import { externalAccountId } from "../../../domain/platforms/sandbox/ids.ts";
import { publicPosts } from "../../../domain/platforms/sandbox/posts.ts";
import type { Service } from "../../../domain/service/service.ts";
import type { AppEnv } from "../../request.ts";
import { consent } from "../consent.ts";
import { answered, avatarUrl, json } from "../wire.ts";
import { type GraphCall, graphCall, requireScope } from "./call.ts";
import { serialOf } from "./container.ts";
import { createContainer, readContainer } from "./containers.ts";
import { badParameter, INSTAGRAM } from "./errors.ts";
import { parseFields, pick } from "./fields.ts";
import { readInsights } from "./insights.ts";
import { listChildren, listMedia, readMedia } from "./media.ts";
import { exchangeCode, exchangeShortToken, refreshToken } from "./oauth.ts";
import { publishContainer, readQuota } from "./publish.ts";

type Edge = (service: Service, call: GraphCall, id: string) => Promise<Response>;

/** Verb and edge of an object → the operation whose faults apply, and the handler. */
const EDGES: Record<string, readonly [SandboxOperation | null, Edge]> = {
  "GET media": ["list", (service, call, id) => listMedia(service, call, id, "media")],
  "GET stories": ["list", (service, call, id) => listMedia(service, call, id, "stories")],
  "GET children": ["list", listChildren],
  "GET insights": ["metrics", readInsights],
  "POST media": ["upload", createContainer],
  "POST media_publish": ["publish", publishContainer],
  "GET content_publishing_limit": [null, readQuota],
};

export function instagramRoutes(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>().basePath("/sandbox/instagram");
  const habits = {
    cancelled: {
      error: "access_denied",
      error_reason: "user_denied",
      error_description: "The user denied your request.",
    },
    separator: ",",
    fragment: "#_",
  };
  app.get("/oauth/authorize", (c) => consent(service, "instagram", habits, c));
  app.post(
    "/oauth/access_token",
    ({ req: { raw } }) => answered(service, INSTAGRAM, null, raw, () => exchangeCode(service, raw)),
  );
  app.get(
    "/access_token",
    ({ req: { raw } }) =>
      answered(service, INSTAGRAM, null, raw, () => exchangeShortToken(service, raw)),
  );
  app.get(
    "/refresh_access_token",
    ({ req: { raw } }) =>
      answered(service, INSTAGRAM, "token", raw, () => refreshToken(service, raw)),
  );

  app.get(
    "/:version/me",
    ({ req }) =>
      answered(
        service,
        INSTAGRAM,
        null,
        req.raw,
        async () =>
          await readAccount(service, await graphCall(service, req.raw, req.param("version"))),
      ),
  );
  app.get("/:version/:id", ({ req }) => {
    const id = req.param("id");
    const operation = id.startsWith("179") ? "upload" : "list";
    return answered(
      service,
      INSTAGRAM,
      operation,
      req.raw,
      async () =>
        await readNode(service, await graphCall(service, req.raw, req.param("version")), id),
    );
  });
  app.on(["GET", "POST"], "/:version/:id/:edge", ({ req }) => {
    const [operation, run] = EDGES[`${req.method} ${req.param("edge")}`] ?? [null, unknownEdge];
    return answered(service, INSTAGRAM, operation, req.raw, async () =>
      await run(
        service,
        await graphCall(service, req.raw, req.param("version")),
        req.param("id"),
      ));
  });
  app.all("*", ({ req: { raw } }) =>
    answered(service, INSTAGRAM, null, raw, () => {
      throw badParameter("Unsupported request method or path.");
    }));
  return app;
}

/** The id may name a container, the account itself, or a media. */
function readNode(service: Service, call: GraphCall, id: string): Promise<Response> {
  if (serialOf(call.account, id) !== null) return readContainer(service, call, id);
  if (id === externalAccountId(call.account)) return readAccount(service, call);
  return readMedia(service, call, id);
}

/** `GET /me`: paths take `user_id`; `id` is valid for this app only. */
async function readAccount(service: Service, call: GraphCall): Promise<Response> {
  requireScope(call, "instagram_business_basic");
  const { account } = call;
  const node = {
    id: `24${account.number}00001`,
    user_id: externalAccountId(account),
    username: account.handle,
    name: account.handle,
    account_type: "BUSINESS",
    profile_picture_url: avatarUrl(service, account),
    followers_count: account.number % 20_000,
    follows_count: account.number % 700,
    media_count: (await publicPosts(service.kv, service.now, account)).length,
  };
  return json(pick(node, parseFields(call.params["fields"] ?? "id"), "IGUser"));
}

const unknownEdge: Edge = () => {
  throw badParameter("Tried accessing nonexisting field or edge");
};
