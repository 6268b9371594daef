/** The brands of a site: each with a person, two keys, and accounts at the platforms. */
import { createAccount } from "../../domain/brands/accounts.ts";
import { createBrand } from "../../domain/brands/brands.ts";
import { grantCredits } from "../../domain/brands/credits.ts";
import { createApiKey, type Scope } from "../../domain/brands/keys.ts";
import { openSession } from "../../domain/brands/sessions.ts";
import { SECOND } from "../../domain/foundation/calendar.ts";
import { connectAccount, type SocialAccount } from "../../domain/platforms/accounts.ts";
import { connectHandle } from "../../domain/platforms/sandbox/handles.ts";
import type { Platform } from "../../domain/posts/shape.ts";
import type { Service } from "../../domain/service/service.ts";
import type { Owner } from "./books.ts";
import type { Client } from "./clients.ts";
import { Known } from "./known.ts";
import type { Person } from "./people.ts";
import type { Site } from "./site.ts";

/** Posts that each account has at its platform from the start. */
const SEEDED = 8;
const PLATFORMS: readonly Platform[] = ["instagram", "linkedin"];
const SCOPES: Scope[] = ["postsRead", "createRead", "createWrite", "publishWrite"];
/** Beyond the plan's, for every second brand. */
const GRANTED = 25;

export interface Tenant extends Owner {
  client: Client;
  person: Person;
}

export async function settleIn({ service, name, url }: Site, brands: number): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  for (let nth = 0; nth < brands; nth++) {
    const email = `${name}${nth}@example.com`;
    const account = await createAccount(service, { email, password: "correct horse" });
    const wanted = { name: `Brand ${nth}`, plan: "studio", accountId: account.id } as const;
    const brand = await createBrand(service, wanted);
    const secretOf = async (name: string) =>
      (await createApiKey(service, { brandId: brand.id, name, scopes: SCOPES })).secret;
    const secrets = { agent: await secretOf("agent"), integration: await secretOf("integration") };
    const granted = nth % 2 === 0 ? GRANTED : 0;
    if (granted > 0) await grantCredits(service, brand, granted);
    const accounts: SocialAccount[] = [];
    for (const platform of PLATFORMS) {
      accounts.push(await connect(service, brand.id, platform, `${name}-${nth}`));
    }
    const known = new Known(brand.id, accounts.map(({ id }) => id));
    const cookie = `marquee_session=${await openSession(service, account)}`;
    tenants.push({
      client: { site: name, url, known, secrets },
      person: { site: name, url, known, cookie },
      accounts,
      ...{ known, secret: secrets.integration, granted, counted: 0 },
    });
  }
  return tenants;
}

/** As a person signs in at the platform; also again, when it has revoked the account's tokens. */
export async function connect(
  service: Service,
  brandId: string,
  platform: Platform,
  handle: string,
): Promise<SocialAccount> {
  const { kv, now } = service;
  const grant = await connectHandle(kv, now, platform, handle, { seeded: SEEDED });
  const kind = platform === "instagram" ? "professional" : "organization";
  const identity = {
    platform,
    kind,
    handle: grant.username,
    externalId: grant.externalId,
  } as const;
  const { accessToken: access, refreshToken: refresh, refreshExpiresIn } = grant;
  return await connectAccount(service, brandId, identity, {
    ...{ access, refresh, issuedAt: now(), accessExpiresAt: now() + grant.expiresIn * SECOND },
    refreshExpiresAt: refreshExpiresIn === null ? null : now() + refreshExpiresIn * SECOND,
  });
}
