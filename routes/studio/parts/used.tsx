/** How much of a limit is used, in words and as a bar. */
import { whole } from "../numbers.ts";

export function Used({ what, count, most }: { what: string; count: number; most: number }) {
  const words = `${whole(count)} of ${whole(most)} ${what}`;
  return (
    <div class="stack tight">
      <span>{words}</span>
      <meter max={most} value={count} aria-label={what}>{words}</meter>
    </div>
  );
}
