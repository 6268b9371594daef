/** Connecting a YouTube channel (PLATFORMS C.1). */
import { z } from "zod";
import type { Tokens } from "../../social.ts";
import { codeFlow } from "../code_flow.ts";
import type { App, Grant, SignIn } from "../platform.ts";
import { address, PlatformError, type Wire } from "../wire.ts";
import type { YouTubeHosts } from "./hosts.ts";

const SCOPES = [
  "https://www.googleapis.com/auth/youtube.readonly",
  "https://www.googleapis.com/auth/yt-analytics.readonly",
] as const;

const Channels = z.object({
  items: z.array(z.object({
    id: z.string(),
    snippet: z.object({ title: z.string(), customUrl: z.string().optional() }),
  })).default([]),
});

export function youTubeSignIn(
  hosts: YouTubeHosts,
  app: App,
  wire: Wire,
  now: () => number,
): SignIn {
  const forRenewal = { access_type: "offline", prompt: "consent" };
  return {
    ...codeFlow(hosts, app, wire, now, SCOPES, forRenewal),
    identify: (tokens) => channels(hosts, wire, tokens),
  };
}

async function channels(hosts: YouTubeHosts, wire: Wire, tokens: Tokens): Promise<Grant[]> {
  const url = address(`${hosts.data}/channels`, { part: "snippet", mine: "true" });
  const headers = { authorization: `Bearer ${tokens.access}` };
  const { items } = await wire.read({ url, headers }, Channels);
  if (items.length === 0) {
    throw new PlatformError("permission", "This Google account has no YouTube channel.");
  }
  return items.map(({ id, snippet }) => ({
    identity: {
      platform: "youtube",
      kind: "channel",
      handle: snippet.customUrl ?? snippet.title,
      externalId: id,
    },
    tokens,
  }));
}
