/** What a scheduled post tells: its topic, and what pictures, overlays and caption make of it. Shapes only. */
import { z } from "zod";

/** As the text model writes it. */
export const Topic = z.strictObject({
  topic: z.string().min(1),
  scene: z.string().min(1),
  onImage: z.string(),
  captionAngle: z.string(),
});
export type Topic = z.output<typeof Topic>;

/** A topic that counts as used, because images were ordered for it. */
export type UsedTopic = Pick<Topic, "topic" | "scene" | "captionAngle">;

/** Stored in the slot beside `decision.topic` and `decision.onImage`. */
export interface Story {
  /** What the picture shows; those of a carousel share it. */
  scene: string;
  captionAngle: string;
  /** Written without a model: `captionAngle` has the caption's own sentences. */
  isLocal: boolean;
  /** The slot's generation when it got the topic. New images get another topic. */
  generation: number;
  /** The slot's topics of earlier generations. */
  used: UsedTopic[];
  /** The words on each image of a carousel. */
  slides?: string[];
}
