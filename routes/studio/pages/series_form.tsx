/** The form of a series in three steps, with what it would do beside it. */
import { ServiceError } from "../../../domain/foundation/errors.ts";
import { AspectRatio } from "../../../domain/media/images/aspect.ts";
import { listCastMembers } from "../../../domain/operations/cast.ts";
import { createSeries, getSeries, updateSeries } from "../../../domain/operations/series.ts";
import { previewSeries } from "../../../domain/operations/series_preview.ts";
import { SeriesFormat } from "../../../domain/platforms/contract/format.ts";
import type { Simulation } from "../../../domain/series/running/simulate.ts";
import type { Series, SeriesInput } from "../../../domain/series/shape.ts";
import { numberOf, orNull, textOf, textsOf } from "../form.ts";
import { Head, Page } from "../parts/frame.tsx";
import { overlayOf } from "../parts/overlay.tsx";
import { type FieldProps, Look, What, When } from "../parts/series_fields.tsx";
import { SimulationView } from "../parts/simulation.tsx";
import { idOf, queryOf, type Shown, type Studio, valueOf } from "../studio.ts";
import { plain } from "../words.ts";

type Mode = Series["mode"];

export async function newSeriesPage(studio: Studio, shown: Shown) {
  const { data: cast } = await studio.call(listCastMembers, {});
  const asked = valueOf(shown, "mode", queryOf(studio, "mode"));
  const mode: Mode = asked === "autopilot" ? "autopilot" : "manual";
  const preview = shown.given === undefined ? null : await previewOf(studio, shown.given);
  return <FormPage {...{ studio, shown, cast, mode, preview }} />;
}

export async function editSeriesPage(studio: Studio, shown: Shown) {
  const [{ data: cast }, series] = await Promise.all([
    studio.call(listCastMembers, {}),
    studio.call(getSeries, { id: idOf(studio) }),
  ]);
  return <FormPage {...{ studio, shown, cast, series, mode: series.mode, preview: null }} />;
}

interface FormProps extends FieldProps {
  preview: Simulation | string | null;
}

function FormPage(props: FormProps) {
  const { studio, shown, mode, series, preview } = props;
  const address = studio.at(series === undefined ? "/series/new" : `/series/${series.id}/change`);
  const title = series?.name ?? "Start a series";
  const live = series === undefined && mode === "manual"
    ? {
      "hx-post": studio.at("/series/preview"),
      "hx-trigger": "load, change delay:300ms",
      "hx-target": "#preview",
      "hx-select": "#preview",
      "hx-swap": "outerHTML",
      "hx-include": "closest form",
    }
    : {};
  return (
    <Page studio={studio} place="series" title={title} error={shown.error}>
      <Head
        title={title}
        text={mode === "manual"
          ? "A recipe of yours, repeated at a fixed pace."
          : "You give the goal. The autopilot plans, learns from what posts earn, and says why."}
      />
      {series === undefined ? <Modes studio={studio} mode={mode} /> : null}
      <form class="split" method="post" action={address}>
        <input type="hidden" name="mode" value={mode} />
        <div class="stack" {...live}>
          <What {...props} />
          <When {...props} />
          <Look {...props} />
        </div>
        <aside class="card form">
          <h2>What it would do</h2>
          <Preview studio={studio} preview={preview} mode={mode} isNew={series === undefined} />
          <div class="actions">
            <button>{series === undefined ? "Start the series" : "Save"}</button>
            {series === undefined && mode === "manual"
              ? (
                <button
                  class="quiet"
                  formaction={studio.at("/series/preview")}
                  formnovalidate
                  data-without-script
                >
                  Work it out
                </button>
              )
              : null}
          </div>
        </aside>
      </form>
    </Page>
  );
}

function Modes({ studio, mode }: { studio: Studio; mode: Mode }) {
  const link = (one: Mode, word: string) => (
    <a
      href={studio.at(`/series/new?mode=${one}`)}
      aria-current={one === mode ? "page" : undefined}
    >
      {word}
    </a>
  );
  return (
    <nav class="switch" aria-label="Kind of series">
      {link("manual", "Your recipe")}
      {link("autopilot", "Autopilot")}
    </nav>
  );
}

interface PreviewProps {
  studio: Studio;
  preview: Simulation | string | null;
  mode: Mode;
  isNew: boolean;
}

function Preview({ studio, preview, mode, isNew }: PreviewProps) {
  const waits = mode === "autopilot"
    ? "The autopilot looks at what your posts have earned, then plans its first week."
    : isNew
    ? "Say what it is about, and the posts appear here."
    : "A change of pace, theme or account plans anew what has no picture yet.";
  return (
    <div id="preview" class="stack" aria-live="polite">
      {preview === null
        ? <p class="soft">{waits}</p>
        : typeof preview === "string"
        ? <p class="soft">{preview}</p>
        : <SimulationView studio={studio} simulation={preview} />}
    </div>
  );
}

/** The fields of the form as the operations take them. */
function inputOf(fields: FormData): SeriesInput {
  const text = (name: string) => textOf(fields, name);
  const numberOrNull = (name: string) => orNull(text(name)) === null ? null : numberOf(text(name));
  const format = SeriesFormat.parse(text("format") || "post");
  const isManual = text("mode") !== "autopilot";
  return {
    name: text("name"),
    mode: isManual ? "manual" : "autopilot",
    aspectRatio: AspectRatio.parse(text("aspectRatio") || "portrait"),
    hourUtc: numberOf(text("hourUtc") || "9"),
    socialAccountId: orNull(text("socialAccountId")),
    castMemberId: orNull(text("castMemberId")),
    needsApproval: fields.has("needsApproval"),
    publishDrafts: fields.has("publishDrafts"),
    overlay: overlayOf(fields),
    ...(isManual ? { theme: text("theme"), format, cadenceDays: numberOf(text("cadenceDays")) } : {
      goal: text("goal"),
      guidance: orNull(text("guidance")),
      formats: SeriesFormat.options.filter((one) => textsOf(fields, "formats").includes(one)),
      postsPerWeek: numberOrNull("postsPerWeek"),
      creditBudgetMonthly: numberOrNull("creditBudgetMonthly"),
    }),
  };
}

/** What the form would do, or the words why it can't be said yet. */
async function previewOf(studio: Studio, fields: FormData): Promise<Simulation | string | null> {
  if (textOf(fields, "mode") === "autopilot") return null;
  // A name and a theme are not needed to work out the times.
  const { name, theme, ...input } = inputOf(fields);
  const named = {
    ...input,
    name: orNull(name) ?? "New",
    theme: orNull(theme ?? "") ?? "about your theme",
  };
  try {
    return await studio.call(previewSeries, named);
  } catch (error) {
    if (error instanceof ServiceError) return plain(error.message);
    throw error;
  }
}

export const preview = (studio: Studio, fields: FormData) =>
  newSeriesPage(studio, { given: fields });

export async function startSeries(studio: Studio, fields: FormData): Promise<string> {
  const { id } = await studio.call(createSeries, inputOf(fields));
  return `/series/${id}`;
}

export async function saveSeries(studio: Studio, fields: FormData): Promise<string> {
  await studio.call(updateSeries, { id: idOf(studio), ...inputOf(fields) });
  return `/series/${idOf(studio)}`;
}
