/** Settings: the people of the brand, their roles, and invitations. */
import type { z } from "zod";
import { Role } from "../../../domain/brands/roles.ts";
import { invalid, noSuch } from "../../../domain/foundation/errors.ts";
import {
  endInvite,
  invitePerson,
  leaveBrand,
  listInvites,
  listPeople,
  removePerson,
  setRole,
} from "../../../domain/operations/members.ts";
import { textOf } from "../form.ts";
import { Ask } from "../parts/ask.tsx";
import { Copyable } from "../parts/copyable.tsx";
import { Icon } from "../parts/icons.tsx";
import { Settings } from "../parts/settings_frame.tsx";
import { idOf, type Shown, STUDIO, type Studio, valueOf } from "../studio.ts";
import { dayWords, fromNow, whenWords } from "../when.ts";
import { ROLE_WORDS } from "../words.ts";

const PATH = "/settings/people";

type Invited = z.input<typeof invitePerson.output>;
type One = z.input<typeof listPeople.output>["data"][number];
type Open = z.input<typeof listInvites.output>["data"];

export const peoplePage = (studio: Studio, shown: Shown) => show(studio, shown);

async function show(studio: Studio, shown: Shown, fresh?: Invited) {
  const mayInvite = studio.may(invitePerson);
  const [{ data: people }, { data: open }] = await Promise.all([
    studio.call(listPeople, {}),
    mayInvite ? studio.call(listInvites, {}) : { data: [] },
  ]);
  return (
    <Settings studio={studio} shown={shown} path={PATH}>
      {fresh === undefined ? null : <FreshInvite fresh={fresh} />}
      <section class="card" aria-labelledby="people">
        <header>
          <h2 id="people">People</h2>
          <span class="soft">{people.length} in this brand</span>
        </header>
        <ul class="list">
          {people.map((one) => <Line studio={studio} one={one} mayChange={mayInvite} />)}
        </ul>
      </section>
      {open.length === 0 ? null : <OpenInvites studio={studio} open={open} />}
      {mayInvite ? <InviteForm studio={studio} shown={shown} /> : <Meanings />}
    </Settings>
  );
}

const nameOf = ({ email }: One): string => email ?? "An account without a sign-in";

function Line({ studio, one, mayChange }: { studio: Studio; one: One; mayChange: boolean }) {
  const { accountId, role, since, isYou } = one;
  const at = studio.at(`${PATH}/${accountId}`);
  return (
    <li>
      <span class="grow row person">
        <span class="mono" aria-hidden="true">{nameOf(one).charAt(0).toUpperCase()}</span>
        <span class="grow">
          <b>{nameOf(one)}</b> {isYou ? <span class="chip">You</span> : null}
          <span class="soft small block">Since {dayWords(since, studio.zone)}</span>
        </span>
      </span>
      <span class="row">
        {mayChange
          ? (
            <form class="row" method="post" action={`${at}/role`}>
              <select name="role" aria-label={`Role of ${nameOf(one)}`} class="short">
                {Role.options.map((value) => (
                  <option value={value} selected={value === role}>{ROLE_WORDS[value].word}</option>
                ))}
              </select>
              <button
                class="quiet"
                data-when-changed
                aria-label={`Change the role of ${nameOf(one)}`}
              >
                Change
              </button>
            </form>
          )
          : <span class="chip">{ROLE_WORDS[role].word}</span>}
        {isYou
          ? <a class="button plain" href={studio.at(`${PATH}/leave`)}>Leave…</a>
          : mayChange
          ? (
            <a class="button plain" href={`${at}/remove`} aria-label={`Remove ${nameOf(one)}`}>
              Remove…
            </a>
          )
          : null}
      </span>
    </li>
  );
}

