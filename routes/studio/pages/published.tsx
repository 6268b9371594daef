/** A published post: what it looks like, what it brought, and how that compares at equal age. */
import type { z } from "zod";
import { getReadings, getStanding } from "../../../domain/operations/insights.ts";
import type { ExplainedReading } from "../../../domain/insights/readings.ts";
import type { Standing } from "../../../domain/insights/shape.ts";
import { explainItemById } from "../../../domain/operations/items.ts";
import { getPost } from "../../../domain/operations/posts.ts";
import { TRAITS } from "../../../domain/platforms/contract/traits.ts";
import type { Post } from "../../../domain/posts/shape.ts";
import { ageWords, likePostsWords, POST_FORMATS, whole } from "../numbers.ts";
import { scheduledAs } from "../own_post.ts";
import { AgeCurve } from "../parts/age_curve.tsx";
import { Figure, FIGURES, Reasons } from "../parts/figure.tsx";
import { Head, Page } from "../parts/frame.tsx";
import { Icon } from "../parts/icons.tsx";
import { PlainWords } from "../parts/post_links.tsx";
import { WhyLine } from "../parts/why.tsx";
import { idOf, queryOf, type Shown, type Studio } from "../studio.ts";
import { whenWords } from "../when.ts";
import { counted } from "../words.ts";

/** How many readings are shown before one asks for all. */
const READINGS = 12;
const TITLE = 70;

type Detail = z.output<typeof getPost.output>;

export async function publishedPage(studio: Studio, { error }: Shown) {
  const id = idOf(studio);
  const { call, zone } = studio;
  const [post, standing, { data: readings }] = await Promise.all([
    call(getPost, { id }),
    call(getStanding, { id }),
    call(getReadings, { id }),
  ]);
  const item = await scheduledAs(studio, post);
  const why = item === null ? null : await call(explainItemById, { id: item.id });
  const newest = readings.at(-1) ?? { ...post.metrics, nulls: {} };
  const { name } = TRAITS[post.platform];
  return (
    <Page studio={studio} place="insights" title={titleOf(post)} error={error}>
      <Head
        title={titleOf(post)}
        text={`${name} ${POST_FORMATS[post.format].one} · ${whenWords(post.publishedAt, zone)}` +
          ` · as of ${whenWords(newest.capturedAt, zone)}`}
      >
        <a class="button" href={post.url} rel="noreferrer">
          <Icon name="outside" />
          See it on {name}
        </a>
      </Head>
      <div class="split picture-first">
        <div class="stack">
          <Pictures post={post} />
          <Caption post={post} />
        </div>
        <div class="stack">
          <StandingCard post={post} standing={standing} />
          <section class="card" aria-labelledby="brought">
            <h2 id="brought">What it brought so far</h2>
            <dl class="figures small-figures">
              {FIGURES.map((figure) => (
                <div>
                  <dt class="soft small">
                    {figure.name === "engagementRate" ? "Interaction rate" : figure.word}
                  </dt>
                  <dd>
                    <Figure reading={newest} name={figure.name} platform={post.platform} />
                  </dd>
                </div>
              ))}
            </dl>
            <Reasons reads={[{ reading: newest, platform: post.platform }]} />
          </section>
          <Readings studio={studio} post={post} readings={readings} />
          {item === null ? null : (
            <section class="card" aria-labelledby="planned">
              <h2 id="planned" class="row">
                <Icon name="bulb" />
                Why it was published
              </h2>
              {item.decision.rationale === "" ? null : (
                <p dir="auto">
                  <PlainWords studio={studio} words={item.decision.rationale} />
                </p>
              )}
              <a href={studio.at(`/posts/${item.id}`)}>As it was scheduled in Marquee</a>
            </section>
          )}
          {why === null ? null : <WhyLine studio={studio} why={why} />}
        </div>
      </div>
    </Page>
  );
}

function titleOf({ title, caption, platform, format }: Post): string {
  const [first = ""] = (title ?? caption).split("\n").filter((line) => line.trim() !== "");
  if (first === "") return `${TRAITS[platform].name} ${POST_FORMATS[format].one}`;
  const letters = [...first];
  return letters.length <= TITLE ? first : `${letters.slice(0, TITLE).join("").trimEnd()}…`;
}

