/** The frame of every page: head, left rail or bottom bar, the refusal first, then the content. */
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { createCreation } from "../../../domain/operations/creations.ts";
import { STUDIO, type Studio } from "../studio.ts";
import { ROLE_WORDS } from "../words.ts";
import { KeysDialog } from "./keys.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { Toast } from "./toast.tsx";

type Place = "today" | "calendar" | "create" | "library" | "insights" | "series" | "settings";

interface PlaceEntry {
  place: Place;
  path: string;
  word: string;
  icon: IconName;
  /** Leads there after `g`. */
  key: string;
}

const PLACES: PlaceEntry[] = [
  { place: "today", path: "", word: "Today", icon: "today", key: "t" },
  { place: "calendar", path: "/calendar", word: "Calendar", icon: "calendar", key: "c" },
  { place: "create", path: "/create", word: "Create", icon: "create", key: "n" },
  { place: "library", path: "/library", word: "Library", icon: "library", key: "l" },
  { place: "insights", path: "/insights", word: "Insights", icon: "insights", key: "i" },
  { place: "series", path: "/series", word: "Series", icon: "series", key: "s" },
  { place: "settings", path: "/settings", word: "Settings", icon: "settings", key: "e" },
];

/** The places for this person's role. */
const placesOf = ({ may }: Studio): PlaceEntry[] =>
  PLACES.filter(({ place }) => place !== "create" || may(createCreation));
/** How many places stand in the bar of a phone itself; the others are below "More". */
const IN_BAR = 5;

/** Asked for with the page: those that only the style names would change the words when they arrive. */
const FONTS = ["inter-400.woff2", "inter-600.woff2"];

interface DocumentProps {
  base: string;
  title: string;
  error?: string | undefined;
  framed?: boolean;
  /** Whether it has a chart that days can be pointed at. */
  chart?: boolean | undefined;
  children: Child;
}

/** A whole HTML document. */
export function Document(
  { base, title, error, framed = false, chart = false, children }: DocumentProps,
) {
  const config = '{"includeIndicatorStyles":false,"allowEval":false,"historyCacheSize":0}';
  return (
    <>
      {raw("<!doctype html>")}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="htmx-config" content={config} />
          <title>{error === undefined ? "" : "Error: "}{title} · Marquee</title>
          <link rel="icon" href={`${base}${STUDIO}/assets/icon.svg`} type="image/svg+xml" />
          <link rel="stylesheet" href={`${base}${STUDIO}/assets/studio.css`} />
          {FONTS.map((name) => (
            <link
              rel="preload"
              href={`${base}${STUDIO}/assets/${name}`}
              as="font"
              type="font/woff2"
              crossorigin="anonymous"
            />
          ))}
          <script src={`${base}${STUDIO}/assets/htmx.js`} defer></script>
          <script src={`${base}${STUDIO}/assets/studio.js`} defer></script>
          {chart ? <script src={`${base}${STUDIO}/assets/chart.js`} defer></script> : null}
        </head>
        <body class={framed ? "framed" : ""}>
          <a class="skip" href="#main">Skip to the content</a>
          {children}
        </body>
      </html>
    </>
  );
}

interface PageProps {
  studio: Studio;
  place: Place | null;
  title: string;
  error?: string | undefined;
  /** The version of the posts that it shows, when it follows their changes. */
  live?: string;
  chart?: boolean | undefined;
  children: Child;
}

