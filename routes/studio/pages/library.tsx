/** The library: pictures, logos, inspiration, photos, and the cast. */
import type { Asset } from "../../../domain/creations/assets/shape.ts";
import { AssetKind } from "../../../domain/creations/assets/shape.ts";
import { invalid } from "../../../domain/foundation/errors.ts";
import { deleteAsset, listAssets } from "../../../domain/operations/assets.ts";
import { createCastMember, listCastMembers } from "../../../domain/operations/cast.ts";
import { listCreations } from "../../../domain/operations/creations.ts";
import { makePrimary, uploadAsset } from "../../../domain/operations/people.ts";
import { filesOf, textOf } from "../form.ts";
import { forDay, wantedDay } from "../free_day.ts";
import { Chip, Empty } from "../parts/chip.tsx";
import { Field } from "../parts/field.tsx";
import { Head, Page } from "../parts/frame.tsx";
import { Icon } from "../parts/icons.tsx";
import { NewPost } from "../parts/new_post.tsx";
import { PictureTile } from "../parts/picture.tsx";
import { idOf, queryOf, type Shown, type Studio } from "../studio.ts";
import { SHELVES } from "../words.ts";
import { CastList, usesOf } from "./cast.tsx";

const PER_PAGE = 48;
const TABS = ["pictures", ...AssetKind.options, "cast"] as const;
type Tab = typeof TABS[number];

const tabWords = (tab: Tab): string =>
  tab === "pictures" ? "Pictures" : tab === "cast" ? "Cast" : SHELVES[tab].many;

export async function libraryPage(studio: Studio, shown: Shown) {
  const asked = shown.given === undefined
    ? queryOf(studio, "show")
    : textOf(shown.given, "kind") || queryOf(studio, "show");
  const tab = TABS.find((one) => one === asked) ?? "pictures";
  return (
    <Page studio={studio} place="library" title="Library" error={shown.error}>
      <Head title="Library" text="Everything your pictures are made of, and the pictures.">
        {tab === "cast" && studio.may(createCastMember)
          ? (
            <a class="button" href={studio.at("/cast/new")}>
              <Icon name="plus" />
              Add a person
            </a>
          )
          : <NewPost studio={studio} word="New picture" />}
      </Head>
      <nav class="tabs" aria-label="Shelves">
        {TABS.map((one) => (
          <a
            href={studio.at(`/library?show=${one}`)}
            aria-current={one === tab ? "page" : undefined}
          >
            {tabWords(one)}
          </a>
        ))}
      </nav>
      {await content(studio, tab)}
    </Page>
  );
}

async function content(studio: Studio, tab: Tab) {
  if (tab === "pictures") return await pictures(studio);
  if (tab === "cast") {
    const { data } = await studio.call(listCastMembers, {});
    return <CastList studio={studio} cast={data} uses={await usesOf(studio)} />;
  }
  const { data } = await studio.call(listAssets, { kind: tab });
  return <Shelf studio={studio} kind={tab} assets={data} />;
}

async function pictures(studio: Studio) {
  const page = Math.max(1, Number(queryOf(studio, "page")) || 1);
  const day = wantedDay(studio);
  const { data, pagination } = await studio.call(listCreations, { page, perPage: PER_PAGE });
  if (data.length === 0) {
    return (
      <Empty title="No pictures yet">
        <p>The first one takes a sentence and about a minute.</p>
        <NewPost studio={studio} word="Make a picture" />
      </Empty>
    );
  }
  const link = (to: number, word: string) => (
    <a class="button quiet" href={studio.at(forDay(`/library?page=${to}`, day))}>{word}</a>
  );
  return (
    <>
      <ul class="grid">
        {data.map((picture) => <PictureTile studio={studio} picture={picture} day={day} />)}
      </ul>
      <div class="actions">
        {page > 1 ? link(page - 1, "Newer") : null}
        {page < pagination.pageCount ? link(page + 1, "Older") : null}
      </div>
    </>
  );
}

