/** The formats in which a connector can publish images. */
import { z } from "zod";

export const SeriesFormat = z.enum(["post", "carousel", "story"]);
export type SeriesFormat = z.output<typeof SeriesFormat>;
