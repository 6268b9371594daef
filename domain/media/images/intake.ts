/** Takes images in from outside, with brands in turns: nobody's upload waits behind another's pile. */
import { Turns } from "../../foundation/turns.ts";
import { type IngestedImage, ingestImage, MAX_IMAGE_PIXELS, openImage } from "./ingest.ts";

/** Larger images may take seconds to decode, so they have a line of their own. */
const LARGE_PIXELS = 4_000_000;

const LINE = {
  runningEach: 1,
  waiting: 60,
  waitingEach: 12,
  refusal: "Too many images are being taken in. Try again shortly.",
};
/** Two of each: a large image may take 200 MB of memory, any other one 50 MB. */
const anySize = new Turns<string>({ ...LINE, running: 2 });
const largeOnes = new Turns<string>({ ...LINE, running: 2 });

/**
 * Reads an image and makes a clean file of it when the brand's turn has come. Until then no bytes are
 * held. `read` is called again for a large image, which has to wait in a second line.
 * @throws ServiceError `validationError` in words for the uploader; `serviceUnavailable` when too many
 * images wait already
 */
export async function takeIn(
  brandId: string,
  read: () => Promise<Uint8Array>,
): Promise<IngestedImage> {
  const image = await anySize.run(brandId, async () => {
    const { pixels, clean } = await openImage(await read());
    return pixels > LARGE_PIXELS && pixels <= MAX_IMAGE_PIXELS ? null : await clean();
  });
  return image ?? await largeOnes.run(brandId, async () => await ingestImage(await read()));
}
