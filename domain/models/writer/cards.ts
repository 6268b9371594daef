/** The deck from which the local writer deals topics: for each card its angle and what its picture shows. */
import { ENGLISH } from "./english.ts";
import { GERMAN } from "./german.ts";
import type { Phrasebook } from "./phrasebook.ts";

/**
 * The scenes of the cards, six for each of the angles of `angles.ts` in their order. They name no thing,
 * because the series' subject says what is shown.
 */
export const SCENES: readonly string[] = [
  // Behind the scenes
  "The moment before everything is ready, unfinished on purpose, tools of the trade left where they were used",
  "Half done, caught in the middle of being made, a trace of motion blur",
  "Everything that is needed, laid out in order before the start, looked at from straight above",
  "The quiet after closing, tidied up, one last light still on",
  "A second try beside the first one, both honest, nothing hidden",
  "The corner that visitors never get to see, well used and well kept",
  // How to
  "The very first step, simple and slow, everything else left out of focus",
  "Three stages side by side from left to right, evenly spaced, equally lit",
  "The usual mistake, shown kindly, with its remedy right next to it",
  "What to look for before choosing, two versions compared on plain ground",
  "The last touch being put on, concentrated, from over the shoulder",
  "How it is kept fresh and cared for afterwards, calm and practical",
  // A closer look
  "So close that the texture of the surface fills the whole frame, raking light from the left",
  "One single detail isolated against a plain backdrop, generous empty space around it",
  "The edge where two materials meet, sharp in the middle and melting away behind",
  "Seen from below against the brightness, an outline with a glowing rim",
  "Light and shadow drawing a pattern across it, late and low",
  "Turned around to show the reverse that nobody photographs",
  // Questions people ask
  "Presented openly on an outstretched palm, as if in answer to somebody asking",
  "Two of a kind next to each other, one small and one large, to compare",
  "Opened up so that the inside can be seen, clear and well lit",
  "At the very hour when it is at its best, long soft shadows",
  "Surrounded by all that goes well with it, gathered in a loose circle",
  "Measured against something familiar, to show how big it really is",
  // Before and after
  "A frame split down the centre: raw and plain at left, finished and bright at right",
  "The place where it all begins, bare and promising, early and cool",
  "Years of use visible and welcome, a patina worn by time",
  "A fresh start with everything new, crisp and uncluttered",
  "The same view twice, once empty and once full of life",
  "Growing step by step in a rising diagonal from the lower corner",
  // People and their stories
  "Someone enjoying it for the first time, a candid smile, a blurred background",
  "Shared between friends, laughter, leaning towards each other",
  "The person behind it all, pausing for a moment, proud and relaxed",
  "A regular's favourite spot, familiar and a little worn, warm welcome",
  "Handed over from one to another, close crop on the gesture",
  "Somebody alone with it in a quiet minute, thoughtful, seen from the side",
];

/** Cards of one angle. */
export const CARDS_AN_ANGLE = 6;

/** The phrasebooks by language. In any other, the local writer only says the brand's own words. */
export const PHRASEBOOKS: Readonly<Record<string, Phrasebook>> = { en: ENGLISH, de: GERMAN };
