/** Which of the metrics that were asked for a refusal of Instagram's names. */

/**
 * Meta's forms. A list of allowed values may follow the first; no metric is read from it.
 * - "(#100) metric[4] must be one of the following values: impressions, reach, …":
 *   https://github.com/janu-software/facebook-php-sdk/issues/17
 * - "(#100) The Media Insights API does not support the views metric for this media product type.":
 *   https://github.com/airbytehq/airbyte/pull/62902
 * - "Starting from version 22 and above, the impressions metric is no longer supported …":
 *   https://github.com/gitroomhq/postiz-app/issues/622
 * - "(#100) The metric shares is not supported for this media type":
 *   https://github.com/exileum/meta-mcp/issues/120
 */
const FORMS = [/\bmetric\[\d+\]/, /(?<=\bthe )\w+(?= metric\b)/i, /(?<=\bmetric )(?!is\b)\w+/];

/** The metric in the message: its name, or `metric[N]` for its place in the request; null if none. */
export function metricIn(message: string): string | null {
  for (const form of FORMS) {
    const match = form.exec(message)?.[0];
    if (match !== undefined) return match;
  }
  return null;
}

/** @param named what `metricIn` returned @param asked the metrics of the request, in order */
export function refusedMetric(named: string | null, asked: readonly string[]): string | null {
  const place = /^metric\[(\d+)\]$/.exec(named ?? "")?.[1];
  if (place !== undefined) return asked[Number(place)] ?? null;
  return asked.find((metric) => metric === named) ?? null;
}
