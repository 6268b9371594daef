/** Settings: the brand itself: its name, how it sounds, how it looks. */
import { Font, MOST_COLORS, type Voice, VOICE_LENGTH } from "../../../domain/brands/kit_fields.ts";
import { updateOrganization } from "../../../domain/operations/organizations.ts";
import { getLogoColors } from "../../../domain/operations/kit.ts";
import { changeKit } from "../../../domain/operations/people.ts";
import { orNull, textOf } from "../form.ts";
import { ColourFields, coloursOf } from "../parts/colours.tsx";
import { AreaField, Editable, SelectField, TextField } from "../parts/field.tsx";
import { Settings } from "../parts/settings_frame.tsx";
import { LANGUAGES, ZONES } from "../places.ts";
import { queryOf, type Shown, type Studio, valueOf } from "../studio.ts";

const NO_VOICE: Voice = { tone: "", use: [], avoid: [], examples: [] };

export async function brandPage(studio: Studio, shown: Shown) {
  const may = studio.may(changeKit);
  // Only on request, because the logo is decoded for it.
  const ofLogo = queryOf(studio, "colours") === "logo"
    ? (await studio.call(getLogoColors, {})).colors
    : null;
  return (
    <Settings studio={studio} shown={shown} path="/settings">
      <Editable may={may} action={studio.at("/settings")}>
        <Basics studio={studio} shown={shown} />
        <Sound studio={studio} shown={shown} />
        <Look studio={studio} shown={shown} ofLogo={ofLogo} />
      </Editable>
    </Settings>
  );
}

type Props = { studio: Studio; shown: Shown };

function Basics({ studio, shown }: Props) {
  const { name, language, kit } = studio.about;
  const known = language === null || LANGUAGES.some(({ value }) => value === language);
  return (
    <section class="card form" aria-labelledby="basics">
      <h2 id="basics">The brand</h2>
      {studio.may(updateOrganization)
        ? (
          <TextField
            name="name"
            label="Name"
            value={valueOf(shown, "name", name)}
            most={120}
            required
          />
        )
        : null}
      <div class="two">
        <SelectField
          name="language"
          label="Language"
          value={valueOf(shown, "language", language ?? "")}
          choices={[
            { value: "", label: "That of each series" },
            ...LANGUAGES,
            ...(known || language === null ? [] : [{ value: language, label: language }]),
          ]}
          hint="Of captions and texts on pictures."
        />
        <SelectField
          name="timeZone"
          label="Time zone"
          value={valueOf(shown, "timeZone", kit.timeZone ?? "")}
          choices={[{ value: "", label: "UTC" }, ...ZONES]}
          hint="All times in Studio and the digest are in it."
        />
      </div>
    </section>
  );
}

function Sound({ studio, shown }: Props) {
  const { tone, use, avoid, examples } = { ...NO_VOICE, ...studio.about.kit.voice };
  const area = (name: keyof Voice, label: string, stored: string, hint: string, rows: number) => (
    <AreaField
      {...{ name, label, hint, rows }}
      value={valueOf(shown, name, stored)}
      most={VOICE_LENGTH}
    />
  );
  return (
    <section class="card form" aria-labelledby="sound">
      <h2 id="sound">Voice</h2>
      {area("tone", "Tone", tone ?? "", "Warm and short, never shouting, for example.", 2)}
      <div class="two">
        {area("use", "Words to use", (use ?? []).join("\n"), "One a line.", 3)}
        {area("avoid", "Words to avoid", (avoid ?? []).join("\n"), "One a line.", 3)}
      </div>
      {area(
        "examples",
        "Texts that sound like the brand",
        (examples ?? []).join("\n\n"),
        "With an empty line between two. All of it together at most 2,000 characters.",
        5,
      )}
    </section>
  );
}

/** @param ofLogo the logo's colours, when they were asked for */
function Look({ studio, shown, ofLogo }: Props & { ofLogo: string[] | null }) {
  const { baseStylePrompt, colors, headingFont, bodyFont } = studio.about.kit;
  const hasFound = ofLogo !== null && ofLogo.length > 0;
  const fonts = [
    { value: "", label: "As the layout has it" },
    ...Font.options.map((value) => ({ value, label: value })),
  ];
  return (
    <section class="card form" aria-labelledby="look">
      <h2 id="look">Look</h2>
      <AreaField
        name="baseStylePrompt"
        label="Style"
        value={valueOf(shown, "baseStylePrompt", baseStylePrompt)}
        most={4_000}
        hint="The start of every prompt: light, colours, mood. Every picture gets it."
      />
      <ColourFields
        shown={shown}
        colours={hasFound ? ofLogo : colors ?? []}
        most={MOST_COLORS}
      />
      {studio.may(changeKit)
        ? (
          <p class="soft">
            {ofLogo === null
              ? <a href={studio.at("/settings?colours=logo#look")}>Take the logo's colours</a>
              : hasFound
              ? "These are the logo's colours. They count once you save them."
              : "The logo has no colours to take, or there is none yet."}
          </p>
        )
        : null}
      <div class="two">
        <SelectField
          name="headingFont"
          label="Font of headings"
          value={valueOf(shown, "headingFont", headingFont ?? "")}
          choices={fonts}
        />
        <SelectField
          name="bodyFont"
          label="Font of text"
          value={valueOf(shown, "bodyFont", bodyFont ?? "")}
          choices={fonts}
        />
      </div>
    </section>
  );
}

/** Stores the fields that the form has; another page's stay as they are. */
export async function saveBrand(studio: Studio, fields: FormData): Promise<string> {
  const given = <T,>(name: string, read: () => T) => fields.has(name) ? { [name]: read() } : {};
  const choice = (name: string) => given(name, () => orNull(textOf(fields, name)));
  await studio.call(changeKit, {
    ...given("baseStylePrompt", () => textOf(fields, "baseStylePrompt")),
    ...(fields.has("tone") ? { voice: voiceOf(fields) } : {}),
    ...choice("language"),
    ...choice("timeZone"),
    ...choice("headingFont"),
    ...choice("bodyFont"),
    ...coloursOf(fields),
  });
  const name = textOf(fields, "name");
  if (fields.has("name") && name !== studio.brand.name) {
    await studio.call(updateOrganization, { id: studio.brand.id, name });
  }
  return "/settings?saved";
}

function voiceOf(fields: FormData): Voice | null {
  const parts = (name: string, border: RegExp) =>
    textOf(fields, name).split(border).map((part) => part.trim()).filter((part) => part !== "");
  const voice: Voice = {
    tone: textOf(fields, "tone").trim(),
    use: parts("use", /\n/),
    avoid: parts("avoid", /\n/),
    examples: parts("examples", /\n\s*\n/),
  };
  return Object.values(voice).every(({ length }) => length === 0) ? null : voice;
}