/** A page of a brand. */
export function Page({ studio, place, title, error, live, chart, children }: PageProps) {
  const { base, brand } = studio;
  const places = placesOf(studio);
  const more = places.slice(IN_BAR);
  return (
    <Document base={base} title={`${title} · ${brand.name}`} error={error} framed chart={chart}>
      <header class="top">
        <BrandMenu studio={studio} />
      </header>
      <div class="rail">
        <BrandMenu studio={studio} />
        <nav aria-label="Studio">
          {places.map((one) => <Place studio={studio} one={one} place={place} />)}
        </nav>
        <footer class="small soft">
          <button class="plain small" type="button" data-opens="shortcuts" hidden>
            <Icon name="keyboard" />
            Keyboard shortcuts
          </button>
          Times are in {zoneWords(studio.zone)}.
        </footer>
      </div>
      <main id="main" tabindex={-1} {...following(studio, live)}>
        {error === undefined ? null : (
          <div class="notice bad" role="alert" tabindex={-1} autofocus>
            <Icon name="alert" />
            <div>{error}</div>
          </div>
        )}
        {children}
      </main>
      <Toast />
      <nav class="bar" aria-label="Studio, at the bottom">
        {places.slice(0, IN_BAR).map((one) => <Place studio={studio} one={one} place={place} />)}
        <details>
          <summary
            aria-current={more.some((one) =>
                one.place === place
              )
              ? "page"
              : undefined}
          >
            <Icon name="more" />
            More
          </summary>
          <div class="menu">
            {more.map((one) => <Place studio={studio} one={one} place={place} />)}
          </div>
        </details>
      </nav>
      <KeysDialog places={places} />
    </Document>
  );
}

const following = (studio: Studio, live: string | undefined) =>
  live === undefined ? {} : { "data-follows": studio.at("/live"), "data-version": live };

const zoneWords = (zone: string): string => zone.replaceAll("_", " ");

function Place(
  { studio, one, place }: { studio: Studio; one: PlaceEntry; place: Place | null },
) {
  return (
    <a
      href={studio.at(one.path)}
      data-key={one.key}
      aria-current={one.place === place ? "page" : undefined}
    >
      <Icon name={one.icon} size={20} />
      {one.word}
    </a>
  );
}

function BrandMenu({ studio }: { studio: Studio }) {
  const { base, brand, brands, email } = studio;
  const others = brands.filter(({ id }) => id !== brand.id);
  return (
    <details class="brand">
      <summary>
        <Monogram name={brand.name} />
        <span dir="auto">{brand.name}</span>
        <Icon name="down" size={16} />
      </summary>
      <div class="menu">
        {others.map(({ id, name }) => (
          <a href={`${base}${STUDIO}/${id}`} dir="auto">
            <Monogram name={name} />
            {name}
          </a>
        ))}
        <a href={`${base}${STUDIO}/brands/new`}>
          <Icon name="plus" />
          Add a brand
        </a>
        <hr />
        <a href={`${base}/dashboard/account`}>
          <Icon name="person" />
          <span class="clip">
            {email ?? "Account"}
            <small class="soft block">{ROLE_WORDS[studio.role].word} here</small>
          </span>
        </a>
        <form method="post" action={`${base}/dashboard/sign-out`}>
          <button>
            <Icon name="out" />
            Sign out
          </button>
        </form>
      </div>
    </details>
  );
}

function Monogram({ name }: { name: string }) {
  const [first = "?"] = name.trim();
  return <span class="mono" aria-hidden="true">{first.toUpperCase()}</span>;
}

/** The heading of a page, with what can be done on it. */
export function Head(
  { title, text, children }: { title: string; text?: Child; children?: Child },
) {
  return (
    <div class="head">
      <div>
        <h1>{title}</h1>
        {text === undefined ? null : <p class="soft">{text}</p>}
      </div>
      {children === undefined ? null : <div class="actions">{children}</div>}
    </div>
  );
}

/** A page without a brand: signing in, the first brand, what does not exist. */
export function Alone(
  { base, title, error, children }: Omit<DocumentProps, "framed">,
) {
  return (
    <Document base={base} title={title} error={error}>
      <main id="main" tabindex={-1} class="narrow">
        <p class="maker">
          <img src={`${base}${STUDIO}/assets/icon.svg`} width={28} height={28} alt="" />
          Marquee
        </p>
        <h1>{title}</h1>
        {error === undefined ? null : (
          <div class="notice bad" role="alert" tabindex={-1} autofocus>
            <Icon name="alert" />
            <div>{error}</div>
          </div>
        )}
        {children}
      </main>
    </Document>
  );
}
