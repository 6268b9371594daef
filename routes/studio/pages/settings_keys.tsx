/** Settings for developers: keys for programs and agents, how to connect them, what they use. */
import type { z } from "zod";
import { Scope } from "../../../domain/brands/keys.ts";
import { invalid } from "../../../domain/foundation/errors.ts";
import { iso } from "../../../domain/foundation/calendar.ts";
import { createKey, getUsage, listKeys, revokeKey } from "../../../domain/operations/people.ts";
import { numberOf, textOf, textsOf } from "../form.ts";
import { budgetsOf, OWN, PRESETS } from "../key_presets.ts";
import { Clients } from "../parts/clients.tsx";
import { Copyable } from "../parts/copyable.tsx";
import { CheckField, DateField, TextField } from "../parts/field.tsx";
import { Settings } from "../parts/settings_frame.tsx";
import { Used } from "../parts/used.tsx";
import { idOf, type Shown, type Studio, valueOf } from "../studio.ts";
import { dayAfter, dayWords, instantOf } from "../when.ts";
import { counted, SCOPE_WORDS } from "../words.ts";

const PATH = "/settings/keys";

type Key = z.input<typeof listKeys.output>["data"][number];

export const keysPage = (studio: Studio, shown: Shown) => showKeys(studio, shown);

async function showKeys(studio: Studio, shown: Shown, fresh?: Fresh) {
  const [{ data, scopes }, { requests }] = await Promise.all([
    studio.call(listKeys, {}),
    studio.call(getUsage, {}),
  ]);
  const { activeKeys, requestsPerMonth, requestsPerSecond } = studio.about.limits;
  return (
    <Settings studio={studio} shown={shown} path={PATH}>
      {fresh === undefined ? null : <FreshKey fresh={fresh} />}
      {fresh === undefined ? null : <Clients address={studio.address} secret={fresh.secret} />}
      <section class="card" aria-labelledby="keys">
        <header>
          <h2 id="keys">Keys for programs and agents</h2>
          <span class="soft">{data.length} of {activeKeys} in use</span>
        </header>
        {data.length === 0 ? <p class="soft">None yet.</p> : (
          <ul class="list">
            {data.map((key) => <Line studio={studio} one={key} />)}
          </ul>
        )}
      </section>
      <NewKey studio={studio} shown={shown} possible={scopes} />
      {fresh === undefined ? <Clients address={studio.address} /> : null}
      <section class="card" aria-labelledby="usage">
        <h2 id="usage">Usage</h2>
        <Used what="requests this month" count={requests} most={requestsPerMonth} />
        <p class="soft small">
          At most {counted(requestsPerSecond, "request")}{" "}
          a second. What people do in Studio does not count.
        </p>
      </section>
    </Settings>
  );
}

function Line({ studio, one }: { studio: Studio; one: Key }) {
  const { id, name, prefix, scopes, lastUsedAt, expiresAt, isApp } = one;
  const limits = limitWords(one);
  return (
    <li>
      <span class="grow">
        <b dir="auto">{name}</b>{" "}
        {isApp ? <span class="soft">signed in</span> : <code>{prefix}…</code>}
        <div class="soft small">{scopes.map((scope) => SCOPE_WORDS[scope]).join(" · ")}</div>
        {limits === "" ? null : <div class="soft small">{limits}</div>}
      </span>
      <span class="soft small">
        {lastUsedAt === null ? "never used" : `used ${dayWords(lastUsedAt, "UTC")}`}
        {expiresAt === null
          ? null
          : <span class="block">ends {dayWords(expiresAt, studio.zone)}</span>}
      </span>
      <form method="post" action={studio.at(`${PATH}/${id}/revoke`)}>
        <button class="danger" aria-label={`Revoke ${name}`}>Revoke</button>
      </form>
    </li>
  );
}

function limitWords({ budgets }: Key): string {
  if (budgets === null) return "";
  const { publishesPerDay, creditsPerDay, seriesIds, accountIds, hoursUtc } = budgets;
  const words = [
    publishesPerDay == null ? null : `${publishesPerDay} posts a day`,
    creditsPerDay == null ? null : `${creditsPerDay} credits a day`,
    seriesIds == null ? null : `${seriesIds.length} series only`,
    accountIds == null ? null : `${accountIds.length} accounts only`,
    hoursUtc == null ? null : `${hoursUtc[0]}:00 to ${hoursUtc[1]}:00 UTC only`,
  ].filter((word) => word !== null);
  return words.length === 0 ? "" : `At most ${words.join(", ")}`;
}

