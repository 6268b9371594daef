/** A post: what it looks like, what can be done, and why it stands where it stands. */
import { getItem, updateItem } from "../../../domain/operations/calendar.ts";
import { explainItemById, skipItemById } from "../../../domain/operations/items.ts";
import { approveItem, unapproveItem, validateItem } from "../../../domain/operations/approval.ts";
import { generateItemById } from "../../../domain/operations/generate_item.ts";
import { publishItemById } from "../../../domain/operations/publish_item.ts";
import type { Slot } from "../../../domain/series/shape.ts";
import { accountWords } from "../accounts.ts";
import { calendarAt } from "../back.ts";
import { Chip, Notice } from "../parts/chip.tsx";
import { mayMove } from "../parts/chosen.tsx";
import { TextField } from "../parts/field.tsx";
import { Head, Page } from "../parts/frame.tsx";
import { Icon } from "../parts/icons.tsx";
import { Live, versionOf } from "../parts/live.tsx";
import { Pictures, ZonedPictures } from "../parts/post_pictures.tsx";
import { isEditable, PostForm } from "../parts/post_form.tsx";
import { earlierVersions, Versions } from "../parts/versions.tsx";
import { WhyCard, WhyLine } from "../parts/why.tsx";
import { idOf, queryOf, type Shown, type Studio, valueOf } from "../studio.ts";
import { localOf, whenWords } from "../when.ts";
import { FORMATS, plain, POST_STATES } from "../words.ts";

export async function postPage(studio: Studio, shown: Shown) {
  const id = idOf(studio);
  const version = await versionOf(studio);
  const [post, why, check] = await Promise.all([
    studio.call(getItem, { id }),
    studio.call(explainItemById, { id }),
    studio.call(validateItem, { id }),
  ]);
  const versions = await earlierVersions(studio, post);
  const isComing = isEditable(post) && post.contentHash !== null;
  const problems = isComing ? check.problems : [];
  // Only while nothing can be typed here, because a part that is taken over loses what was typed.
  const follows = post.status === "generating" || post.status === "publishing";
  const live = follows ? { live: version } : {};
  return (
    <Page studio={studio} place="calendar" title="Post" error={shown.error} {...live}>
      <Live id="post" follows={follows}>
        <Head
          title={whenWords(post.scheduledFor, studio.zone)}
          text={
            <span class="row">
              <Chip state={POST_STATES[post.status]} />
              {FORMATS[post.format]} · {accountWords(studio, post)}
            </span>
          }
        >
          <Verbs studio={studio} post={post} waits={why.waitingFor === "person"} />
        </Head>
        {problems.length === 0 ? null : (
          <Notice tone="warn">
            It can’t be published as it is:
            <ul class="changes">
              {problems.map(({ message }) => <li>{plain(message)}</li>)}
            </ul>
          </Notice>
        )}
        <div class="split picture-first">
          <div class="stack">
            {post.format === "story" && post.creationIds.length > 0
              ? <ZonedPictures post={post} />
              : <Pictures post={post} />}
            {post.postId === null
              ? post.url === null
                ? null
                : <p class="soft small">Its numbers appear here once they have been read.</p>
              : (
                <a class="button" href={studio.at(`/published/${post.postId}`)}>
                  <Icon name="insights" />
                  See how it does
                </a>
              )}
            {post.url === null ? null : (
              <a class="button quiet" href={post.url} rel="noreferrer">
                <Icon name="globe" />
                See it where it was published
              </a>
            )}
            <Versions studio={studio} post={post} versions={versions} />
          </div>
          <div class="stack">
            <WhyCard studio={studio} post={post} why={why} />
            {isEditable(post) && studio.may(updateItem)
              ? <PostForm studio={studio} shown={shown} post={post} />
              : <Text post={post} />}
            <WhyLine studio={studio} why={why} />
          </div>
        </div>
      </Live>
    </Page>
  );
}

function Text({ post: { caption, hashtags } }: { post: Slot }) {
  if (caption === "" && hashtags.length === 0) return null;
  return (
    <div class="card">
      <h2>Text</h2>
      <p class="as-written" dir="auto">{caption}</p>
      {hashtags.length === 0
        ? null
        : <p class="row">{hashtags.map((tag) => <span class="chip">#{tag}</span>)}</p>}
    </div>
  );
}

export const mayBePublished = ({ status }: Slot): boolean =>
  status === "ready" || status === "held";

function Verbs({ studio, post, waits }: { studio: Studio; post: Slot; waits: boolean }) {
  const { may } = studio;
  const at = studio.at(`/posts/${post.id}`);
  const { status, approvedAt, contentHash } = post;
  const hasAll = contentHash !== null;
  const isOpen = mayBePublished(post);
  return (
    <>
      {status === "ready" && hasAll && approvedAt === null && may(approveItem)
        ? (
          <form method="post" action={`${at}/approve`}>
            <input type="hidden" name="hash" value={contentHash} />
            <button class={waits ? "" : "quiet"} data-key="a">
              <Icon name="check" />
              Approve
            </button>
          </form>
        )
        : null}
      {status === "ready" && approvedAt !== null && may(unapproveItem)
        ? (
          <form method="post" action={`${at}/unapprove`}>
            <button class="quiet">Take back the approval</button>
          </form>
        )
        : null}
      {isOpen && hasAll && post.socialAccountId !== null && may(publishItemById)
        ? (
          <a class="button quiet" href={`${at}/publish`}>
            <Icon name="send" />
            Publish now…
          </a>
        )
        : null}
      {status === "planned" && may(generateItemById)
        ? (
          <form method="post" action={`${at}/generate`}>
            <input type="hidden" name="once" value={crypto.randomUUID()} />
            <button class="quiet">
              <Icon name="create" />
              Make it now
            </button>
          </form>
        )
        : null}
      {mayMove(studio, post)
        ? (
          <a class="button plain" href={`${at}/move`} data-key="m">
            <Icon name="calendar" />
            Move to…
          </a>
        )
        : null}
      {(isOpen || status === "planned" || status === "generating") && may(skipItemById)
        ? (
          <a class="button plain" href={`${at}/skip`} data-key="s" data-skips>
            <Icon name="skip" />
            Skip…
          </a>
        )
        : null}
    </>
  );
}

/** Another time for a post, with the days around it in sight. */
export async function movePage(studio: Studio, shown: Shown) {
  const post = await studio.call(getItem, { id: idOf(studio) });
  const at = studio.at(`/posts/${post.id}`);
  const back = valueOf(shown, "back", queryOf(studio, "back"));
  return (
    <Page studio={studio} place="calendar" title="Move" error={shown.error}>
      <Head
        title="Move it to…"
        text={`Now ${whenWords(post.scheduledFor, studio.zone)} on ${accountWords(studio, post)}.`}
      />
      <form class="card form" method="post" action={`${at}/move`}>
        <TextField
          name="scheduledFor"
          label="New time"
          type="datetime-local"
          value={valueOf(shown, "scheduledFor", localOf(post.scheduledFor, studio.zone))}
          required
          autofocus
        />
        <input type="hidden" name="back" value={back} />
        <div class="actions">
          <button>Move</button>
          <a class="button plain" href={back === "" ? at : studio.at(calendarAt(back))}>Leave it</a>
        </div>
      </form>
    </Page>
  );
}
