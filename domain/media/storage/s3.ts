/** The image store in a bucket of any S3-compatible service. Clients put and get files there directly. */
import type { S3Client, S3ClientConfig, S3ServiceException } from "@aws-sdk/client-s3";
import { HOUR, type Now, SECOND } from "../../foundation/calendar.ts";
import { once } from "../../foundation/once.ts";
import type { Settings } from "../../foundation/settings.ts";
import { isPrivateKey, type Storage, typeOfKey } from "./storage.ts";

/** Long enough for a platform to fetch what it publishes; Instagram asks for an hour. */
const GET_LIVES_S = 2 * HOUR / SECOND;
/** For ever, because a key's bytes never change. */
const CACHE = "public, max-age=31536000, immutable";
const NO_CACHE = "private, no-store";
/** Signed with an upload link, so that the store refuses another type or size. */
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
  const { S3_BUCKET: Bucket } = settings;
  const sdk = once(() => import("@aws-sdk/client-s3"));
  const presigner = once(() => import("@aws-sdk/s3-request-presigner"));
  const inside = once(async () => client(await sdk(), settings, settings.S3_ENDPOINT));
  /** Signs links. Their host is part of the signature, so this client has the host that clients use. */
  const outside = once(async () =>
    client(await sdk(), settings, settings.S3_PUBLIC_ENDPOINT ?? settings.S3_ENDPOINT)
  );

  return {
    local: null,
    async put(Key, { bytes, contentType }) {
      const { PutObjectCommand } = await sdk();
      const CacheControl = isPrivateKey(Key) ? NO_CACHE : CACHE;
      const object = { Bucket, Key, Body: bytes, ContentType: contentType, CacheControl };
      await (await inside()).send(new PutObjectCommand(object));
    },
    async get(Key) {
      const { GetObjectCommand } = await sdk();
      const found = await found404((await inside()).send(new GetObjectCommand({ Bucket, Key })));
      if (found?.Body === undefined) return null;
      const bytes = new Uint8Array(await found.Body.transformToByteArray());
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
  { S3_REGION, S3_FORCE_PATH_STYLE, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }: S3Settings,
  endpoint: string | undefined,
): S3Client {
  const config: S3ClientConfig = {
    region: S3_REGION,
    forcePathStyle: S3_FORCE_PATH_STYLE,
    // `readSettings` refuses a bucket without both.
    credentials: {
      accessKeyId: AWS_ACCESS_KEY_ID ?? "",
      secretAccessKey: AWS_SECRET_ACCESS_KEY ?? "",
    },
    // Otherwise a link contains the checksum of an empty body, and stores refuse the real one.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: 5 * SECOND, requestTimeout: 30 * SECOND },
  };
  return new S3Client(endpoint === undefined ? config : { ...config, endpoint });
}

/** The result of a call, or null if the store has no such object. */
async function found404<T>(call: Promise<T>): Promise<T | null> {
  return await call.catch((error) => {
    const { name, $metadata } = error as Partial<S3ServiceException>;
    if ($metadata?.httpStatusCode === 404 && name !== "NoSuchBucket") return null;
    throw error;
  });
}
