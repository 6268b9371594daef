/** Aspect ratios and their sizes in pixels, chosen so that all platforms accept the files. */
import { z } from "zod";
import type { Size } from "./pixels.ts";

export const AspectRatio = z.enum(["square", "portrait", "landscape", "story"]);
export type AspectRatio = z.output<typeof AspectRatio>;

/** 1:1, 4:5, 3:2 and 9:16. Instagram's feed refuses 2:3, so `portrait` is 4:5. */
export const SIZES: Record<AspectRatio, Size> = {
  square: { width: 1080, height: 1080 },
  portrait: { width: 1080, height: 1350 },
  landscape: { width: 1536, height: 1024 },
  story: { width: 1080, height: 1920 },
};

/** Parts of a story that the platforms' buttons and names cover, as shares of its height. */
export const STORY_SAFE = { top: 0.14, bottom: 0.20 };
