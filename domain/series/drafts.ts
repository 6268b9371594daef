/** The warning at the start when posts are published that no model and no person has written. */
import type { Service } from "../service/service.ts";
import { SERIES, type StoredSeries } from "./records.ts";

/** Warns once when series publish to accounts, drafts included, and there is no text model. */
export async function warnDrafts(
  { kv, textModel, log }: Pick<Service, "kv" | "textModel" | "log">,
): Promise<void> {
  if (textModel.isLocal !== true) return;
  let series = 0;
  for await (const { value } of kv.list<StoredSeries>({ prefix: [SERIES] })) {
    const { active, deletedAt, socialAccountId, publishDrafts = true, caption } = value;
    const isOwn = value.mode === "manual" && caption !== null;
    if (!active || deletedAt !== null || socialAccountId === null) continue;
    if (publishDrafts && !isOwn) series++;
  }
  if (series === 0) return;
  log.warn("series.drafts", {
    series,
    message: "These series publish texts that were written without a text model, as drafts. Set " +
      "OPENAI_API_KEY, or publishDrafts to false, so that they wait for a person.",
  });
}