function Shelf({ studio, kind, assets }: { studio: Studio; kind: AssetKind; assets: Asset[] }) {
  const { many, hint } = SHELVES[kind];
  return (
    <>
      {studio.may(uploadAsset) ? <UploadForm studio={studio} kind={kind} /> : null}
      {assets.length === 0
        ? (
          <Empty
            title={kind === "inspiration" ? "No inspiration yet" : `No ${many.toLowerCase()} yet`}
          >
            <p>{hint}</p>
          </Empty>
        )
        : (
          <ul class="grid">
            {assets.map((asset) => <AssetTile studio={studio} asset={asset} />)}
          </ul>
        )}
    </>
  );
}

function UploadForm({ studio, kind }: { studio: Studio; kind: AssetKind }) {
  const { one, hint } = SHELVES[kind];
  return (
    <form
      class="card form drop"
      method="post"
      action={studio.at("/library")}
      enctype="multipart/form-data"
      hx-post={studio.at("/library")}
      hx-encoding="multipart/form-data"
      hx-target="body"
      hx-push-url={studio.at(`/library?show=${kind}`)}
    >
      <input type="hidden" name="kind" value={kind} />
      <Field
        id="files"
        label={kind === "inspiration" ? "Add inspiration" : `Add a ${one}`}
        hint={`${hint} JPEG, PNG or WebP, up to 10 MB each. Drop files anywhere on this page.`}
      >
        <input
          id="files"
          name="files"
          type="file"
          accept="image/jpeg,image/png,image/webp"
          multiple
          required
          data-drop
          aria-describedby="files-hint"
        />
      </Field>
      <progress hidden aria-label="Upload"></progress>
      <output class="soft small"></output>
      <button>Upload</button>
    </form>
  );
}

function AssetTile({ studio, asset }: { studio: Studio; asset: Asset }) {
  const { id, kind, name, url, isPrimary } = asset;
  return (
    <li class="tile">
      <span class={`picture square ${kind === "logo" ? "logo" : ""}`}>
        <img src={url} alt={name} loading="lazy" decoding="async" />
      </span>
      <b dir="auto">{name}</b>
      <div class="actions">
        {kind !== "logo"
          ? null
          : isPrimary
          ? <Chip state={{ word: "Primary", icon: "star", tone: "accent" }} />
          : !studio.may(makePrimary)
          ? null
          : (
            <form method="post" action={studio.at(`/library/${id}/primary`)}>
              <button class="quiet">Make primary</button>
            </form>
          )}
        {studio.may(deleteAsset)
          ? (
            <form method="post" action={studio.at(`/library/${id}/delete`)}>
              <input type="hidden" name="kind" value={kind} />
              <button class="plain" aria-label={`Delete ${name}`}>Delete</button>
            </form>
          )
          : null}
      </div>
    </li>
  );
}

/** Takes the files of the form, one after the other; the first that is refused ends it. */
export async function uploadFiles(studio: Studio, fields: FormData): Promise<string> {
  const kind = AssetKind.parse(textOf(fields, "kind") || "inspiration");
  const files = filesOf(fields, "files");
  if (files.length === 0) throw invalid("files", "choose at least one picture");
  for (const file of files) {
    const name = file.name.replace(/\.\w+$/, "").slice(0, 120).trim() || SHELVES[kind].one;
    await studio.call(uploadAsset, { kind, name, bytes: new Uint8Array(await file.arrayBuffer()) });
  }
  return `/library?show=${kind}`;
}

export async function choosePrimary(studio: Studio): Promise<string> {
  await studio.call(makePrimary, { id: idOf(studio) });
  return "/library?show=logo";
}

export async function removeAsset(studio: Studio, fields: FormData): Promise<string> {
  await studio.call(deleteAsset, { id: idOf(studio) });
  return `/library?show=${encodeURIComponent(textOf(fields, "kind"))}`;
}
