/** Settings: who did what in the brand, newest first. */
import type { z } from "zod";
import { listAudit } from "../../../domain/operations/members.ts";
import { auditWords, linkOf } from "../audit_words.ts";
import { Empty } from "../parts/chip.tsx";
import { Settings } from "../parts/settings_frame.tsx";
import { queryOf, type Shown, type Studio } from "../studio.ts";
import { dayIn, dayWords, timeWords } from "../when.ts";

const PER_PAGE = 50;

type Row = z.input<typeof listAudit.output>["data"][number];

export async function auditPage(studio: Studio, shown: Shown) {
  const before = queryOf(studio, "before") || null;
  const { data, before: next } = await studio.call(listAudit, { before, perPage: PER_PAGE });
  const days = Map.groupBy(data, ({ at }) => dayIn(at, studio.zone));
  return (
    <Settings studio={studio} shown={shown} path="/settings/audit">
      {data.length === 0
        ? (
          <Empty title="Nothing yet">
            <p>What people, keys and Marquee itself change here is kept for 90 days.</p>
          </Empty>
        )
        : [...days].map(([day, rows]) => (
          <section class="card" aria-label={dayWords(`${day}T12:00Z`, "UTC")}>
            <h2>{dayWords(`${day}T12:00Z`, "UTC")}</h2>
            <ul class="list">{rows.map((row) => <Line studio={studio} row={row} />)}</ul>
          </section>
        ))}
      {before === null && next === null
        ? null
        : <Steps studio={studio} isFirst={before === null} next={next} />}
      <p class="soft small">Kept for 90 days. Signing in and out is noted with each account.</p>
    </Settings>
  );
}

function Steps(
  { studio, isFirst, next }: { studio: Studio; isFirst: boolean; next: string | null },
) {
  return (
    <div class="actions">
      {isFirst ? null : <a class="button quiet" href={studio.at("/settings/audit")}>Newest</a>}
      {next === null
        ? null
        : <a class="button quiet" href={studio.at(`/settings/audit?before=${next}`)}>Older</a>}
    </div>
  );
}

function Line({ studio, row }: { studio: Studio; row: Row }) {
  const { who, what } = auditWords(row);
  const path = linkOf(row);
  return (
    <li>
      <time class="soft small number" datetime={row.at}>{timeWords(row.at, studio.zone)}</time>
      <span class="grow">
        <b>{who}</b> <span>{path === null ? what : <a href={studio.at(path)}>{what}</a>}</span>
        {row.address === null || row.address === "unknown"
          ? null
          : <span class="soft small block">from {row.address}</span>}
      </span>
    </li>
  );
}
