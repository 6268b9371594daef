/** One picture: schedule it as a post, change its text, download it, make more like it. */
import { AccountField, publishingAccounts } from "../parts/account_field.tsx";
import type { Creation } from "../../../domain/creations/shape.ts";
import {
  createCreation,
  deleteCreation,
  getCreation,
  overlayCreation,
  retryCreation,
} from "../../../domain/operations/creations.ts";
import { createItem } from "../../../domain/operations/calendar.ts";
import { invalid } from "../../../domain/foundation/errors.ts";
import { DAY, HOUR, iso } from "../../../domain/foundation/calendar.ts";
import { publishItemById } from "../../../domain/operations/publish_item.ts";
import { orNull, textOf } from "../form.ts";
import { timeOn, wantedDay } from "../free_day.ts";
import { Notice } from "../parts/chip.tsx";
import { ApprovalField } from "../parts/approval.tsx";
import { AreaField, TextField } from "../parts/field.tsx";
import { Head, Page } from "../parts/frame.tsx";
import { Icon } from "../parts/icons.tsx";
import { OverlayFields, overlayOf } from "../parts/overlay.tsx";
import { againAddress, Picture, PictureTile } from "../parts/picture.tsx";
import { idOf, queryOf, type Shown, type Studio, valueOf } from "../studio.ts";
import { instantOf, localOf, whenWords } from "../when.ts";
import { plain } from "../words.ts";

export async function picturePage(studio: Studio, shown: Shown) {
  const picture = await studio.call(getCreation, { id: idOf(studio) });
  return <PicturePage studio={studio} shown={shown} picture={picture} />;
}

/** The tile of a picture alone, for a page that waits for it. */
export async function pictureTile(studio: Studio) {
  const picture = await studio.call(getCreation, { id: idOf(studio) });
  const verbs = queryOf(studio, "verbs") !== "";
  return <PictureTile {...{ studio, picture, verbs, day: wantedDay(studio) }} />;
}

type Props = { studio: Studio; shown: Shown; picture: Creation };

function PicturePage(props: Props) {
  const { studio, shown, picture } = props;
  const { may } = studio;
  const { status, idea, prompt, createdAt, url } = picture;
  const at = studio.at(`/pictures/${picture.id}`);
  return (
    <Page studio={studio} place="library" title="Picture" error={shown.error}>
      <Head title="Picture" text={`Made ${whenWords(createdAt, studio.zone)}`}>
        {url === null ? null : (
          <a class="button quiet" href={url} download>
            <Icon name="down" />
            Download
          </a>
        )}
        {may(createCreation)
          ? (
            <a class="button quiet" href={againAddress(studio, picture)}>
              <Icon name="redo" />
              More like this
            </a>
          )
          : null}
      </Head>
      <div class="split picture-first">
        <div class="stack">
          <Picture picture={picture} />
          <p class="soft" dir="auto">{idea}</p>
        </div>
        <div class="stack">
          {status === "failed" ? <Failed {...props} /> : null}
          {status === "pending"
            ? (
              <Notice tone="accent">
                It is being made. This takes up to a minute. <a href={at}>Look again</a>
              </Notice>
            )
            : null}
          {status === "complete" && may(createItem) ? <Schedule {...props} /> : null}
          {status === "complete" && may(overlayCreation) ? <Text {...props} /> : null}
          <div class="card">
            <details class="more">
              <summary>The prompt it was painted from</summary>
              <p dir="auto">{prompt}</p>
            </details>
            {may(deleteCreation)
              ? (
                <form method="post" action={`${at}/delete`}>
                  <button class="danger">Delete this picture</button>
                </form>
              )
              : null}
          </div>
        </div>
      </div>
    </Page>
  );
}

function Failed({ studio, picture }: Props) {
  return (
    <div class="card">
      <Notice tone="bad">{plain(picture.error ?? "It could not be made.")}</Notice>
      {studio.may(retryCreation)
        ? (
          <form method="post" action={studio.at(`/pictures/${picture.id}/retry`)}>
            <button>
              <Icon name="redo" />
              Try again
            </button>
          </form>
        )
        : null}
    </div>
  );
}

function Schedule({ studio, shown, picture }: Props) {
  const { now, zone } = studio;
  const accounts = publishingAccounts(studio);
  const day = wantedDay(studio, shown);
  const time = day === ""
    ? localOf(Math.ceil((now + DAY) / HOUR) * HOUR, zone)
    : timeOn(studio, day);
  return (
    <form class="card form" method="post" action={studio.at(`/pictures/${picture.id}/schedule`)}>
      <h2 id="schedule">Schedule it</h2>
      <input type="hidden" name="once" value={crypto.randomUUID()} />
      <div class="two">
        <AccountField shown={shown} accounts={accounts} stored={accounts[0]?.id} />
        <TextField
          name="scheduledFor"
          label="Time"
          type="datetime-local"
          value={valueOf(shown, "scheduledFor", time)}
          required
        />
      </div>
      <AreaField
        name="caption"
        label="Caption"
        value={valueOf(shown, "caption")}
        most={2_200}
        counts
        hint="Leave it empty and it is written for you."
      />
      <ApprovalField
        studio={studio}
        label="Wait for approval"
        hint="It is published only after somebody has approved it."
        checked={shown.given?.has("needsApproval") ?? false}
      />
      <div class="actions">
        <button>
          <Icon name="calendar" />
          Schedule
        </button>
        {studio.may(publishItemById) && accounts.length > 0
          ? (
            <button class="quiet" name="now" value="yes">
              <Icon name="send" />
              Publish now…
            </button>
          )
          : null}
      </div>
    </form>
  );
}

function Text({ studio, shown, picture }: Props) {
  return (
    <form class="card form" method="post" action={studio.at(`/pictures/${picture.id}/text`)}>
      <h2>Text on the picture</h2>
      <OverlayFields studio={studio} shown={shown} overlay={picture.overlay} picture={picture} />
      <div class="actions">
        <button class="quiet">Print it</button>
        <span class="soft small">Costs nothing.</span>
      </div>
    </form>
  );
}

export async function schedulePicture(studio: Studio, fields: FormData): Promise<string> {
  const picture = await studio.call(getCreation, { id: idOf(studio) });
  const at = instantOf(textOf(fields, "scheduledFor"), studio.zone);
  if (at === null) throw invalid("scheduledFor", "must be a day and a time");
  const caption = orNull(textOf(fields, "caption"));
  const isNow = fields.has("now");
  const { id } = await studio.call(createItem, {
    format: picture.aspectRatio === "story" ? "story" : "post",
    creationIds: [picture.id],
    scheduledFor: iso(at),
    socialAccountId: orNull(textOf(fields, "socialAccountId")),
    // Who is asked and says no must not find it public tomorrow.
    needsApproval: isNow || fields.has("needsApproval"),
    ...(caption === null ? {} : { caption }),
    idempotencyKey: textOf(fields, "once").slice(0, 36) || crypto.randomUUID(),
  });
  return isNow ? `/posts/${id}/publish` : `/posts/${id}`;
}

export async function printText(studio: Studio, fields: FormData): Promise<string> {
  const id = idOf(studio);
  await studio.call(overlayCreation, { id, overlay: overlayOf(fields) });
  return `/pictures/${id}`;
}

export async function retryPicture(studio: Studio): Promise<string> {
  await studio.call(retryCreation, { id: idOf(studio) });
  return `/pictures/${idOf(studio)}`;
}

export async function deletePicture(studio: Studio): Promise<string> {
  await studio.call(deleteCreation, { id: idOf(studio) });
  return "/library";
}
