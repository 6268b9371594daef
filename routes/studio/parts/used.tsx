/** How much of a limit is used, in words and as a bar. */

export function Used({ what, count, most }: { what: string; count: number; most: number }) {
  const words = `${count.toLocaleString("en-US")} of ${most.toLocaleString("en-US")} ${what}`;
  return (
    <div class="stack tight">
      <span>{words}</span>
      <meter max={most} value={count} aria-label={what}>{words}</meter>
    </div>
  );
}
