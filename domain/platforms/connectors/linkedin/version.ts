/** LinkedIn's API versions: each is supported for a year, and is then answered with 426. */

/**
 * On which day of its month, a year later, a version ends. LinkedIn announces the day: 15 to 22 in 2025,
 * 15 or 16 in 2026 and 2027; the earliest is taken.
 * https://learn.microsoft.com/en-us/linkedin/marketing/integrations/migrations
 */
const LAST_DAY = 15;

/** When the version ends, ms. @param version YYYYMM */
export function linkedInVersionEnd(version: string): number {
  const [year, month] = [Number(version.slice(0, 4)), Number(version.slice(4, 6))];
  return Date.UTC(year + 1, month - 1, LAST_DAY);
}