function Pictures({ post: { mediaUrls, thumbnailUrl } }: { post: Detail }) {
  const urls = mediaUrls.length > 0 ? mediaUrls : thumbnailUrl === null ? [] : [thumbnailUrl];
  const [only] = urls;
  if (only === undefined) {
    return (
      <div class="picture landscape">
        <span class="waits">
          <Icon name="picture" size={28} />
          The platform gave no picture.
        </span>
      </div>
    );
  }
  const one = (url: string, nth: number) => (
    <span class="picture any">
      <img
        src={url}
        alt={urls.length === 1 ? "The post’s picture" : `Picture ${nth + 1} of ${urls.length}`}
        decoding="async"
      />
    </span>
  );
  if (urls.length === 1) return one(only, 0);
  return (
    <div class="strip" role="group" aria-label={`${urls.length} pictures`} tabindex={0}>
      {urls.map(one)}
    </div>
  );
}

function Caption({ post: { title, caption, hashtags } }: { post: Detail }) {
  if (caption === "" && title === null) return null;
  const written = caption.toLowerCase();
  const others = hashtags.filter((tag) => !written.includes(`#${tag}`));
  return (
    <section class="card" aria-labelledby="text">
      <h2 id="text">Text</h2>
      {title === null ? null : (
        <p dir="auto">
          <b>{title}</b>
        </p>
      )}
      <p class="as-written" dir="auto">{caption}</p>
      {others.length === 0
        ? null
        : <p class="row">{others.map((tag) => <span class="chip">#{tag}</span>)}</p>}
    </section>
  );
}

function StandingCard({ post, standing }: { post: Detail; standing: Standing }) {
  const { ageHours, percentile, among, projection } = standing;
  const like = likePostsWords(post.platform, post.format);
  return (
    <section class="card" aria-labelledby="standing">
      <h2 id="standing">
        {percentile === null
          ? "Too early to compare"
          : `${aboveWords(percentile)} of your ${like} at the same age`}
      </h2>
      <p class="soft">
        {percentile === null
          ? `It needs five other ${like} whose interactions at its age are known; there ${
            among === 1 ? "is 1" : `are ${whole(among)}`
          }.`
          : `Compared with ${counted(among, "other post")} by likes, comments, shares and saves ` +
            `after ${ageWords(ageHours)}.`}
        {projection === null ? null : (
          <>
            {" "}
            After 7 days it will likely have {whole(projection.mid)} ({whole(projection.low)} to
            {" "}
            {whole(projection.high)}).
          </>
        )}
      </p>
      {standing.own.length === 0 ? null : <AgeCurve standing={standing} />}
    </section>
  );
}

function aboveWords(percentile: number): string {
  const percent = Math.round(percentile);
  if (percent === 0) return "Below all";
  return percent === 100 ? "Better than all" : `Better than ${percent}%`;
}

interface ReadingsProps {
  studio: Studio;
  post: Detail;
  readings: ExplainedReading[];
}

function Readings({ studio, post, readings }: ReadingsProps) {
  const all = queryOf(studio, "readings") === "all";
  const shown = readings.toReversed().slice(0, all ? readings.length : READINGS);
  const rest = readings.length - shown.length;
  return (
    <section class="card" aria-labelledby="readings">
      <header>
        <h2 id="readings">Readings</h2>
        <span class="soft small">{counted(readings.length, "reading")}, newest first</span>
      </header>
      <div class="wide-table tall" role="region" aria-label="The readings as a table" tabindex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Read</th>
              {FIGURES.map(({ word }) => <th scope="col" class="number">{word}</th>)}
            </tr>
          </thead>
          <tbody>
            {shown.map((reading) => (
              <tr>
                <th scope="row">{whenWords(reading.capturedAt, studio.zone)}</th>
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
      <div class="actions">
        <a class="button quiet" href={studio.at(`/published/${post.id}/readings.csv`)} download>
          <Icon name="download" />
          Download readings (CSV)
        </a>
        {rest === 0
          ? null
          : (
            <a class="button plain" href={studio.at(`/published/${post.id}?readings=all#readings`)}>
              Show {counted(rest, "earlier reading")}
            </a>
          )}
      </div>
    </section>
  );
}
