/** People who were invited into somebody's brand, each with a role. */
import { assertEquals } from "@std/assert";
import type { Role } from "../../domain/brands/roles.ts";
import { cookies, submit } from "./door.ts";
import type { TestService } from "./service.ts";
import { StudioPerson } from "./studio.ts";

/** The path of a fresh invitation, as the owner's page shows it. */
export async function invitation(owner: StudioPerson, role: Role): Promise<string> {
  const { status, text } = await owner.send("/settings/people", { role });
  assertEquals(status, 200, text);
  const link = /<code class="secret">([^<]+)<\/code>/.exec(text)?.[1] ?? "";
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** Invites somebody who has no account yet; they join with the link. */
export async function colleague(
  t: TestService,
  owner: StudioPerson,
  role: Role,
  email = `${role}@example.com`,
): Promise<StudioPerson> {
  const path = await invitation(owner, role);
  const answer = await submit(t, path, { email, password: "correct horse" });
  assertEquals(answer.status, 303, await answer.text());
  return new StudioPerson(t, owner.brand, sessionIn(answer));
}

/** The session's token among the cookies that an answer sets. */
export function sessionIn(answer: Response): string {
  return /marquee_session=([^;]+)/.exec(cookies(answer).headers.cookie)?.[1] ?? "";
}
