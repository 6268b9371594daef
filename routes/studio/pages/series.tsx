/** Series: all of them as cards, and one with what it does, why, and what it will do. */
import { TRAITS } from "../../../domain/platforms/contract/traits.ts";
import { ServiceError } from "../../../domain/foundation/errors.ts";
import {
  createReview,
  createSeries,
  deleteSeries,
  getSeries,
  listAllSeries,
  simulateSeries,
  updateSeries,
} from "../../../domain/operations/series.ts";
import type { Series } from "../../../domain/series/shape.ts";
import { Chip, Empty, Notice } from "../parts/chip.tsx";
import { Head, Page } from "../parts/frame.tsx";
import { Icon } from "../parts/icons.tsx";
import { PlaybookCards } from "../parts/playbook.tsx";
import { reviewInForce, Reviews, ScoreCard } from "../parts/reviews.tsx";
import { PostTile } from "../parts/post_tile.tsx";
import { SimulationView } from "../parts/simulation.tsx";
import { idOf, type Shown, type Studio } from "../studio.ts";
import { counted, FORMATS, plain, type StateWords } from "../words.ts";

const RUNNING: StateWords = { word: "Running", icon: "play", tone: "good" };
const PAUSED: StateWords = { word: "Paused", icon: "pause", tone: "calm" };

export async function seriesPage(studio: Studio, { error }: Shown) {
  const { data } = await studio.call(listAllSeries, {});
  const mayStart = studio.may(createSeries);
  return (
    <Page studio={studio} place="series" title="Series" error={error}>
      <Head title="Series" text="They plan posts by themselves, by your recipe or on autopilot.">
        {mayStart
          ? (
            <a class="button" href={studio.at("/series/new")}>
              <Icon name="plus" />
              Start a series
            </a>
          )
          : null}
      </Head>
      {data.length === 0
        ? (
          <Empty title="No series yet">
            <p>A series keeps the calendar full: you approve, it does the rest.</p>
            {mayStart
              ? (
                <p class="actions">
                  <a class="button" href={studio.at("/series/new")}>Your own recipe</a>
                  <a class="button quiet" href={studio.at("/series/new?mode=autopilot")}>
                    Autopilot
                  </a>
                </p>
              )
              : null}
          </Empty>
        )
        : (
          <ul class="grid wide">
            {data.map((series) => <SeriesCard studio={studio} series={series} />)}
          </ul>
        )}
    </Page>
  );
}

function SeriesCard({ studio, series }: { studio: Studio; series: Series }) {
  const { id, name, mode, active, theme, goal } = series;
  return (
    <li>
      <a class="card tile" href={studio.at(`/series/${id}`)}>
        <span class="row">
          <Chip state={active ? RUNNING : PAUSED} />
          <span class="soft small">{mode === "manual" ? "Your recipe" : "Autopilot"}</span>
        </span>
        <h2 dir="auto">{name}</h2>
        <span class="soft clip2" dir="auto">{theme ?? goal}</span>
        <span class="soft small">{paceWords(studio, series)}</span>
      </a>
    </li>
  );
}

/** How often, what, when and where, in a line. */
function paceWords({ about }: Studio, series: Series): string {
  const { cadenceDays, postsPerWeek, playbook, format, formats, socialAccountId } = series;
  const account = about.accounts.find(({ id }) => id === socialAccountId);
  const weekly = postsPerWeek ?? playbook?.cadencePerWeek ?? null;
  const pace = cadenceDays !== null
    ? cadenceDays === 1 ? "every day" : `every ${cadenceDays} days`
    : weekly === null
    ? "as often as it pays"
    : `${weekly} a week`;
  const what = format === null ? formats.map((one) => FORMATS[one]).join(", ") : FORMATS[format];
  const where = account === undefined
    ? "no account yet"
    : `${account.handle} · ${TRAITS[account.platform].name}`;
  return `${what}, ${pace}, ${where}`;
}

