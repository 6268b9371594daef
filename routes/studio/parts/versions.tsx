/** The earlier pictures of a post, to look at, and to put in place again. */
import type { Creation } from "../../../domain/creations/shape.ts";
import { ServiceError } from "../../../domain/foundation/errors.ts";
import { updateItem } from "../../../domain/operations/calendar.ts";
import { getCreation } from "../../../domain/operations/creations.ts";
import { rangeOf } from "../../../domain/series/format.ts";
import type { Slot } from "../../../domain/series/shape.ts";
import type { Studio } from "../studio.ts";
import { whenWords } from "../when.ts";
import { counted } from "../words.ts";
import { Picture } from "./picture.tsx";
import { isEditable } from "./post_form.tsx";

/** Pictures that were ordered together, in order. */
type Version = Creation[];

/** What a post had before, newest first. Deleted pictures are left out. */
export async function earlierVersions(studio: Studio, post: Slot): Promise<Version[]> {
  const past = post.creations.filter(({ id }) => !post.creationIds.includes(id));
  const isKept = await Promise.all(past.map((picture) => isInLibrary(studio, picture)));
  const kept = past.filter((_, nth) => isKept[nth]);
  return [...Map.groupBy(kept, ({ createdAt }) => createdAt).values()].reverse();
}

/** A post shows its pictures even after they were deleted, but it can't be given them again. */
async function isInLibrary({ call }: Studio, { id }: Creation): Promise<boolean> {
  try {
    await call(getCreation, { id });
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "notFound") return false;
    throw error;
  }
}

/** Whether it is all that a post of the format needs. */
function isWhole(version: Version, { format }: Slot): boolean {
  const { least, most } = rangeOf(format);
  return version.length >= least && version.length <= most &&
    version.every(({ status }) => status === "complete");
}

interface Props {
  studio: Studio;
  post: Slot;
  versions: Version[];
}

export function Versions({ studio, post, versions }: Props) {
  if (versions.length === 0) return null;
  const mayUse = isEditable(post) && studio.may(updateItem);
  return (
    <section class="card tight" aria-labelledby="versions">
      <h2 id="versions">Earlier pictures</h2>
      {mayUse
        ? (
          <p class="soft small">
            Using one again costs nothing. The text stays as it is
            {post.approvedAt === null ? "." : ", and the post needs a new approval."}
          </p>
        )
        : null}
      <ul class="versions">
        {versions.map((version) => (
          <Earlier studio={studio} post={post} version={version} mayUse={mayUse} />
        ))}
      </ul>
    </section>
  );
}

function Earlier(
  { studio, post, version, mayUse }: Omit<Props, "versions"> & {
    version: Version;
    mayUse: boolean;
  },
) {
  const [cover] = version;
  if (cover === undefined) return null;
  const when = whenWords(cover.createdAt, studio.zone);
  const isOne = version.length === 1;
  return (
    <li>
      <a href={studio.at(`/pictures/${cover.id}`)} aria-label={`The picture made ${when}`}>
        <Picture picture={cover} alt="" />
      </a>
      <div class="small">
        <b>{when}</b>
        {isOne ? null : <span class="block soft">{counted(version.length, "picture")}</span>}
        <span class="clip2 soft" dir="auto" title={cover.prompt}>{cover.idea}</span>
      </div>
      {mayUse && isWhole(version, post)
        ? (
          <form method="post" action={studio.at(`/posts/${post.id}/pictures`)}>
            {version.map(({ id }) => <input type="hidden" name="pictures" value={id} />)}
            <button class="quiet">
              {isOne ? "Use this picture again" : "Use these pictures again"}
              <span class="out">, made {when}</span>
            </button>
          </form>
        )
        : null}
    </li>
  );
}
