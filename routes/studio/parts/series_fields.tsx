/** The three steps of a series' form: what, when and where, look. */
import { AccountField, publishingAccounts } from "./account_field.tsx";
import type { CastMember } from "../../../domain/creations/cast.ts";
import { AspectRatio } from "../../../domain/media/images/aspect.ts";
import { SeriesFormat } from "../../../domain/platforms/contract/format.ts";
import type { Series } from "../../../domain/series/shape.ts";
import { textsOf } from "../form.ts";
import { type Shown, type Studio, valueOf } from "../studio.ts";
import { FORMATS, SHAPES } from "../words.ts";
import { AreaField, CheckField, OptionField, SelectField, TextField } from "./field.tsx";
import { ApprovalField } from "./approval.tsx";
import { OverlayFields } from "./overlay.tsx";

export interface FieldProps {
  studio: Studio;
  shown: Shown;
  cast: CastMember[];
  mode: Series["mode"];
  series?: Series;
}

export function What({ shown, mode, series }: FieldProps) {
  return (
    <section class="card" aria-labelledby="what">
      <h2 id="what">1. What</h2>
      <TextField
        name="name"
        label="Name"
        value={valueOf(shown, "name", series?.name)}
        most={120}
        required
      />
      {mode === "manual"
        ? (
          <AreaField
            name="theme"
            label="What it is about"
            value={valueOf(shown, "theme", series?.theme ?? "")}
            rows={3}
            most={2_000}
            required
            placeholder="Our baristas and the regulars they know by name"
          />
        )
        : (
          <>
            <AreaField
              name="goal"
              label="Goal"
              value={valueOf(shown, "goal", series?.goal ?? "")}
              rows={2}
              most={2_000}
              required
              placeholder="More guests on weekday mornings"
            />
            <AreaField
              name="guidance"
              label="Guidance"
              value={valueOf(shown, "guidance", series?.guidance ?? "")}
              rows={2}
              most={2_000}
              hint="What to keep to, what to leave out. May stay empty."
            />
          </>
        )}
    </section>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, "0")}:00 UTC`,
}));

export function When({ studio, shown, mode, series }: FieldProps) {
  const accounts = publishingAccounts(studio);
  const needsApproval = shown.given?.has("needsApproval") ?? series?.needsApproval ?? true;
  const publishDrafts = shown.given?.has("publishDrafts") ?? series?.publishDrafts ?? false;
  const number = (stored: number | null | undefined) => stored == null ? "" : String(stored);
  return (
    <section class="card" aria-labelledby="when">
      <h2 id="when">2. When and where</h2>
      <div class="two">
        {mode === "manual"
          ? (
            <TextField
              name="cadenceDays"
              label="Days between posts"
              type="number"
              least={1}
              most={90}
              value={valueOf(shown, "cadenceDays", number(series?.cadenceDays) || "3")}
              required
            />
          )
          : (
            <>
              <TextField
                name="postsPerWeek"
                label="Posts a week"
                type="number"
                least={1}
                most={21}
                value={valueOf(shown, "postsPerWeek", number(series?.postsPerWeek))}
                hint="Empty: the autopilot decides."
              />
              <TextField
                name="creditBudgetMonthly"
                label="Credits a month at most"
                type="number"
                least={0}
                most={100_000}
                value={valueOf(shown, "creditBudgetMonthly", number(series?.creditBudgetMonthly))}
                hint="Empty: no limit of its own."
              />
            </>
          )}
        <SelectField
          name="hourUtc"
          label="Hour"
          value={valueOf(shown, "hourUtc", String(series?.hourUtc ?? 9))}
          choices={HOURS}
        />
        <AccountField
          shown={shown}
          accounts={accounts}
          stored={series?.socialAccountId ?? accounts[0]?.id}
        />
      </div>
      <ApprovalField
        studio={studio}
        label="Wait for my approval"
        hint="Nothing is published that nobody has approved."
        checked={needsApproval}
      />
      <CheckField
        name="publishDrafts"
        label="Publish drafts, too"
        hint="Texts that were written without a language model are drafts."
        checked={publishDrafts}
      />
    </section>
  );
}

export function Look({ studio, shown, mode, series, cast }: FieldProps) {
  const formats: string[] = shown.given === undefined
    ? series?.formats ?? ["post"]
    : textsOf(shown.given, "formats");
  return (
    <section class="card" aria-labelledby="look">
      <h2 id="look">3. Look</h2>
      {mode === "manual"
        ? (
          <OptionField
            name="format"
            label="Format"
            value={valueOf(shown, "format", series?.format ?? "post")}
            choices={SeriesFormat.options.map((value) => ({ value, label: FORMATS[value] }))}
          />
        )
        : (
          <fieldset class="field">
            <legend>Formats it may use</legend>
            {SeriesFormat.options.map((value) => (
              <CheckField
                name="formats"
                value={value}
                label={FORMATS[value]}
                checked={formats.includes(value)}
              />
            ))}
          </fieldset>
        )}
      <OptionField
        name="aspectRatio"
        label="Shape"
        value={valueOf(shown, "aspectRatio", series?.aspectRatio ?? "portrait")}
        choices={AspectRatio.options.map((value) => ({ value, label: SHAPES[value].word }))}
      />
      {cast.length === 0 ? null : (
        <SelectField
          name="castMemberId"
          label="Cast"
          value={valueOf(shown, "castMemberId", series?.castMemberId ?? "")}
          choices={[
            { value: "", label: "Nobody in particular" },
            ...cast.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <OverlayFields
        studio={studio}
        shown={shown}
        overlay={series?.overlay ?? null}
        aspectRatio={series?.aspectRatio ?? "portrait"}
      />
    </section>
  );
}
