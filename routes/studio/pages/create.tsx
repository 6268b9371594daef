/** Create: from an idea to pictures. What it costs is said before. */
import type { CastMember } from "../../../domain/creations/cast.ts";
import { AspectRatio } from "../../../domain/media/images/aspect.ts";
import { composeCreation } from "../../../domain/operations/compose.ts";
import { createCreation, getCreation } from "../../../domain/operations/creations.ts";
import { getUsage } from "../../../domain/operations/people.ts";
import { listCastMembers } from "../../../domain/operations/cast.ts";
import { numberOf, orNull, textOf } from "../form.ts";
import { forDay, wantedDay } from "../free_day.ts";
import { AreaField, CheckField, OptionField, SelectField } from "../parts/field.tsx";
import { Empty, Notice } from "../parts/chip.tsx";
import { Head, Page } from "../parts/frame.tsx";
import { Icon } from "../parts/icons.tsx";
import { OverlayFields, overlayOf } from "../parts/overlay.tsx";
import { againAddress, PictureTile } from "../parts/picture.tsx";
import { whole } from "../numbers.ts";
import { queryOf, type Shown, type Studio, valueOf } from "../studio.ts";
import { dayWords } from "../when.ts";
import { counted, SHAPES } from "../words.ts";

const MOST_VARIANTS = 4;
const WHAT_TO_DO = "Say what you want to see. You choose the best of what comes back.";

export async function createPage(studio: Studio, shown: Shown) {
  const { data: cast } = await studio.call(listCastMembers, {});
  return <CreatePage studio={studio} shown={shown} cast={cast} prompt={promptOf(studio, shown)} />;
}

const promptOf = (studio: Studio, shown: Shown): string =>
  valueOf(shown, "prompt", queryOf(studio, "prompt"));

interface CreateProps {
  studio: Studio;
  shown: Shown;
  cast: CastMember[];
  prompt: string;
}

