/** Instants as people of a time zone say them. */

/** "Tuesday 24 November, 10:00 CET". @param timeZone an IANA name */
export function localTime(at: number, timeZone: string): string {
  const day = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "long",
    day: "numeric",
    month: "long",
  });
  const time = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  });
  return `${day.format(at).replace(",", "")}, ${time.format(at)}`;
}

/** "24 November". @param timeZone an IANA name */
export function localDay(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone, day: "numeric", month: "long" }).format(at);
}
