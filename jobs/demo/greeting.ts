/** What `dev` says once it is ready. */
import type { Brand } from "../../domain/brands/brands.ts";
import { LINK_MS } from "../../domain/brands/links.ts";
import { MINUTE } from "../../domain/foundation/calendar.ts";

interface Greeting {
  /** The service's address. */
  base: string;
  brand: Pick<Brand, "id" | "name">;
  key: string;
  /** Signs in once; null when the brand's account is gone. */
  link: string | null;
  email: string;
  /** Null once it was shown. */
  password: string | null;
  /** Whether the brand's past is being seeded in the background. */
  isBeingSeeded: boolean;
}

const SEEDING = `
Its logo, pictures and eight weeks of posts are being made in the background, for about a minute.
`;

export function greeting(
  { base, brand, key, link, email, password, isBeingSeeded }: Greeting,
): string {
  const auth = `-H "Authorization: Bearer ${key}"`;
  const body =
    `'{"prompt":"A quiet harbour at dawn, warm light","idea":"harbour","aspectRatio":"portrait"}'`;
  const signIn = link === null
    ? ""
    : `\n  sign in      ${link}\n               (works once, within ${LINK_MS / MINUTE} minutes)`;
  return `
Marquee runs at ${base}
${signIn}
  demo brand   ${brand.name} (${brand.id}), which is invented
  demo key     ${key}
  Studio       ${base}/studio  (${email}${password === null ? "" : `, ${password}`})
  reference    ${base}/docs
${isBeingSeeded ? SEEDING : ""}
Three commands to paste:

curl -s ${auth} "${base}/v1/posts?sort=views&perPage=3"
curl -s ${auth} -H "Content-Type: application/json" -d ${body} ${base}/v1/creations
curl -s ${auth} "${base}/v1/creations?perPage=1"

`;
}
