/** Downloads: how many run at once, and how many bytes they hold together. */
import { ServiceError } from "../../foundation/errors.ts";
import { Turns } from "../../foundation/turns.ts";

const REFUSAL = "Too many files are being fetched. Try again shortly.";
/** In flight: 4 a brand and 16 in all (DECISIONS "Bounds"). */
const downloads = new Turns<string>({
  ...{ running: 16, runningEach: 4 },
  ...{ waiting: 32, waitingEach: 8 },
  refusal: REFUSAL,
});
/**
 * Bytes that all downloads of this process may hold before they are complete. The network buffers in
 * which they arrived take as much again until they are collected.
 */
const MOST_BYTES = 64 * 1024 * 1024;
let bytesHeld = 0;

/**
 * Fetches a file and uses it when the brand's turn has come. The turn ends with `work`, because until
 * then the bytes are in memory.
 * @throws ServiceError `serviceUnavailable` when too many fetches wait already
 */
export function inDownloadTurn<T>(brandId: string, work: () => Promise<T>): Promise<T> {
  return downloads.run(brandId, work);
}

/**
 * All bytes of `chunks`, or null if they exceed `most`, which is their announced number or the largest
 * allowed. They are copied into one buffer, because each chunk, however small, may keep a whole network
 * buffer in memory.
 * @throws ServiceError `serviceUnavailable` while all other downloads leave no memory for it
 */
export async function readDownload(
  most: number,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (bytesHeld + most > MOST_BYTES) throw new ServiceError("serviceUnavailable", REFUSAL);
  bytesHeld += most;
  // Takes memory only as far as it is filled.
  const buffer = new ArrayBuffer(most);
  let filled = 0;
  try {
    for await (const chunk of chunks) {
      if (filled + chunk.length > most) return null;
      new Uint8Array(buffer).set(chunk, filled);
      filled += chunk.length;
    }
    return new Uint8Array(buffer.transfer(filled));
  } finally {
    bytesHeld -= most;
    // Frees what is not returned, because the next download may begin before it is collected.
    if (!buffer.detached) buffer.transfer(0);
  }
}
