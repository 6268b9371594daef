/** A brand with accounts at the local platforms, in one process, and what tests ask of them. */
import { createLog } from "../../domain/foundation/log.ts";
import type { PublishAttempt } from "../../domain/platforms/contract/platform.ts";
import { connectSandboxAccount } from "../../domain/platforms/sandbox_account.ts";
import type { Platform, PostDetail } from "../../domain/posts/shape.ts";
import { openSession } from "../../domain/brands/sessions.ts";
import { readSocialAccount, type SocialAccount } from "../../domain/platforms/accounts.ts";
import { newFileKey } from "../../domain/media/storage/storage.ts";
import { type PassReport, runPass } from "../../jobs/passes.ts";
import { DAY } from "../../domain/foundation/calendar.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { setCookie } from "../../routes/dashboard/cookie.ts";
import { type TestBrand, type TestOptions, TestService, testService } from "./service.ts";
import type { Json } from "./json.ts";

/** What the sandbox's public page shows of a post. */
export interface PublicPost {
  id: string;
  caption: string | null;
  media: string[];
  publishedAt: string;
}

export class Rehearsal implements AsyncDisposable {
  readonly t: TestService;
  readonly brand: TestBrand;
  readonly #lines: string[];

  constructor(t: TestService, brand: TestBrand, lines: string[]) {
    this.t = t;
    this.brand = brand;
    this.#lines = lines;
  }

  get service() {
    return this.t.service;
  }

  /** Everything that was logged so far, as text. */
  get logged(): string {
    void this.service.log.flush();
    return this.#lines.join("");
  }

  connect(platform: Platform, handle = "acme"): Promise<SocialAccount> {
    return connectSandboxAccount(this.service, this.brand.brand.id, platform, handle);
  }

  /** The account as it is now. */
  async again({ brandId, id }: SocialAccount): Promise<SocialAccount> {
    return (await readSocialAccount(this.service.kv, brandId, id))!;
  }

  /** Runs a pass by hand, and the work it started. */
  async pass(name: "metrics" | "series" = "metrics"): Promise<PassReport & Record<string, Json>> {
    const report = await runPass(this.service, this.t.worker, name, { byHand: true });
    await this.t.worker.drain();
    return report;
  }

  async fault(platform: Platform, operation: string, fault: string, times = 1): Promise<void> {
    await this.t.request(null, `/sandbox/${platform}/faults`, {
      method: "POST",
      body: { operation, fault, times },
    });
  }

  async clearFaults(platform: Platform): Promise<void> {
    await this.t.request(null, `/sandbox/${platform}/faults`, { method: "DELETE" });
  }

  async truth({ platform, handle }: SocialAccount): Promise<PublicPost[]> {
    const answer = await this.t.request(null, `/sandbox/${platform}/${handle}/posts`);
    return await answer.json();
  }

  /** Every post of the brand on `platform`, with its history, newest first. */
  async posts(platform: Platform): Promise<PostDetail[]> {
    const posts: PostDetail[] = [];
    for (let page = 1;; page++) {
      const path = `/v1/posts?perPage=100&page=${page}&platform=${platform}`;
      const { data, pagination } = await (await this.get(path)).json();
      for (const { id } of data) posts.push(await (await this.get(`/v1/posts/${id}`)).json());
      if (page >= pagination.pageCount) return posts;
    }
  }

  /** A picture in storage. */
  async picture(width = 1080, height = 1350, type: "jpeg" | "png" = "jpeg"): Promise<string> {
    const sharp = await loadSharp();
    const background = { r: width % 255, g: height % 255, b: 90 };
    const image = sharp({ create: { width, height, channels: 3, background } });
    const bytes = new Uint8Array(await image.toFormat(type).toBuffer());
    const key = newFileKey("media", `image/${type}`);
    await this.service.storage.put(key, { bytes, contentType: `image/${type}` });
    return key;
  }

  async attempt(
    account: SocialAccount,
    change: Partial<PublishAttempt> = {},
  ): Promise<PublishAttempt> {
    const images = change.images ?? [{ key: await this.picture(), altText: "A warm loaf" }];
    return {
      attemptId: crypto.randomUUID(),
      brandId: account.brandId,
      accountId: account.id,
      format: "post",
      text: `Fresh bread (today) #bread ${crypto.randomUUID()}`,
      claimedAt: this.service.now(),
      goodUntil: this.service.now() + DAY,
      ...change,
      images,
    };
  }

  // Straight at the app, with the clock standing still but for the per-second limit.
  async get(path: string): Promise<Response> {
    const answer = await this.t.request(this.brand.secret, path);
    if (answer.status !== 429) return answer;
    this.t.turn(1_000);
    return await this.get(path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.t[Symbol.asyncDispose]();
  }
}

/** The cookie of a browser in which the owner of the brand has signed in. */
export async function signedIn({ service, brand }: Rehearsal): Promise<string> {
  const token = await openSession(service, { id: brand.brand.accountId });
  return setCookie(service.settings, "marquee_session", token).split(";")[0]!;
}

/** Calls to the platforms have as much time as in production; one that hangs times out at once. */
export async function rehearse(options: TestOptions = {}): Promise<Rehearsal> {
  const lines: string[] = [];
  const decoder = new TextDecoder();
  const sink = {
    write: (bytes: Uint8Array) => {
      lines.push(decoder.decode(bytes));
      return Promise.resolve(bytes.length);
    },
  };
  const t = await testService({
    ...options,
    environ: { SANDBOX: "on", ...options.environ },
    dependencies: {
      log: createLog("debug", sink, () => t?.service.now() ?? 0),
      ...options.dependencies,
    },
  });
  return new Rehearsal(t, await t.brand("studio"), lines);
}
