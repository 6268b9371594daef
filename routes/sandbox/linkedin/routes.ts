/** The local LinkedIn: the paths of www. and api.linkedin.com under one address. */
import { Hono } from "hono";
import type { SandboxOperation } from "../../../domain/platforms/sandbox/faults.ts";
import type { Service } from "../../../domain/service/service.ts";
import type { AppEnv } from "../../request.ts";
import { consent } from "../consent.ts";
import { answered } from "../wire.ts";
import { type RestCall, restCall } from "./call.ts";
import { badQuery, LINKEDIN, notFound } from "./errors.ts";
import { initializeUpload, readImage, readImages, receiveUpload } from "./images.ts";
import { accessToken, organization, organizationAcls, userInfo } from "./oauth.ts";
import { listPosts, readPost, readVideo } from "./posts.ts";
import { createPost } from "./publish.ts";
import { memberAnalytics, shareStatistics, videoAnalytics } from "./statistics.ts";

/** Handles calls of one resource. `id` is the last part of the path, still encoded. */
type Handler = (service: Service, call: RestCall, id: string) => Promise<Response> | Response;

/** Verb and resource → the operation whose faults apply, and the handler. */
const RESOURCES: Record<string, readonly [SandboxOperation | null, Handler]> = {
  "GET posts": ["list", listPosts],
  "GET posts/": ["list", readPost],
  "GET videos/": ["list", readVideo],
  "POST posts": ["publish", createPost],
  "POST images": ["upload", startUpload],
  "GET images": ["list", readImages],
  "GET images/": ["list", readImage],
  "GET organizationalEntityShareStatistics": ["metrics", shareStatistics],
  "GET memberCreatorPostAnalytics": ["metrics", memberAnalytics],
  "GET videoAnalytics": ["metrics", videoAnalytics],
  "GET organizationAcls": [null, (_, call) => organizationAcls(call)],
  "GET organizations/": [null, (_, call, id) => organization(call, id)],
};

export function linkedinRoutes(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>().basePath("/sandbox/linkedin");
  const habits = {
    cancelled: {
      error: "user_cancelled_authorize",
      error_description: "The user cancelled the authorization",
    },
    separator: " ",
    fragment: "",
  };
  app.get("/oauth/v2/authorization", (c) => consent(service, "linkedin", habits, c));
  app.post("/oauth/v2/accessToken", async ({ req: { raw } }) => {
    const form = new URLSearchParams(await raw.text());
    const operation = form.get("grant_type") === "refresh_token" ? "token" : null;
    return await answered(service, LINKEDIN, operation, raw, () => accessToken(service, form));
  });
  app.get(
    "/v2/userinfo",
    ({ req: { raw } }) => answered(service, LINKEDIN, null, raw, () => userInfo(service, raw)),
  );
  app.put(
    "/dms-uploads/:name/*",
    ({ req }) =>
      answered(
        service,
        LINKEDIN,
        "upload",
        req.raw,
        () => receiveUpload(service, req.raw, req.param("name")),
      ),
  );
  app.all("/rest/:resource/:id?", ({ req }) => {
    const id = encodedId(req.raw);
    const name = `${req.method} ${req.param("resource")}${id === "" ? "" : "/"}`;
    const [operation, handle] = RESOURCES[name] ?? [null, unknown];
    const faultsOf = isUpload(name, id) ? "upload" : operation;
    return answered(
      service,
      LINKEDIN,
      faultsOf,
      req.raw,
      async () => await handle(service, await restCall(service, req.raw), id),
    );
  });
  app.all("*", ({ req: { raw } }) => answered(service, LINKEDIN, null, raw, () => unknown()));
  return app;
}

/** The last part of `/rest/{resource}/{id}`, not decoded, because the handlers check its encoding. */
function encodedId(request: Request): string {
  return /\/rest\/[^/?]+\/([^/?]+)/.exec(request.url)?.[1] ?? "";
}

/** Reading an uploaded image is part of its upload. */
const isUpload = (name: string, id: string): boolean =>
  name === "GET images/" && id.includes("D4E10AQ");

function startUpload(service: Service, call: RestCall): Promise<Response> {
  if (call.query.get("action") !== "initializeUpload") throw badQuery("action is unknown");
  return initializeUpload(service, call);
}

const unknown = (): Response => {
  throw notFound("The resource");
};
