/** Connects YouTube channels (PLATFORMS C.1). */
import { z } from "zod";
import type { Tokens } from "../../accounts.ts";
import { codeFlow } from "../../contract/code_flow.ts";
import type { App, Grant, SignIn } from "../../contract/platform.ts";
import { address, PlatformError, type Wire } from "../../contract/wire.ts";
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
  const extra = { access_type: "offline", prompt: "consent" };
  return {
    ...codeFlow(hosts, app, wire, now, SCOPES, { extra, pkce: true }),
    identify: (tokens) => channels(hosts, wire, tokens),
    revoke: (tokens) => revoke(hosts, wire, tokens),
  };
}

/** Revoking the refresh token also ends the access tokens that were made with it (RFC 7009). */
async function revoke(hosts: YouTubeHosts, wire: Wire, tokens: Tokens): Promise<void> {
  try {
    const form = { token: tokens.refresh ?? tokens.access };
    await wire.send({ method: "POST", url: hosts.revoke, form });
  } catch (error) {
    const isDead = error instanceof PlatformError && error.code === "invalid_token";
    if (!isDead) throw error;
  }
}

async function channels(hosts: YouTubeHosts, wire: Wire, tokens: Tokens): Promise<Grant[]> {
  const url = address(`${hosts.data}/channels`, { part: "snippet", mine: "true" });
  const headers = { authorization: `Bearer ${tokens.access}` };
  const { items } = await wire.read({ url, headers }, Channels);
  if (items.length === 0) {
    throw new PlatformError(
      "permission",
      "This Google account has no YouTube channel. Sign in with one that has.",
    );
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