export async function oneSeriesPage(studio: Studio, { error }: Shown) {
  const id = idOf(studio);
  const series = await studio.call(getSeries, { id });
  const { name, active, mode, items, playbook, reviews } = series;
  const at = studio.at(`/series/${id}`);
  const [newest] = reviews;
  const inForce = reviewInForce(playbook, reviews);
  const coming = items.filter(({ status }) => status !== "published" && status !== "skipped");
  return (
    <Page studio={studio} place="series" title={name} error={error}>
      <Head
        title={name}
        text={
          <span class="row">
            <Chip state={active ? RUNNING : PAUSED} />
            {paceWords(studio, series)}
          </span>
        }
      >
        {studio.may(updateSeries) ? <Verbs at={at} series={series} /> : null}
      </Head>
      {active ? null : <Notice>It is paused. Nothing is planned, made or published by it.</Notice>}
      <div class="split">
        <div class="stack">
          {mode === "autopilot"
            ? <PlaybookCards studio={studio} playbook={playbook} review={inForce} />
            : <About title="What it is about" text={series.theme ?? ""} />}
          <section class="stack" aria-labelledby="posts">
            <h2 id="posts">Its next posts</h2>
            {coming.length === 0
              ? <p class="soft">The first are planned within a quarter of an hour.</p>
              : (
                <ul class="grid">
                  {coming.slice(0, 8).map((post) => <PostTile studio={studio} post={post} />)}
                </ul>
              )}
          </section>
          {mode === "autopilot"
            ? <Reviews {...{ studio, seriesId: id, reviews, inForce }} />
            : null}
        </div>
        <aside class="stack">
          <section class="card" aria-labelledby="will">
            <h2 id="will">The next 30 days</h2>
            {await simulationOf(studio, series)}
          </section>
          {mode === "autopilot" ? <About title="Goal" text={series.goal ?? ""} /> : null}
          {newest === undefined ? null : <ScoreCard score={newest.score} />}
          {studio.may(deleteSeries)
            ? (
              <form method="post" action={`${at}/delete`}>
                <button class="danger">Delete this series</button>
              </form>
            )
            : null}
        </aside>
      </div>
    </Page>
  );
}

function Verbs({ at, series: { mode, active } }: { at: string; series: Series }) {
  return (
    <>
      {mode === "autopilot"
        ? (
          <form method="post" action={`${at}/review`}>
            <button>
              <Icon name="bulb" />
              Review now
            </button>
          </form>
        )
        : null}
      <a class="button quiet" href={`${at}/change`}>
        <Icon name="pencil" />
        Change
      </a>
      <form method="post" action={`${at}/${active ? "pause" : "resume"}`}>
        <button class="quiet">
          <Icon name={active ? "pause" : "play"} />
          {active ? "Pause" : "Resume"}
        </button>
      </form>
    </>
  );
}

function About({ title, text }: { title: string; text: string }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <p dir="auto">{text}</p>
    </section>
  );
}

/** An autopilot without a playbook would be reviewed for it, which a look at a page must not cost. */
async function simulationOf(studio: Studio, { id, mode, playbook }: Series) {
  if (mode === "autopilot" && playbook === null) {
    return <p class="soft">Once it has looked at your posts, its plan appears here.</p>;
  }
  try {
    const simulation = await studio.call(simulateSeries, { id });
    return <SimulationView studio={studio} simulation={simulation} />;
  } catch (error) {
    if (error instanceof ServiceError) return <p class="soft">{plain(error.message)}</p>;
    throw error;
  }
}

export async function pauseSeries(studio: Studio): Promise<string> {
  await studio.call(updateSeries, { id: idOf(studio), active: false });
  return `/series/${idOf(studio)}`;
}

export async function resumeSeries(studio: Studio): Promise<string> {
  await studio.call(updateSeries, { id: idOf(studio), active: true });
  return `/series/${idOf(studio)}`;
}

export async function reviewSeries(studio: Studio): Promise<string> {
  await studio.call(createReview, { id: idOf(studio) });
  return `/series/${idOf(studio)}`;
}

/** Asks before a series is deleted; the button of the page that asks does it. */
export async function removeSeries(studio: Studio, fields: FormData) {
  const id = idOf(studio);
  if (fields.has("sure")) {
    await studio.call(deleteSeries, { id });
    return "/series";
  }
  const { name, items } = await studio.call(getSeries, { id });
  const open = items.filter(({ status }) => status !== "published" && status !== "skipped").length;
  return (
    <Page studio={studio} place="series" title={`Delete ${name}`}>
      <Head
        title={`Delete ${name}?`}
        text={`Its ${counted(open, "coming post")} will not be published. What is public stays.`}
      />
      <form method="post" action={studio.at(`/series/${id}/delete`)} class="actions">
        <button class="danger sure" name="sure" value="yes">Delete the series</button>
        <a class="button plain" href={studio.at(`/series/${id}`)}>Keep it</a>
      </form>
    </Page>
  );
}