type NewProps = { studio: Studio; shown: Shown; possible: Scope[] };

function NewKey({ studio, shown, possible }: NewProps) {
  const chosen = shown.given === undefined ? [] : textsOf(shown.given, "scopes");
  const preset = valueOf(shown, "preset", "read");
  return (
    <form class="card form" method="post" action={studio.at(PATH)}>
      <h2>New key</h2>
      <TextField
        name="name"
        label="Name"
        value={valueOf(shown, "name")}
        most={120}
        hint="What it is for, so that you know it again."
        required
      />
      <fieldset class="field">
        <legend>What it may do</legend>
        {[...Object.entries(PRESETS), [OWN, CHOOSE] as const].map(([value, { label, hint }]) => (
          <label class="check">
            <input type="radio" name="preset" value={value} checked={value === preset} />
            <span>
              {label}
              <small>{hint}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <fieldset class="field indented">
        <legend class="soft">Its rights</legend>
        {possible.map((scope) => (
          <CheckField
            name="scopes"
            value={scope}
            label={SCOPE_WORDS[scope]}
            hint={scope}
            checked={chosen.includes(scope)}
          />
        ))}
      </fieldset>
      <div class="two">
        <TextField
          name="publishesPerDay"
          label="Posts a day"
          type="number"
          value={valueOf(shown, "publishesPerDay")}
          least={0}
          most={1_000}
          hint="May stay empty."
        />
        <TextField
          name="creditsPerDay"
          label="Credits a day"
          type="number"
          value={valueOf(shown, "creditsPerDay")}
          least={0}
          most={10_000}
          hint="May stay empty."
        />
        <DateField
          name="lastDay"
          label="Last day"
          value={valueOf(shown, "lastDay")}
          hint="Empty: until it is revoked."
        />
      </div>
      <div class="actions">
        <button>Create key</button>
      </div>
    </form>
  );
}

const CHOOSE = { label: "I choose", hint: "Exactly the rights below." };

interface Fresh {
  name: string;
  secret: string;
}

function FreshKey({ fresh: { name, secret } }: { fresh: Fresh }) {
  return (
    <section class="card" tabindex={-1} autofocus aria-labelledby="fresh">
      <h2 id="fresh">Key “{name}”</h2>
      <p>Copy it now. It is only shown this once.</p>
      <Copyable text={secret} what="the key" />
    </section>
  );
}

export async function addKey(studio: Studio, fields: FormData) {
  const preset = PRESETS[textOf(fields, "preset")];
  const own = Scope.options.filter((scope) => textsOf(fields, "scopes").includes(scope));
  const fresh = await studio.call(createKey, {
    name: textOf(fields, "name"),
    scopes: preset?.scopes ?? own,
    budgets: budgetsOf(preset, {
      publishes: limitOf(fields, "publishesPerDay"),
      credits: limitOf(fields, "creditsPerDay"),
    }),
    expiresAt: endOf(studio, textOf(fields, "lastDay")),
  });
  return await showKeys(studio, {}, fresh);
}

function limitOf(fields: FormData, name: string): number | null {
  const text = textOf(fields, name).trim();
  if (text === "") return null;
  const count = numberOf(text);
  if (Number.isNaN(count) || count > 100_000) throw invalid(name, "must be a whole number");
  return count;
}

/** The end of the day in the brand's zone, or null for an empty field. */
function endOf(studio: Studio, day: string): string | null {
  if (day === "") return null;
  const isDay = /^20\d\d-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));
  const at = isDay ? instantOf(`${dayAfter(day, 1)}T00:00`, studio.zone) : null;
  if (at === null) throw invalid("lastDay", "must be a day");
  return iso(at);
}

export async function endKey(studio: Studio): Promise<string> {
  await studio.call(revokeKey, { id: idOf(studio) });
  return PATH;
}
