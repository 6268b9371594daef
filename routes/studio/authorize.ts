/** What an app asks a person for: the parameters of RFC 6749, 7636 and 8707, checked. */
import { type AppClient, readClient } from "../../domain/brands/apps/client.ts";
import { type Documents, isDocumentId } from "../../domain/brands/apps/document.ts";
import { AppRefusal } from "../../domain/brands/apps/refusal.ts";
import { answerAt, mayRedirect } from "../../domain/brands/apps/redirects.ts";
import { Scope } from "../../domain/brands/keys.ts";
import type { Service } from "../../domain/service/service.ts";
import { isResource } from "../oauth/metadata.ts";

export interface Asked {
  client: AppClient;
  redirectUri: string;
  challenge: string;
  /** What the app asked for; everything if it named nothing that there is. */
  scopes: Scope[];
  /** The address that leads the person back to the app, with this answer. */
  back: (answer: Record<string, string>) => string;
}

type ClientOf = (id: string) => Promise<AppClient>;

/** A fault of the request of a known app, which may be told about it. */
export class AskedWrongly extends Error {
  override readonly name = "AskedWrongly";
  readonly client: AppClient;
  readonly redirectUri: string;
  /** Tells the app. Only the person opens it, because anybody can register an app and link here. */
  readonly back: string;

  constructor(
    refusal: AppRefusal,
    { client, redirectUri, back }: Omit<Asked, "challenge" | "scopes">,
  ) {
    super(refusal.message, { cause: refusal });
    this.client = client;
    this.redirectUri = redirectUri;
    this.back = back({ error: refusal.code, error_description: refusal.message });
  }
}

/**
 * @throws AppRefusal if the app or its redirect URI is not known, so nobody may be sent anywhere
 * @throws AskedWrongly for everything else that is wrong
 * @throws ServiceError when the app's document can't be read
 */
export async function readAsked(
  service: Service,
  clientOf: ClientOf,
  query: URLSearchParams,
): Promise<Asked> {
  const client = await clientOf(query.get("client_id") ?? "");
  const redirectUri = query.get("redirect_uri") ?? "";
  const isKnown = isOnce(query, "client_id") && isOnce(query, "redirect_uri") &&
    mayRedirect(client.redirectUris, redirectUri);
  if (!isKnown) {
    throw new AppRefusal(
      "invalid_request",
      "The app asks to be answered at an address that it " +
        "has not registered. Don't go on unless you know why.",
    );
  }
  const state = query.get("state");
  const always = { ...state === null ? {} : { state }, iss: service.settings.BASE_URL };
  const back = (answer: Record<string, string>) => answerAt(redirectUri, { ...answer, ...always });
  try {
    return { client, redirectUri, back, ...termsOf(service, query) };
  } catch (error) {
    if (!(error instanceof AppRefusal)) throw error;
    throw new AskedWrongly(error, { client, redirectUri, back });
  }
}

/**
 * Reads the app with an id for a person, in whose name documents are fetched.
 * @throws like `readAsked`
 */
export function clientsFor(service: Service, documents: Documents, accountId: string): ClientOf {
  return async (id) => {
    const client = isDocumentId(id)
      ? await documents.read(id, accountId)
      : await readClient(service, id);
    if (client !== null) return client;
    throw new AppRefusal(
      "invalid_client",
      "This app is not registered here, or it was not used for too long. Sign it out of Marquee, " +
        "then let it sign in again.",
    );
  };
}

const isOnce = (query: URLSearchParams, name: string): boolean => query.getAll(name).length === 1;

function termsOf({ settings }: Service, query: URLSearchParams) {
  for (const name of ["response_type", "code_challenge", "code_challenge_method"]) {
    if (!isOnce(query, name)) throw wrong(`${name} must be sent once.`);
  }
  if (query.getAll("state").length > 1) throw wrong("state must be sent once.");
  if (query.get("response_type") !== "code") {
    throw new AppRefusal("unsupported_response_type", "response_type must be code.");
  }
  if (query.get("code_challenge_method") !== "S256") {
    throw wrong("code_challenge_method must be S256.");
  }
  const challenge = query.get("code_challenge") ?? "";
  if (!/^[\w-]{43}$/.test(challenge)) throw wrong("code_challenge must have 43 characters.");
  if (!query.getAll("resource").every((sent) => isResource(settings, sent))) {
    throw new AppRefusal("invalid_target", "The app asks for access to another service.");
  }
  return { challenge, scopes: scopesOf(query.get("scope") ?? "") };
}

/** Names that are not known here, such as offline_access, are no reason to refuse. */
function scopesOf(sent: string): Scope[] {
  const names = sent.split(" ");
  const known = Scope.options.filter((scope) => names.includes(scope));
  return known.length === 0 ? [...Scope.options] : known;
}

const wrong = (words: string) => new AppRefusal("invalid_request", words);