function CreatePage({ studio, shown, cast, prompt }: CreateProps) {
  const { credits } = studio.about;
  const variants = valueOf(shown, "variants", "1");
  const day = wantedDay(studio, shown);
  return (
    <Page studio={studio} place="create" title="Create" error={shown.error}>
      <Head
        title="Create"
        text={day === "" ? WHAT_TO_DO : `For ${dayWords(`${day}T12:00Z`, "UTC")}. ${WHAT_TO_DO}`}
      >
        {day === "" ? null : (
          <a class="button quiet" href={studio.at(forDay("/library", day))}>
            <Icon name="library" />
            Use a picture you have
          </a>
        )}
      </Head>
      <form class="split" method="post" action={studio.at("/create")}>
        <input type="hidden" name="once" value={crypto.randomUUID()} />
        {day === "" ? null : <input type="hidden" name="day" value={day} />}
        <div class="card form">
          <AreaField
            name="idea"
            label="Idea"
            value={valueOf(shown, "idea", queryOf(studio, "idea"))}
            rows={3}
            most={2_000}
            required
            placeholder="Our new oat latte on the counter, early light, a hand reaching for it"
          />
          <PromptField prompt={prompt} />
          <button
            class="quiet"
            formaction={studio.at("/create/prompt")}
            hx-post={studio.at("/create/prompt")}
            hx-target="#prompt-field"
            hx-select="#prompt-field"
            hx-swap="outerHTML"
          >
            <Icon name="pencil" />
            Write the prompt for me
          </button>
          <OptionField
            name="aspectRatio"
            label="Shape"
            value={valueOf(shown, "aspectRatio", "portrait")}
            choices={AspectRatio.options.map((value) => ({
              value,
              label: SHAPES[value].word,
              picture: <ShapeIcon shape={value} />,
            }))}
          />
          {cast.length === 0 ? null : (
            <SelectField
              name="castMemberId"
              label="Cast"
              value={valueOf(shown, "castMemberId")}
              choices={[
                { value: "", label: "Nobody in particular" },
                ...cast.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )}
          <OverlayFields studio={studio} shown={shown} overlay={null} />
          <CheckField
            name="useInspiration"
            label="Use your inspiration pictures"
            hint="Your newest ones set the mood."
            checked={shown.given?.has("useInspiration") ?? false}
          />
        </div>
        <aside class="card form">
          <OptionField
            name="variants"
            label="How many"
            value={variants}
            choices={Array.from({ length: MOST_VARIANTS }, (_, n) => ({
              value: String(n + 1),
              label: `${n + 1} for ${counted(n + 1, "credit")}`,
            }))}
          />
          <p>
            <b>{counted(credits.remaining, "credit")}</b> left this month, of{" "}
            {whole(credits.allowance)}.
          </p>
          {credits.remaining > 0 ? null : (
            <Notice tone="warn">
              This month's credits are used up. They come back on the 1st, or with a larger{" "}
              {studio.may(getUsage) ? <a href={studio.at("/settings/plan")}>plan</a> : "plan"}.
            </Notice>
          )}
          <button disabled={credits.remaining === 0}>
            <Icon name="create" />
            Create
          </button>
        </aside>
      </form>
    </Page>
  );
}

function PromptField({ prompt }: { prompt: string }) {
  return (
    <div id="prompt-field">
      <AreaField
        name="prompt"
        label="Prompt"
        value={prompt}
        rows={5}
        most={8_000}
        hint="What is painted, in detail. Leave it empty and it is written from your idea."
      />
    </div>
  );
}

function ShapeIcon({ shape }: { shape: AspectRatio }) {
  const { width, height } = SHAPES[shape];
  const unit = 16 / Math.max(width, height);
  return (
    <svg width="18" height="18" aria-hidden="true" fill="none" stroke="currentColor">
      <rect
        x={9 - width * unit / 2}
        y={9 - height * unit / 2}
        width={width * unit}
        height={height * unit}
        rx="2"
        stroke-width="1.75"
      />
    </svg>
  );
}

/** Writes the prompt, and shows the form again with it. */
export async function writePrompt(studio: Studio, fields: FormData) {
  const { prompt } = await studio.call(composeCreation, {
    idea: textOf(fields, "idea"),
    castMemberId: orNull(textOf(fields, "castMemberId")),
  });
  fields.set("prompt", prompt);
  return await createPage(studio, { given: fields });
}

/** Orders the pictures. A form that is sent twice orders once. */
export async function orderPictures(studio: Studio, fields: FormData): Promise<string> {
  const idea = textOf(fields, "idea");
  const castMemberId = orNull(textOf(fields, "castMemberId"));
  const written = orNull(textOf(fields, "prompt"));
  const prompt = written ?? (await studio.call(composeCreation, { idea, castMemberId })).prompt;
  const variants = Math.min(numberOf(textOf(fields, "variants")) || 1, MOST_VARIANTS);
  const ids: string[] = [];
  for (let n = 1; n <= variants; n++) {
    const { id } = await studio.call(createCreation, {
      ...{ idea, prompt, castMemberId },
      aspectRatio: AspectRatio.parse(textOf(fields, "aspectRatio") || "portrait"),
      overlay: overlayOf(fields),
      useInspiration: fields.has("useInspiration"),
      idempotencyKey: `${textOf(fields, "once").slice(0, 36) || crypto.randomUUID()}-${n}`,
    });
    ids.push(id);
  }
  return forDay(`/create/made?ids=${ids.join(",")}`, wantedDay(studio, { given: fields }));
}

/** The pictures of one order, as they arrive. */
export async function madePage(studio: Studio) {
  const ids = queryOf(studio, "ids").split(",").filter((id) => id !== "").slice(0, MOST_VARIANTS);
  const pictures = await Promise.all(ids.map((id) => studio.call(getCreation, { id })));
  const [first] = pictures;
  const day = wantedDay(studio);
  const isWaiting = pictures.some(({ status }) => status === "pending");
  return (
    <Page studio={studio} place="create" title="Your pictures">
      <Head
        title="Your pictures"
        text={isWaiting
          ? "They appear here one by one. You can leave: they are kept in the library."
          : "Choose one to schedule, publish or download it."}
      >
        {first === undefined
          ? null
          : (
            <a class="button quiet" href={forDay(againAddress(studio, first), day)}>
              <Icon name="redo" />
              More like this
            </a>
          )}
        <a class="button quiet" href={studio.at(forDay("/create", day))}>New idea</a>
      </Head>
      {pictures.length === 0
        ? <Empty title="No pictures">Start with an idea.</Empty>
        : (
          <ul class="grid wide">
            {pictures.map((picture) => (
              <PictureTile studio={studio} picture={picture} verbs day={day} />
            ))}
          </ul>
        )}
    </Page>
  );
}
