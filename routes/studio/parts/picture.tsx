/** A generated picture in its shape: finished, being made, or failed. */
import type { Creation } from "../../../domain/creations/shape.ts";
import { createItem } from "../../../domain/operations/calendar.ts";
import { createCreation } from "../../../domain/operations/creations.ts";
import type { Slot } from "../../../domain/series/shape.ts";
import { forDay } from "../free_day.ts";
import { smallAddress } from "../small_picture.ts";
import type { Studio } from "../studio.ts";
import { Icon } from "./icons.tsx";

interface PictureProps {
  picture: Creation;
  alt?: string | undefined;
  /** Given where it is one of many and shown small. */
  smallIn?: Studio;
  /** Whether it is among the first things that the page shows, so that it must not wait. */
  isFirst?: boolean;
}

/** The finished picture alone, or what stands in its place. */
export function Picture({ picture, alt, smallIn, isFirst = false }: PictureProps) {
  const { id, status, url, aspectRatio, idea } = picture;
  return (
    <span class={`picture ${aspectRatio}`}>
      {url !== null
        ? (
          <img
            src={smallIn === undefined ? url : smallAddress(smallIn, { id, url }, "tile")}
            alt={alt ?? idea}
            loading={isFirst ? "eager" : "lazy"}
            fetchpriority={isFirst ? "high" : "auto"}
            decoding="async"
          />
        )
        : status === "failed"
        ? (
          <span class="waits">
            <Icon name="alert" size={24} />
            Could not be made
          </span>
        )
        : (
          <span class="waits">
            <span class="spin"></span>
            Being made…
          </span>
        )}
    </span>
  );
}

interface TileProps {
  studio: Studio;
  picture: Creation;
  /** Whether the tile offers what to do with the picture. */
  verbs?: boolean;
  /** The day for which a post is made, or "". */
  day?: string;
}

/** A picture among others, which leads to its page. While it is made, it looks again by itself. */
export function PictureTile({ studio, picture, verbs = false, day = "" }: TileProps) {
  const page = studio.at(`/pictures/${picture.id}`);
  const looks = picture.status === "pending"
    ? {
      "hx-get": forDay(`${page}/tile${verbs ? "?verbs=yes" : ""}`, day),
      "hx-trigger": "load delay:2s",
      "hx-swap": "outerHTML",
    }
    : {};
  return (
    <li {...looks}>
      <a class="tile" href={forDay(page, day)}>
        <Picture picture={picture} alt="" smallIn={studio} />
        <span class="small clip2" dir="auto">{picture.idea}</span>
      </a>
      {verbs && picture.url !== null
        ? <Verbs {...{ studio, picture, page, day, url: picture.url }} />
        : null}
      {verbs && picture.status === "failed"
        ? <a class="button quiet" href={page}>See why, or try again</a>
        : null}
    </li>
  );
}

interface VerbsProps {
  studio: Studio;
  picture: Creation;
  page: string;
  day: string;
  url: string;
}

/** What a person does with a picture that has just arrived. */
function Verbs({ studio, picture, page, day, url }: VerbsProps) {
  const of = (verb: string) => `${verb}: ${picture.idea}`;
  return (
    <div class="actions">
      {studio.may(createItem)
        ? <a class="button" href={forDay(`${page}#schedule`, day)}>Schedule</a>
        : null}
      <a class="button quiet" href={url} download aria-label={of("Download")}>
        <Icon name="download" />
        Download
      </a>
      {studio.may(createCreation)
        ? (
          <a class="button quiet" href={forDay(againAddress(studio, picture), day)}>
            <Icon name="redo" />
            More like this
          </a>
        )
        : null}
    </div>
  );
}

/** The form of Create with the same idea and prompt. */
export function againAddress(studio: Studio, { idea, prompt }: Creation): string {
  return studio.at(`/create?${new URLSearchParams({ idea, prompt: prompt.slice(0, 4_000) })}`);
}

/** The pictures of a post as they will be published, in order. */
export const currentPictures = ({ creations, creationIds }: Slot): Creation[] =>
  creationIds.flatMap((id) => creations.find((picture) => picture.id === id) ?? []);

/** The cover of a post, small. */
export function Cover({ studio, post }: { studio: Studio; post: Slot }) {
  const cover = currentPictures(post).find(({ url }) => url !== null);
  return (
    <span class="thumb">
      {cover === undefined ? <Icon name="picture" /> : <Thumb studio={studio} picture={cover} />}
    </span>
  );
}

/** A picture in a line of a list; nothing until it is finished. */
export function Thumb({ studio, picture: { id, url } }: { studio: Studio; picture: Creation }) {
  if (url === null) return null;
  const address = smallAddress(studio, { id, url }, "thumb");
  return <img src={address} alt="" loading="lazy" decoding="async" />;
}
