/** The cast: people who look the same in every picture. */
import type { CastMember } from "../../../domain/creations/cast.ts";
import type { Asset } from "../../../domain/creations/assets/shape.ts";
import { listAssets } from "../../../domain/operations/assets.ts";
import {
  createCastMember,
  deleteCastMember,
  getCastMember,
  updateCastMember,
} from "../../../domain/operations/cast.ts";
import { listCreations } from "../../../domain/operations/creations.ts";
import { listAllSeries } from "../../../domain/operations/series.ts";
import type { Creation } from "../../../domain/creations/shape.ts";
import type { Series } from "../../../domain/series/shape.ts";
import { counted } from "../words.ts";
import { textOf, textsOf } from "../form.ts";
import { Empty } from "../parts/chip.tsx";
import { AreaField, TextField } from "../parts/field.tsx";
import { Head, Page } from "../parts/frame.tsx";
import { Icon } from "../parts/icons.tsx";
import { Thumb } from "../parts/picture.tsx";
import { idOf, type Shown, type Studio, valueOf } from "../studio.ts";

/** Where the cast appears: their series, and the newest pictures of the brand. */
export interface Uses {
  series: Series[];
  pictures: Creation[];
}

const LOOKED_AT = 100;

export async function usesOf(studio: Studio): Promise<Uses> {
  const [series, pictures] = await Promise.all([
    studio.call(listAllSeries, {}),
    studio.call(listCreations, { page: 1, perPage: LOOKED_AT }),
  ]);
  return { series: series.data, pictures: pictures.data };
}

interface CastProps {
  studio: Studio;
  cast: CastMember[];
  uses: Uses;
}

export function CastList({ studio, cast, uses }: CastProps) {
  const may = studio.may(updateCastMember);
  if (cast.length === 0) {
    return (
      <Empty title="Nobody in the cast yet">
        <p>Describe a person once, and they look the same in every picture.</p>
        {studio.may(createCastMember)
          ? <a class="button" href={studio.at("/cast/new")}>Add a person</a>
          : null}
      </Empty>
    );
  }
  return (
    <ul class="grid wide">
      {cast.map((member) => (
        <li class="card">
          <h2 dir="auto">{member.name}</h2>
          <div class="row">
            {member.references.length === 0
              ? (
                <span class="thumb">
                  <Icon name="person" size={24} />
                </span>
              )
              : member.references.map(({ name, url }) => (
                <span class="thumb">
                  <img src={url} alt={name} loading="lazy" decoding="async" />
                </span>
              ))}
          </div>
          <p class="soft" dir="auto">{member.lookPrompt}</p>
          <UsedIn studio={studio} uses={uses} member={member} />
          {may
            ? (
              <a
                class="button quiet"
                href={studio.at(`/cast/${member.id}`)}
                aria-label={`Change ${member.name}`}
              >
                Change
              </a>
            )
            : null}
        </li>
      ))}
    </ul>
  );
}

interface UsedProps {
  studio: Studio;
  uses: Uses;
  member: CastMember;
}

const THUMBS = 4;

function UsedIn({ studio, uses, member: { id, name } }: UsedProps) {
  const series = uses.series.filter(({ castMemberId }) => castMemberId === id);
  const pictures = uses.pictures.filter(({ castMemberId }) => castMemberId === id);
  if (series.length === 0 && pictures.length === 0) {
    return <p class="soft small">Not used lately.</p>;
  }
  return (
    <div class="stack tight">
      {series.length === 0 ? null : (
        <p class="links">
          <span class="soft">Series:</span>
          {series.map((one) => <a href={studio.at(`/series/${one.id}`)} dir="auto">{one.name}</a>)}
        </p>
      )}
      {pictures.length === 0 ? null : (
        <>
          <span class="soft small">{counted(pictures.length, "picture")} lately</span>
          <div class="row">
            {pictures.filter(({ url }) => url !== null).slice(0, THUMBS).map((picture) => (
              <a
                class="thumb"
                href={studio.at(`/pictures/${picture.id}`)}
                aria-label={`Picture of ${name}: ${picture.idea}`}
              >
                <Thumb studio={studio} picture={picture} />
              </a>
            ))}
          </div>
        </>
      )}
    </div>
  );
}

