/** Files for `posts import`, each as long-lived as its test. */

/** A file that holds these bytes. */
export async function fileOf(content: string | Uint8Array, ending = ".jsonl") {
  const path = await Deno.makeTempFile({ suffix: ending });
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  await Deno.writeFile(path, bytes);
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path) };
}

/** One member of a gzip file. */
export async function gzip(text: string): Promise<Uint8Array> {
  const zipped = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return await new Response(zipped).bytes();
}

/** A post a line. */
export function jsonl(posts: readonly unknown[]): string {
  return posts.map((post) => JSON.stringify(post)).join("\n") + "\n";
}
