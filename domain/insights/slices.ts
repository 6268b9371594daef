/** Cuts long computations into slices, so that other requests are served in between. */

/** The longest slice, ms. */
const SLICE_MS = 4;

/** Waits for others' turn if this slice has lasted long enough. */
export type Turn = () => Promise<void> | undefined;

/** Turns for one computation, which should ask for one after every few hundred steps. */
export function turns(): Turn {
  let endsAt = performance.now() + SLICE_MS;
  return () => {
    if (performance.now() < endsAt) return;
    return new Promise<void>((done) => setTimeout(done)).then(() => {
      endsAt = performance.now() + SLICE_MS;
    });
  };
}
