/** The local YouTube: the paths of Google's four hosts under one address. */
import { Hono } from "hono";
import type { SandboxOperation } from "../../../domain/platforms/sandbox/faults.ts";
import type { Service } from "../../../domain/service/service.ts";
import type { AppEnv } from "../../request.ts";
import { consent } from "../consent.ts";
import { answered } from "../wire.ts";
import { queryReport } from "./analytics.ts";
import { type GoogleCall, googleCall, spendUnit } from "./call.ts";
import { listChannels, listPlaylistItems } from "./channel.ts";
import { googleError, YOUTUBE } from "./errors.ts";
import { revoke, token } from "./oauth.ts";
import { listVideos } from "./videos.ts";

type Handler = (service: Service, call: GoogleCall) => Promise<Response>;

/** The Data API's resources → the operation whose faults apply, and the handler. */
const DATA: Record<string, readonly [SandboxOperation, Handler]> = {
  channels: ["list", listChannels],
  playlistItems: ["list", listPlaylistItems],
  videos: ["metrics", listVideos],
};

export function youtubeRoutes(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>().basePath("/sandbox/youtube");
  const habits = { cancelled: { error: "access_denied" }, separator: " ", fragment: "" };
  app.get("/o/oauth2/v2/auth", (c) => consent(service, "youtube", habits, c));
  app.post("/token", async ({ req: { raw } }) => {
    const form = new URLSearchParams(await raw.text());
    const operation = form.get("grant_type") === "refresh_token" ? "token" : null;
    return await answered(service, YOUTUBE, operation, raw, () => token(service, form));
  });
  app.post("/revoke", async ({ req: { raw } }) => {
    const form = new URLSearchParams(await raw.text());
    return await answered(service, YOUTUBE, null, raw, () => revoke(service, form));
  });
  for (const [resource, [operation, handle]] of Object.entries(DATA)) {
    app.get(
      `/youtube/v3/${resource}`,
      ({ req: { raw } }) =>
        answered(service, YOUTUBE, operation, raw, async () => {
          const call = await googleCall(service, raw, "youtube.readonly");
          await spendUnit(service);
          return await handle(service, call);
        }),
    );
  }
  app.get(
    "/v2/reports",
    ({ req: { raw } }) =>
      answered(
        service,
        YOUTUBE,
        "metrics",
        raw,
        async () =>
          await queryReport(service, await googleCall(service, raw, "yt-analytics.readonly")),
      ),
  );
  app.all("*", ({ req: { raw } }) =>
    answered(service, YOUTUBE, null, raw, () => {
      throw googleError(404, "notFound", "The requested URL was not found.", "global");
    }));
  return app;
}
