/** Why a post stands where it stands: the sentence, the one thing to do, and the time line. */
import { publishItemById } from "../../../domain/operations/publish_item.ts";
import type { Why } from "../../../domain/series/making/why.ts";
import type { Slot } from "../../../domain/series/shape.ts";
import type { Studio } from "../studio.ts";
import { fromNow, whenWords } from "../when.ts";
import { plain } from "../words.ts";
import { POST_VERBS } from "../pages/post_verbs.ts";
import { Icon } from "./icons.tsx";
import { PlainWords } from "./post_links.tsx";

interface WhyProps {
  studio: Studio;
  post: Slot;
  why: Why;
}

/** Which form or page does what `why` names. */
function Cure({ studio, post, why }: WhyProps) {
  const at = studio.at(`/posts/${post.id}`);
  const form = (path: "caption" | "regenerate", word: string) =>
    studio.may(POST_VERBS[path].of)
      ? (
        <form method="post" action={`${at}/${path}`}>
          <button class="quiet">{word}</button>
        </form>
      )
      : null;
  switch (why.todo?.operation) {
    case "captionItem":
      return form("caption", "Write a caption");
    case "regenerateItem":
      return form("regenerate", "Make new pictures");
    case "publishItem":
      return post.contentHash === null || post.socialAccountId === null ||
          !studio.may(publishItemById)
        ? null
        : <a class="button quiet" href={`${at}/publish`}>Publish now…</a>;
    case "retryCreation":
      return form("regenerate", "Try the pictures again");
    case "updateSeries":
      return post.seriesId === null
        ? null
        : <a class="button quiet" href={studio.at(`/series/${post.seriesId}`)}>Open its series</a>;
    default:
      return null;
  }
}

export function WhyCard({ studio, post, why }: WhyProps) {
  return (
    <section class="card" aria-labelledby="why">
      <h2 id="why" class="row">
        <Icon name="bulb" />
        Why
      </h2>
      <p>{plain(why.summary)}</p>
      {why.todo === null ? null : (
        <p>
          <b>{plain(why.todo.text)}</b>
        </p>
      )}
      {why.waitingUntil === null ? null : (
        <p class="soft">
          It goes on by itself {fromNow(why.waitingUntil, studio.now)},{" "}
          {whenWords(why.waitingUntil, studio.zone)}.
        </p>
      )}
      <Cure studio={studio} post={post} why={why} />
      {post.decision.rationale === "" ? null : (
        <p class="soft small">
          {post.decision.topic === null ? null : <>About: {post.decision.topic}.{" "}</>}
          <PlainWords studio={studio} words={post.decision.rationale} />
        </p>
      )}
    </section>
  );
}

/** What happened so far, oldest first. */
export function WhyLine({ studio, why }: { studio: Studio; why: Why }) {
  return (
    <section class="card" aria-labelledby="chain">
      <h2 id="chain">What happened so far</h2>
      <ol class="chain">
        {why.chain.map(({ at, cause, message }) => (
          <li>
            <PlainWords studio={studio} words={cause} />
            {message === null || cause.includes(message) ? null : <>“{message}”</>}
            <div class="soft small">
              <time datetime={at}>{whenWords(at, studio.zone)}</time>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
