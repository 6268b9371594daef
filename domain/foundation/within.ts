/** A deadline for waiting. */

/**
 * What `work` resolves to, or undefined when that takes longer than `ms`. The work itself continues; if
 * it fails later, the rejection counts as handled.
 * @throws what `work` rejects with in time
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((done) => timer = setTimeout(() => done(undefined), ms));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
