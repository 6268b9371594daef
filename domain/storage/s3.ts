/** Images in a bucket of any S3-compatible store; clients put and get them there directly. */
import type { S3Client, S3ClientConfig, S3ServiceException } from "@aws-sdk/client-s3";
import { HOUR, SECOND } from "../calendar.ts";
import type { Now } from "../clock.ts";
import { once } from "../once.ts";
import type { Settings } from "../settings.ts";
import { type Storage, typeOfKey } from "./storage.ts";

/** Long enough for a platform to fetch what it publishes (Instagram asks for an hour). */
const GET_LIVES_S = 2 * HOUR / SECOND;
/** A key's bytes never change. */
const CACHE = "public, max-age=31536000, immutable";
/** Signed with an upload link, so that another type or size is refused by the store. */
const SIGNED_HEADERS = new Set(["host", "content-type", "content-length"]);

export type S3Settings = Pick<
  Settings,
  | "S3_BUCKET"
  | "S3_ENDPOINT"
  | "S3_PUBLIC_ENDPOINT"
  | "S3_PUBLIC_URL"
  | "S3_REGION"
  | "S3_FORCE_PATH_STYLE"
  | "AWS_ACCESS_KEY_ID"
  | "AWS_SECRET_ACCESS_KEY"
>;

export function s3Storage(settings: S3Settings, now: Now): Storage {
  const Bucket = settings.S3_BUCKET!;
  const sdk = once(() => import("@aws-sdk/client-s3"));
  const presigner = once(() => import("@aws-sdk/s3-request-presigner"));
  const inside = once(async () => client(await sdk(), settings, settings.S3_ENDPOINT));
  /** Links are signed for the host that clients see: the host is part of the signature. */
  const outside = once(async () =>
    client(await sdk(), settings, settings.S3_PUBLIC_ENDPOINT ?? settings.S3_ENDPOINT)
  );

  return {
    local: null,
    async put(Key, { bytes, contentType }) {
      const { PutObjectCommand } = await sdk();
      const object = { Bucket, Key, Body: bytes, ContentType: contentType, CacheControl: CACHE };
      await (await inside()).send(new PutObjectCommand(object));
    },
    async get(Key) {
      const { GetObjectCommand } = await sdk();
      const found = await found404((await inside()).send(new GetObjectCommand({ Bucket, Key })));
      if (found === null) return null;
      const bytes = new Uint8Array(await found.Body!.transformToByteArray());
      return { bytes, contentType: found.ContentType ?? typeOfKey(Key) };
    },
    async head(Key) {
      const { HeadObjectCommand } = await sdk();
      const found = await found404((await inside()).send(new HeadObjectCommand({ Bucket, Key })));
      if (found === null) return null;
      return { size: found.ContentLength ?? 0, contentType: found.ContentType ?? typeOfKey(Key) };
    },
    async delete(Key) {
      const { DeleteObjectCommand } = await sdk();
      await found404((await inside()).send(new DeleteObjectCommand({ Bucket, Key })));
    },
    async url(Key) {
      if (settings.S3_PUBLIC_URL !== undefined) return `${settings.S3_PUBLIC_URL}/${Key}`;
      const { GetObjectCommand } = await sdk();
      const { getSignedUrl } = await presigner();
      return await getSignedUrl(await outside(), new GetObjectCommand({ Bucket, Key }), {
        expiresIn: GET_LIVES_S,
      });
    },
    async uploadUrl({ key, contentType, size, expiresAt }) {
      const { PutObjectCommand } = await sdk();
      const { getSignedUrl } = await presigner();
      const put = { Bucket, Key: key, ContentType: contentType, ContentLength: size };
      return await getSignedUrl(await outside(), new PutObjectCommand(put), {
        expiresIn: Math.max(1, Math.round((expiresAt - now()) / SECOND)),
        signableHeaders: SIGNED_HEADERS,
      });
    },
  };
}

type Sdk = typeof import("@aws-sdk/client-s3");

function client(
  { S3Client }: Sdk,
  settings: S3Settings,
  endpoint: string | undefined,
): S3Client {
  const config: S3ClientConfig = {
    region: settings.S3_REGION,
    forcePathStyle: settings.S3_FORCE_PATH_STYLE,
    credentials: {
      accessKeyId: settings.AWS_ACCESS_KEY_ID!,
      secretAccessKey: settings.AWS_SECRET_ACCESS_KEY!,
    },
    // Else a link carries the checksum of an empty body, and stores refuse the real one.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: 5 * SECOND, requestTimeout: 30 * SECOND },
  };
  return new S3Client(endpoint === undefined ? config : { ...config, endpoint });
}

/** Null where the store has no such object. */
async function found404<T>(call: Promise<T>): Promise<T | null> {
  return await call.catch((error) => {
    const { name, $metadata } = error as Partial<S3ServiceException>;
    if ($metadata?.httpStatusCode === 404 && name !== "NoSuchBucket") return null;
    throw error;
  });
}
