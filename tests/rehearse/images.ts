/** Where the rehearsal's images are kept: a bucket as on Deno Deploy, or a folder where there is none. */
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";

export interface Images {
  /** Settings of every instance. */
  environ: Record<string, string>;
  /** Folders that instances may write. */
  writable: string[];
  words: string;
}

/** A fresh bucket on the S3 server that `TEST_S3_ENDPOINT` names (`.ci/swift start` runs one). */
export async function imagesIn(dir: string): Promise<Images> {
  const endpoint = Deno.env.get("TEST_S3_ENDPOINT");
  if (endpoint === undefined) {
    return {
      environ: { JOBS: "poll", DATA_DIR: dir },
      writable: [dir],
      words: "a shared folder, because TEST_S3_ENDPOINT names no bucket (.ci/swift start)",
    };
  }
  const credentials = { accessKeyId: "test:tester", secretAccessKey: "testing" };
  const bucket = `rehearsal-${crypto.randomUUID()}`;
  const place = { endpoint, region: "us-east-1", forcePathStyle: true };
  const client = new S3Client({ ...place, credentials });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return {
    environ: {
      DENO_DEPLOY: "true",
      DENO_TIMELINE: "production",
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint,
      S3_REGION: "us-east-1",
      S3_FORCE_PATH_STYLE: "on",
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      ALLOW_PRIVATE_HOSTS: new URL(endpoint).host,
    },
    writable: [],
    words: "a bucket",
  };
}