export async function newMemberPage(studio: Studio, shown: Shown) {
  const { data: photos } = await studio.call(listAssets, { kind: "castReference" });
  return <MemberPage studio={studio} shown={shown} photos={photos} />;
}

export async function memberPage(studio: Studio, shown: Shown) {
  const [member, { data: photos }] = await Promise.all([
    studio.call(getCastMember, { id: idOf(studio) }),
    studio.call(listAssets, { kind: "castReference" }),
  ]);
  return <MemberPage studio={studio} shown={shown} photos={photos} member={member} />;
}

interface MemberProps {
  studio: Studio;
  shown: Shown;
  photos: Asset[];
  member?: CastMember;
}

function MemberPage({ studio, shown, photos, member }: MemberProps) {
  const path = studio.at(member === undefined ? "/cast/new" : `/cast/${member.id}`);
  const chosen = shown.given === undefined
    ? member?.references.map(({ id }) => id) ?? []
    : textsOf(shown.given, "photos");
  const title = member?.name ?? "Add a person";
  return (
    <Page studio={studio} place="library" title={title} error={shown.error}>
      <Head title={title} text="Their look is part of every prompt in which they appear." />
      <form class="card form" method="post" action={path}>
        <TextField
          name="name"
          label="Name"
          value={valueOf(shown, "name", member?.name)}
          most={120}
          required
        />
        <AreaField
          name="lookPrompt"
          label="Look"
          value={valueOf(shown, "lookPrompt", member?.lookPrompt)}
          most={2_000}
          required
          hint="Age, hair, clothes: what should always be the same."
        />
        <AreaField
          name="lifestylePrompt"
          label="Life"
          value={valueOf(shown, "lifestylePrompt", member?.lifestylePrompt)}
          rows={2}
          most={2_000}
          hint="Where they live, what they like. May stay empty."
        />
        <fieldset class="field">
          <legend>Photos, at most four</legend>
          {photos.length === 0
            ? (
              <span class="hint">
                None in the library.{" "}
                <a href={studio.at("/library?show=castReference")}>Add photos</a>
              </span>
            )
            : (
              <div class="options">
                {photos.map(({ id, name, url }) => (
                  <label class="check">
                    <input
                      type="checkbox"
                      name="photos"
                      value={id}
                      checked={chosen.includes(id)}
                    />
                    <span class="thumb">
                      <img src={url} alt={name} />
                    </span>
                  </label>
                ))}
              </div>
            )}
        </fieldset>
        <div class="actions">
          <button>Save</button>
          <a class="button plain" href={studio.at("/library?show=cast")}>Leave it</a>
        </div>
      </form>
      {member === undefined ? null : (
        <form method="post" action={`${path}/delete`}>
          <button class="danger">Remove {member.name} from the cast</button>
        </form>
      )}
    </Page>
  );
}

const fieldsOf = (fields: FormData) => ({
  name: textOf(fields, "name"),
  lookPrompt: textOf(fields, "lookPrompt"),
  lifestylePrompt: textOf(fields, "lifestylePrompt"),
  referenceAssetIds: textsOf(fields, "photos"),
});

export async function addMember(studio: Studio, fields: FormData): Promise<string> {
  await studio.call(createCastMember, fieldsOf(fields));
  return "/library?show=cast";
}

export async function changeMember(studio: Studio, fields: FormData): Promise<string> {
  await studio.call(updateCastMember, { id: idOf(studio), ...fieldsOf(fields) });
  return "/library?show=cast";
}

export async function removeMember(studio: Studio): Promise<string> {
  await studio.call(deleteCastMember, { id: idOf(studio) });
  return "/library?show=cast";
}
