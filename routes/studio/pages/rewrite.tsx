/** Writes a caption anew: up to three to choose from, while the post keeps its own until one is chosen. */
import { ServiceError } from "../../../domain/foundation/errors.ts";
import { getItem, updateItem } from "../../../domain/operations/calendar.ts";
import { captionItemById } from "../../../domain/operations/items.ts";
import { tagsOf, textOf } from "../form.ts";
import { Head, Page } from "../parts/frame.tsx";
import { idOf, type Studio } from "../studio.ts";

const CHOICES = 3;

interface Text {
  caption: string;
  hashtags: string[];
}

export async function rewritePost(studio: Studio) {
  const id = idOf(studio);
  const before = await studio.call(getItem, { id });
  const written = await texts(studio, id, before.caption === "" ? 1 : CHOICES);
  const choices = written.filter(({ caption }) => caption !== before.caption);
  // Where there was none, or no other can be had, there is nothing to choose.
  if (before.caption === "" || choices.length === 0) return `/posts/${id}`;
  const { caption, hashtags } = before;
  // Each caption takes the place of the last. Nobody has read these, so the earlier one comes back.
  await studio.call(updateItem, { id, caption, hashtags });
  return <Choices studio={studio} id={id} before={before} choices={choices} />;
}

/** Captions cost no credits. A writer that repeats itself or fails is not asked again. */
async function texts({ call }: Studio, id: string, most: number): Promise<Text[]> {
  const found: Text[] = [];
  while (found.length < most) {
    try {
      const { caption, hashtags } = await call(captionItemById, { id });
      if (found.some((one) => one.caption === caption)) break;
      found.push({ caption, hashtags });
    } catch (error) {
      if (!(error instanceof ServiceError) || found.length === 0) throw error;
      break;
    }
  }
  return found;
}

/** The caption and the hashtags that a person chose. */
export async function chooseCaption(studio: Studio, fields: FormData): Promise<string> {
  const id = idOf(studio);
  const hashtags = tagsOf(textOf(fields, "hashtags"));
  await studio.call(updateItem, { id, caption: textOf(fields, "caption"), hashtags });
  return `/posts/${id}`;
}

interface Props {
  studio: Studio;
  id: string;
  before: Text;
  choices: Text[];
}

function Choices({ studio, id, before, choices }: Props) {
  const at = studio.at(`/posts/${id}`);
  return (
    <Page studio={studio} place="calendar" title="Choose a caption">
      <Head
        title="Choose a caption"
        text="You can change it afterwards. An approval has to be given again."
      />
      <div class="grid wide">
        {choices.map(({ caption, hashtags }, n) => (
          <form class="card" method="post" action={`${at}/words`}>
            <h2>Caption {n + 1}</h2>
            <Words caption={caption} hashtags={hashtags} />
            <input type="hidden" name="caption" value={caption} />
            <input type="hidden" name="hashtags" value={hashtags.join(" ")} />
            <p>
              <button class="quiet">Use caption {n + 1}</button>
            </p>
          </form>
        ))}
        <div class="card">
          <h2>As it is</h2>
          <Words {...before} />
          <p>
            <a class="button plain" href={at}>Keep it</a>
          </p>
        </div>
      </div>
    </Page>
  );
}

function Words({ caption, hashtags }: Text) {
  return (
    <>
      {caption.split(/\n+/).map((line) => <p dir="auto">{line}</p>)}
      {hashtags.length === 0
        ? null
        : <p class="row">{hashtags.map((tag) => <span class="chip" dir="auto">#{tag}</span>)}</p>}
    </>
  );
}
