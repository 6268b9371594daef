/** Pictures for tests: the files beside the project where there are some, and ones made on the spot. */
import { assertEquals, assertRejects } from "@std/assert";
import { ServiceError } from "../../domain/foundation/errors.ts";
import { ingestImage } from "../../domain/media/images/ingest.ts";
import { loadSharp } from "../../domain/media/images/sharp.ts";
import { runProgram } from "./process.ts";

const HOSTILE = new URL("../../../shared/", import.meta.url);

/** Whether the folder of hostile and odd files is beside the project. */
export const haveShared = await Deno.stat(HOSTILE).then(() => true, () => false);

/** What a test's name says when it can't run without that folder. */
export const needsShared = haveShared ? "" : " (skipped: the folder of test files is absent)";

export function sharedFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return Deno.readFile(sharedUrl(path));
}

export function sharedUrl(path: string): URL {
  return new URL(path, HOSTILE);
}

export type Format = "jpeg" | "png" | "webp";

/** A small real picture of noise, so that no encoder can shrink it to nothing. */
export async function picture(
  format: Format = "jpeg",
  width = 64,
  height = 48,
): Promise<Uint8Array<ArrayBuffer>> {
  const sharp = await loadSharp();
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const image = sharp({ create: { width, height, channels: 3, noise, background: "white" } });
  return new Uint8Array(await image.toFormat(format).toBuffer());
}

/** The words with which these bytes are refused. */
export async function refusal(bytes: Uint8Array): Promise<string> {
  const error = await assertRejects(() => ingestImage(bytes), ServiceError);
  assertEquals(error.code, "validationError");
  return error.message;
}

/** By how many MB the peak of a process grows that takes these files in, the refused ones too; Linux. */
export async function peakOfIngesting(files: URL[]): Promise<number> {
  const program = `
    import { ingestImage } from ${
    JSON.stringify(import.meta.resolve("../../domain/media/images/ingest.ts"))
  };
    import { picture } from ${JSON.stringify(import.meta.url)};
    const peak = async () =>
      Number(/VmHWM:\\s+(\\d+) kB/.exec(await Deno.readTextFile("/proc/self/status"))[1]) / 1024;
    await ingestImage(await picture("png", 1000, 1000));
    const before = await peak();
    for (const file of ${JSON.stringify(files)}) {
      await ingestImage(await Deno.readFile(new URL(file))).catch(() => {});
    }
    console.log((await peak()) - before);
  `;
  return Number(await runProgram(["-A", "--ext=ts"], program) || NaN);
}
