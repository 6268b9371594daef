/** Asks before a post is skipped, because nothing brings it back. */
import { getItem } from "../../../domain/operations/calendar.ts";
import { accountWords } from "../accounts.ts";
import { Head, Page } from "../parts/frame.tsx";
import { Icon } from "../parts/icons.tsx";
import { SKIP_WORDS } from "../skip_words.ts";
import { idOf, type Shown, type Studio } from "../studio.ts";
import { whenWords } from "../when.ts";

export async function skipPage(studio: Studio, { error }: Shown) {
  const post = await studio.call(getItem, { id: idOf(studio) });
  const at = studio.at(`/posts/${post.id}`);
  const when = whenWords(post.scheduledFor, studio.zone);
  return (
    <Page studio={studio} place="calendar" title="Skip" error={error}>
      <Head
        title="Skip this post?"
        text={`${when} on ${accountWords(studio, post)}. ${SKIP_WORDS}`}
      />
      <form method="post" action={`${at}/skip`} class="actions">
        <button class="danger sure">
          <Icon name="skip" />
          Skip the post
        </button>
        <a class="button plain" href={at}>Keep it</a>
      </form>
    </Page>
  );
}
