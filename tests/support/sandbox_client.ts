/** A client that calls the local platforms as their documents describe. */
import { connectHandle, type SandboxGrant } from "../../domain/platforms/sandbox/handles.ts";
import type { Platform } from "../../domain/posts/shape.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { newFileKey } from "../../domain/media/storage/storage.ts";
import type { TestService } from "./service.ts";
import type { Json } from "./json.ts";

export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

/** A post as people see it. */
interface PublicPost {
  id: string;
  caption: string | null;
  media: string[];
  publishedAt: string;
}

export class SandboxClient {
  readonly t: TestService;
  readonly platform: Platform;
  readonly grant: SandboxGrant;

  constructor(t: TestService, platform: Platform, grant: SandboxGrant) {
    this.t = t;
    this.platform = platform;
    this.grant = grant;
  }

  /** Calls a path of the platform with the token and the platform's usual headers. */
  async call(
    path: string,
    init: RequestInit = {},
    token = this.grant.accessToken,
  ): Promise<Answer> {
    const headers = new Headers(init.headers);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
    if (this.platform === "linkedin") {
      if (!headers.has("linkedin-version")) headers.set("linkedin-version", "202609");
      headers.set("x-restli-protocol-version", "2.0.0");
    }
    const url = `/sandbox/${this.platform}${path}`;
    return await read(await this.t.app.request(url, { ...init, headers }));
  }

  form(path: string, fields: Record<string, string>, token?: string): Promise<Answer> {
    return this.call(path, { method: "POST", body: new URLSearchParams(fields) }, token);
  }

  post(path: string, body: unknown): Promise<Answer> {
    const headers = { "content-type": "application/json" };
    return this.call(path, { method: "POST", headers, body: JSON.stringify(body) });
  }

  /** The account's public posts. */
  async truth(): Promise<PublicPost[]> {
    const handle = encodeURIComponent(this.grant.username);
    return (await read(await this.t.app.request(`/sandbox/${this.platform}/${handle}/posts`))).body;
  }

  /** Orders a fault; returns the status of the answer. */
  async fault(operation: string, fault: string, times = 1): Promise<number> {
    const answer = await this.t.request(null, `/sandbox/${this.platform}/faults`, {
      method: "POST",
      body: { operation, fault, times },
    });
    await answer.body?.cancel();
    return answer.status;
  }
}

export async function sandboxClient(
  t: TestService,
  platform: Platform,
  handle = "demo",
): Promise<SandboxClient> {
  const { kv, now } = t.service;
  return new SandboxClient(t, platform, await connectHandle(kv, now, platform, handle));
}

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: Json = text;
  try {
    body = JSON.parse(text);
  } catch { /* malformed on purpose, or no JSON at all */ }
  return { status: response.status, headers: response.headers, body };
}

/** Stores a picture of this size at a public address. */
export async function publicImage(
  t: TestService,
  width: number,
  height: number,
  type: "jpeg" | "png" = "jpeg",
): Promise<{ url: string; bytes: Uint8Array<ArrayBuffer> }> {
  const sharp = await loadSharp();
  const create = { width, height, channels: 3, background: "#385f71" } as const;
  const bytes = new Uint8Array(await sharp({ create })[type]().toBuffer());
  const contentType = `image/${type}` as const;
  const key = newFileKey("media", contentType);
  await t.service.storage.put(key, { bytes, contentType });
  return { url: await t.service.storage.url(key), bytes };
}

export const enc = encodeURIComponent;
