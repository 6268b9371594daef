/** Connecting a YouTube channel (PLATFORMS C.1). */
import { z } from "zod";
import { SECOND } from "../../calendar.ts";
import type { Tokens } from "../../social.ts";
import type { App, Grant, SignIn } from "../platform.ts";
import { address, PlatformError, type Wire, type WireRequest } from "../wire.ts";
import type { YouTubeHosts } from "./hosts.ts";

const SCOPES = [
  "https://www.googleapis.com/auth/youtube.readonly",
  "https://www.googleapis.com/auth/yt-analytics.readonly",
] as const;

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number(),
  refresh_token: z.string().optional(),
  refresh_token_expires_in: z.number().optional(),
  scope: z.string().optional(),
});
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
  return {
    scopes: SCOPES,
    authorizeUrl: (redirectUri, state) =>
      address(hosts.authorize, {
        client_id: app.clientId,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: SCOPES.join(" "),
        access_type: "offline",
        prompt: "consent",
        state,
      }),
    exchange: async (code, redirectUri) => {
      const form = {
        grant_type: "authorization_code",
        code,
        client_id: app.clientId,
        client_secret: app.clientSecret,
        redirect_uri: redirectUri,
      };
      const answer = await wire.read(tokenRequest(hosts, form), TokenAnswer);
      return { tokens: toTokens(answer, now(), null), granted: answer.scope?.split(" ") ?? [] };
    },
    identify: (tokens) => channels(hosts, wire, tokens),
  };
}

/** Google answers a renewal without a refresh token: the old one goes on. */
export async function renewYouTube(
  hosts: YouTubeHosts,
  app: App,
  wire: Wire,
  tokens: Tokens,
  at: number,
): Promise<Tokens | null> {
  if (tokens.refresh === null) return null;
  const form = {
    grant_type: "refresh_token",
    refresh_token: tokens.refresh,
    client_id: app.clientId,
    client_secret: app.clientSecret,
  };
  return toTokens(await wire.read(tokenRequest(hosts, form), TokenAnswer), at, tokens);
}

function tokenRequest(hosts: YouTubeHosts, form: Record<string, string>): WireRequest {
  return { method: "POST", url: hosts.token, form };
}

function toTokens(answer: z.output<typeof TokenAnswer>, at: number, before: Tokens | null): Tokens {
  return {
    access: answer.access_token,
    issuedAt: at,
    accessExpiresAt: at + answer.expires_in * SECOND,
    refresh: answer.refresh_token || (before?.refresh ?? null),
    refreshExpiresAt: null,
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
