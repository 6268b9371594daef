/** Publishing a post now: asks before it becomes public, or says what is missing for that. */
import { validateItem } from "../../../domain/operations/approval.ts";
import { getItem } from "../../../domain/operations/calendar.ts";
import { explainItemById } from "../../../domain/operations/items.ts";
import type { Slot } from "../../../domain/series/shape.ts";
import { accountWords } from "../accounts.ts";
import { Notice } from "../parts/chip.tsx";
import { Head, Page } from "../parts/frame.tsx";
import { Icon } from "../parts/icons.tsx";
import { Pictures } from "../parts/post_pictures.tsx";
import { idOf, type Shown, type Studio } from "../studio.ts";
import { whenWords } from "../when.ts";
import { plain } from "../words.ts";
import { mayBePublished } from "./post.tsx";

/** Asks before a post becomes public: the account, the picture and the text as they are. */
export async function publishPage(studio: Studio, shown: Shown) {
  const id = idOf(studio);
  const [post, why, check] = await Promise.all([
    studio.call(getItem, { id }),
    studio.call(explainItemById, { id }),
    studio.call(validateItem, { id }),
  ]);
  const missing = mayBePublished(post) ? check.problems : [{ message: why.summary }];
  if (missing.length > 0) return <NotNow {...{ studio, shown, post, missing }} />;
  const at = studio.at(`/posts/${post.id}`);
  const text = [post.caption, post.hashtags.map((tag) => `#${tag}`).join(" ")];
  return (
    <Page studio={studio} place="calendar" title="Publish now" error={shown.error}>
      <Head
        title="Publish this now?"
        text={`It becomes public at once on ${accountWords(studio, post)}.`}
      />
      <div class="split picture-first">
        <Pictures post={post} />
        <div class="card">
          <p class="as-written" dir="auto">{text.join("\n\n").trim()}</p>
          <form method="post" action={`${at}/publish`} class="actions">
            <input type="hidden" name="hash" value={post.contentHash ?? ""} />
            <button>
              <Icon name="send" />
              Publish now
            </button>
            <a class="button plain" href={at}>Not yet</a>
          </form>
        </div>
      </div>
    </Page>
  );
}

/** Says why a post can't be published as it is. What can be done about that is on its own page. */
function NotNow(
  { studio, shown, post, missing }: {
    studio: Studio;
    shown: Shown;
    post: Slot;
    missing: { message: string }[];
  },
) {
  return (
    <Page studio={studio} place="calendar" title="Publish now" error={shown.error}>
      <Head
        title="This can’t be published now"
        text={`${whenWords(post.scheduledFor, studio.zone)} · ${accountWords(studio, post)}`}
      />
      <div class="split picture-first">
        <Pictures post={post} />
        <div class="card">
          <Notice tone="warn">
            {missing.map(({ message }) => <p>{plain(message)}</p>)}
          </Notice>
          <p class="actions">
            <a class="button" href={studio.at(`/posts/${post.id}`)}>Back to the post</a>
          </p>
        </div>
      </div>
    </Page>
  );
}
