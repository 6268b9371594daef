/** The local writer: the embedded default that writes from the facts alone, always the same text. */
import type { TextModel } from "./model.ts";

export const writer: TextModel = {
  name: "writer",
  write: (task) => Promise.resolve(task.local()),
};
