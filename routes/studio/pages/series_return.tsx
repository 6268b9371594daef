/** The page that asks before an autopilot returns to the playbook of an earlier review. */
import { noSuch } from "../../../domain/foundation/errors.ts";
import { adoptReview, getSeries } from "../../../domain/operations/series.ts";
import { diffOf } from "../../../domain/series/strategist/diff.ts";
import { Head, Page } from "../parts/frame.tsx";
import { PlainWords } from "../parts/post_links.tsx";
import { Changes } from "../parts/reviews.tsx";
import { idOf, type Shown, type Studio } from "../studio.ts";
import { whenWords } from "../when.ts";

const reviewIdOf = ({ c }: Studio): string => c.req.param("review") ?? "";

export async function returnPage(studio: Studio, { error }: Shown) {
  const { id, name, playbook, reviews } = await studio.call(getSeries, { id: idOf(studio) });
  const review = reviews.find((one) => one.id === reviewIdOf(studio));
  if (review === undefined) throw noSuch("review");
  const at = studio.at(`/series/${id}`);
  const title = `Return to the playbook of ${whenWords(review.createdAt, studio.zone)}?`;
  const diff = diffOf(playbook, review.playbook);
  return (
    <Page studio={studio} place="series" title={title} error={error}>
      <Head
        title={title}
        text={`${name} plans by it again until its next review, a week from now. Coming posts without a picture are planned anew.`}
      />
      <section class="card" aria-labelledby="changes">
        <h2 id="changes">What changes</h2>
        {diff === null ? null : <Changes diff={diff} />}
        <p class="soft" dir="auto">
          <PlainWords studio={studio} words={review.playbook.summary} />
        </p>
      </section>
      <form method="post" action={`${at}/reviews/${review.id}`} class="actions">
        <button>Return to this one</button>
        <a class="button plain" href={at}>Leave it as it is</a>
      </form>
    </Page>
  );
}

export async function returnToReview(studio: Studio): Promise<string> {
  const id = idOf(studio);
  await studio.call(adoptReview, { id, reviewId: reviewIdOf(studio) });
  return `/series/${id}`;
}
