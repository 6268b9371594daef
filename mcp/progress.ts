/** Telling a client that asked for it that its call is still at work. */

/** Sends one notification: seconds of work so far, of how many at most where that is known. */
export type SendProgress = (
  progress: { progress: number; total?: number; message: string },
) => Promise<void>;

const EVERY_MS = 1_000;

/** Tells at once and then every second; returns how to stop. */
export function reportProgress(send: SendProgress, seconds: number | undefined): () => void {
  let progress = 0;
  const total = seconds === undefined ? {} : { total: seconds };
  // A client that is gone is told nothing.
  const tell = () => void send({ progress, ...total, message: "Still at work." }).catch(() => {});
  tell();
  const timer = setInterval(() => {
    progress++;
    tell();
  }, EVERY_MS);
  return () => clearInterval(timer);
}
