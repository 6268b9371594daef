/** Progress notifications for clients that ask for them. */

/** Sends one notification: seconds so far and, where known, the most it can take. */
export type SendProgress = (
  progress: { progress: number; total?: number; message: string },
) => Promise<void>;

const EVERY_MS = 1_000;

/** Notifies at once and then every second; returns a function that stops it. */
export function reportProgress(send: SendProgress, seconds: number | undefined): () => void {
  let progress = 0;
  const total = seconds === undefined ? {} : { total: seconds };
  // Sending fails when the client has disconnected; nobody needs to know.
  const tell = () => void send({ progress, ...total, message: "Still at work." }).catch(() => {});
  tell();
  const timer = setInterval(() => {
    progress++;
    tell();
  }, EVERY_MS);
  return () => clearInterval(timer);
}
