/** The four steps to the first post, ticked by facts. */
import { listAssets } from "../../../domain/operations/assets.ts";
import { listCreations } from "../../../domain/operations/creations.ts";
import { listItems } from "../../../domain/operations/calendar.ts";
import type { Studio } from "../studio.ts";
import { Notice } from "./chip.tsx";
import { Icon } from "./icons.tsx";

interface Step {
  title: string;
  words: string;
  address: string;
  isDone: boolean;
}

interface Known {
  /** How many there are. */
  accounts: number;
  series: number;
  /** How many scheduled posts the page has found; there may be more. */
  posts: number;
}

export async function readSteps(
  studio: Studio,
  { accounts, series, posts }: Known,
): Promise<Step[]> {
  const [logos, pictures, hasPosts] = await Promise.all([
    studio.call(listAssets, { kind: "logo" }),
    studio.call(listCreations, { perPage: 1 }),
    // Counting all posts looks at each of them, which a brand with many should be spared.
    series > 0 || posts > 0 || hasAnyPost(studio),
  ]);
  return [
    {
      title: "Connect an account",
      words: "Where your posts are published, and read from.",
      address: studio.at("/settings/accounts"),
      isDone: accounts > 0,
    },
    {
      title: "Add your logo",
      words: "It can stand on every picture.",
      address: studio.at("/library?show=logo"),
      isDone: logos.data.length > 0,
    },
    {
      title: "Make a picture",
      words: "From an idea in a sentence.",
      address: studio.at("/create"),
      isDone: pictures.pagination.total > 0,
    },
    {
      title: "Schedule the first post",
      words: "One post, or a series that plans by itself.",
      address: studio.at(pictures.pagination.total > 0 ? "/library" : "/series/new"),
      isDone: hasPosts,
    },
  ];
}

const hasAnyPost = async ({ call }: Studio): Promise<boolean> =>
  (await call(listItems, { perPage: 1 })).pagination.total > 0;

/** The steps, until three of them are done; then only the one that is left. */
export function FirstSteps({ steps }: { steps: Step[] }) {
  const left = steps.filter(({ isDone }) => !isDone);
  const [last] = left;
  if (last === undefined) return null;
  if (left.length === 1) {
    return (
      <Notice>
        One step is left: <a href={last.address}>{last.title.toLowerCase()}</a>. {last.words}
      </Notice>
    );
  }
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <section class="stack" aria-labelledby="steps">
      <h2 id="steps">Four steps to your first post</h2>
      <ol class="steps">
        {steps.map(({ title, words, address, isDone }, n) => (
          <li class={isDone ? "done" : ""}>
            <span class="tick">
              {isDone ? <Icon name="check" size={16} /> : n + 1}
              <span class="out">{isDone ? "Done:" : ""}</span>
            </span>
            <span class="grow">
              <b>{title}</b>
              <div class="soft small">{words}</div>
            </span>
            {isDone
              ? null
              : (
                <a class={`button ${n === next ? "" : "quiet"}`} href={address} aria-label={title}>
                  {n === next ? "Start" : "Open"}
                </a>
              )}
          </li>
        ))}
      </ol>
    </section>
  );
}
