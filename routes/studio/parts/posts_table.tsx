/** The posts of a period as a table that can be sorted, with a reason for each number that is missing. */
import type { z } from "zod";
import type { ExplainedReading } from "../../../domain/insights/readings.ts";
import type { listPosts } from "../../../domain/operations/posts.ts";
import { TRAITS } from "../../../domain/platforms/contract/traits.ts";
import type { PostSort } from "../../../domain/posts/query.ts";
import type { Post } from "../../../domain/posts/shape.ts";
import { type Asked, insightsAt, SWAPS } from "../insights_query.ts";
import { POST_FORMATS, whole } from "../numbers.ts";
import type { Studio } from "../studio.ts";
import { dayWords } from "../when.ts";
import { counted } from "../words.ts";
import { Figure, FIGURES, Reasons } from "./figure.tsx";
import { Icon } from "./icons.tsx";

/** Which columns the list of posts can be sorted by. */
const SORTS: Partial<Record<typeof FIGURES[number]["name"], PostSort>> = {
  views: "views",
  impressions: "impressions",
  comments: "comments",
  clicks: "clicks",
  engagementRate: "engagementRate",
};

export interface ListedPost {
  post: Post;
  reading: ExplainedReading;
}

interface TableProps {
  studio: Studio;
  asked: Asked;
  posts: ListedPost[];
  pagination: z.output<typeof listPosts.output>["pagination"];
}

export function PostsTable({ studio, asked, posts, pagination }: TableProps) {
  return (
    <section class="card later" aria-labelledby="posts">
      <header class="head">
        <div>
          <h2 id="posts">{counted(pagination.total, "post")}</h2>
          <p class="soft small">Published in these days, with all they have so far.</p>
        </div>
        <Exports studio={studio} asked={asked} />
      </header>
      {posts.length === 0
        ? (
          <p class="soft">
            {pagination.total === 0
              ? "Nothing was published in these days. Try a longer period."
              : "This page is past the last post."}
          </p>
        )
        : (
          <div
            class="wide-table"
            role="region"
            aria-label="The posts as a table"
            tabindex={0}
            {...SWAPS}
          >
            <table class="posts">
              <thead>
                <tr>
                  <Column studio={studio} asked={asked} word="Post" sort="published" />
                  {FIGURES.map(({ name, word }) => (
                    <Column studio={studio} asked={asked} word={word} sort={SORTS[name]} isNumber />
                  ))}
                </tr>
              </thead>
              <tbody>
                {posts.map(({ post, reading }) => (
                  <tr>
                    <th scope="row">
                      <PostCell studio={studio} post={post} />
                    </th>
                    {FIGURES.map(({ name }) => (
                      <td class="number">
                        <Figure reading={reading} name={name} platform={post.platform} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      <MissingNumbers posts={posts} />
      <Pager studio={studio} asked={asked} pageCount={pagination.pageCount} />
    </section>
  );
}

function MissingNumbers({ posts }: { posts: ListedPost[] }) {
  const reads = posts.map(({ post: { platform }, reading }) => ({ platform, reading }));
  const isMissing = reads.some(({ reading: { reach, saves, clicks } }) =>
    reach === null || saves === null || clicks === null
  );
  if (!isMissing) return null;
  return (
    <details class="more">
      <summary class="small">
        Why some numbers are missing
      </summary>
      <Reasons reads={reads} />
    </details>
  );
}

interface ColumnProps {
  studio: Studio;
  asked: Asked;
  word: string;
  sort: PostSort | undefined;
  isNumber?: boolean;
}

function Column({ studio, asked, word, sort, isNumber = false }: ColumnProps) {
  const kind = isNumber ? "number" : "";
  if (sort === undefined) return <th scope="col" class={kind}>{word}</th>;
  const isSorted = asked.sort === sort;
  const dir = isSorted && asked.dir === "desc" ? "asc" : "desc";
  const words = sort === "published" ? "Published" : word;
  return (
    <th
      scope="col"
      class={kind}
      aria-sort={isSorted ? asked.dir === "desc" ? "descending" : "ascending" : undefined}
    >
      <a
        class="sort"
        id={`sort-${sort}`}
        href={`${insightsAt(studio, asked, { sort, dir, page: 1 })}#posts`}
        aria-current={isSorted ? "true" : undefined}
      >
        {words}
        {isSorted ? <Icon name={asked.dir === "desc" ? "down" : "up"} size={12} /> : null}
        <span class="out">, sort {dir === "desc" ? "the most first" : "the least first"}</span>
      </a>
    </th>
  );
}

function PostCell({ studio, post }: { studio: Studio; post: Post }) {
  const { id, url, title, caption, thumbnailUrl, platform, format, publishedAt } = post;
  const { name } = TRAITS[platform];
  const words = title ?? (caption === "" ? "A post without text" : caption);
  return (
    <div class="post-cell" hx-boost="false">
      <span class="thumb">
        {thumbnailUrl === null
          ? <Icon name="picture" />
          : <img src={thumbnailUrl} alt="" loading="lazy" decoding="async" />}
      </span>
      <span class="grow">
        <a class="clip" href={studio.at(`/published/${id}`)} dir="auto">{words.slice(0, 120)}</a>
        <span class="soft small">
          {dayWords(publishedAt, studio.zone)} ·{" "}
          <a class="where" href={url} rel="noreferrer">
            {name} {POST_FORMATS[format].one}
            <Icon name="outside" size={12} />
            <span class="out">&nbsp;(opens {name})</span>
          </a>
        </span>
      </span>
    </div>
  );
}

function Exports({ studio, asked }: { studio: Studio; asked: Asked }) {
  const [, query = ""] = insightsAt(studio, asked).split("?");
  const file = (name: string, words: string, what: string) => (
    <a class="button quiet" href={studio.at(`/insights/${name}?${query}`)} download>
      <Icon name="download" />
      {words}
      <span class="out">&nbsp;{what}</span>
    </a>
  );
  return (
    <div class="actions">
      {file("posts.csv", "CSV", "of these posts")}
      {file("posts.ndjson", "NDJSON", "of these posts")}
    </div>
  );
}

function Pager(
  { studio, asked, pageCount }: { studio: Studio; asked: Asked; pageCount: number },
) {
  const { page } = asked;
  if (pageCount < 2 && page === 1) return null;
  const to = (next: number) => `${insightsAt(studio, asked, { page: next })}#posts`;
  return (
    <nav class="actions pager" aria-label="Pages of posts" {...SWAPS}>
      {page > 1
        ? (
          <a class="button quiet" id="page-before" href={to(Math.min(page - 1, pageCount))}>
            <Icon name="left" />
            Before
          </a>
        )
        : null}
      <span class="soft">
        Page {whole(page)} of {whole(pageCount)}
      </span>
      {page < pageCount
        ? (
          <a class="button quiet" id="page-next" href={to(page + 1)}>
            Next
            <Icon name="right" />
          </a>
        )
        : null}
    </nav>
  );
}
