/** What the painter's thread and the rest of the service send each other. */
import type { ImageRequest, PaintedImage } from "../model.ts";

/** To the thread: paint this; null instead of a request cancels the order with that id. */
export interface Order {
  id: number;
  request: Omit<ImageRequest, "signal"> | null;
}

/** From the thread: the painted image, or the error that prevented it. */
export type Delivery =
  | { id: number; painted: PaintedImage }
  | { id: number; error: string };

/** What the painter and its thread have in common. Two at once leave a small machine time for requests. */
export const PAINTER = { name: "local", atOnce: 2 } as const;