function OpenInvites({ studio, open }: { studio: Studio; open: Open }) {
  return (
    <section class="card" aria-labelledby="open">
      <h2 id="open">Open invitations</h2>
      <ul class="list">
        {open.map(({ id, role, at, expiresAt }) => (
          <li>
            <span class="grow">
              <b>{ROLE_WORDS[role].word}</b>
              <div class="soft small">
                Made {fromNow(at, studio.now)}, works until {whenWords(expiresAt, studio.zone)}
              </div>
            </span>
            <form method="post" action={studio.at(`/settings/invites/${id}/withdraw`)}>
              <button class="plain" aria-label={`Withdraw the invitation as ${role}`}>
                Withdraw
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  );
}

function FreshInvite({ fresh: { role, link } }: { fresh: Invited }) {
  return (
    <section class="card" tabindex={-1} autofocus aria-labelledby="fresh">
      <h2 id="fresh">Invitation as {ROLE_WORDS[role].word.toLowerCase()}</h2>
      <p>
        Send this link to one person. It works once, for 72 hours, and is only shown now.
      </p>
      <Copyable text={link} what="the link" />
    </section>
  );
}

function InviteForm({ studio, shown }: { studio: Studio; shown: Shown }) {
  const chosen = valueOf(shown, "role", "editor");
  return (
    <form class="card form" method="post" action={studio.at(PATH)}>
      <h2>Invite somebody</h2>
      <fieldset class="field">
        <legend>Their role</legend>
        {Role.options.map((role) => (
          <label class="check">
            <input type="radio" name="role" value={role} checked={role === chosen} />
            <span>
              {ROLE_WORDS[role].word}
              <small>{ROLE_WORDS[role].does}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <button>
        <Icon name="plus" />
        Make an invitation link
      </button>
    </form>
  );
}

/** What the roles mean, for those who can't give them. */
function Meanings() {
  return (
    <section class="card" aria-labelledby="roles">
      <h2 id="roles">What the roles mean</h2>
      <dl class="stack tight">
        {Role.options.map((role) => (
          <div>
            <dt>
              <b>{ROLE_WORDS[role].word}</b>
            </dt>
            <dd class="soft">{ROLE_WORDS[role].does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export async function removePage(studio: Studio, shown: Shown) {
  const { data } = await studio.call(listPeople, {});
  const person = data.find(({ accountId }) => accountId === idOf(studio));
  if (person === undefined) throw noSuch("person");
  return (
    <Ask
      {...{ studio, shown }}
      tab={PATH}
      back={PATH}
      title={`Remove ${nameOf(person)}?`}
      words="They can't open this brand from the next click on. What they made stays."
      button="Remove"
      action={`${PATH}/${idOf(studio)}/remove`}
    />
  );
}

export const leavePage = (studio: Studio, shown: Shown) =>
  Promise.resolve(
    <Ask
      {...{ studio, shown }}
      tab={PATH}
      back={PATH}
      title={`Leave ${studio.brand.name}?`}
      words="You can't open it any more until an owner invites you again. What you made stays."
      button="Leave"
      action={`${PATH}/leave`}
    />,
  );

export async function invite(studio: Studio, fields: FormData) {
  return await show(studio, {}, await studio.call(invitePerson, { role: roleOf(fields) }));
}

export async function withdraw(studio: Studio): Promise<string> {
  await studio.call(endInvite, { id: idOf(studio) });
  return PATH;
}

export async function giveRole(studio: Studio, fields: FormData): Promise<string> {
  await studio.call(setRole, { id: idOf(studio), role: roleOf(fields) });
  return `${PATH}?saved`;
}

function roleOf(fields: FormData): Role {
  const role = Role.safeParse(textOf(fields, "role"));
  if (!role.success) throw invalid("role", "choose one");
  return role.data;
}

export async function remove(studio: Studio): Promise<string> {
  await studio.call(removePerson, { id: idOf(studio) });
  return PATH;
}

export async function leave(studio: Studio): Promise<string> {
  await studio.call(leaveBrand, {});
  return STUDIO;
}
