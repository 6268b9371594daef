/** The service whose pages are pictured, with its people, and each page as the browser opens it. */
import { Receiver } from "../support/receiver.ts";
import { testService } from "../support/service.ts";
import { type StudioPerson, studioPerson } from "../support/studio.ts";
import { furnish, linksOf, moodyPainter, trouble } from "./brands.ts";
import { webhooks } from "./webhooks.ts";
import { ANY, EMPTY, full, outside, outsideWrong, type Scene, wrong } from "./pages.ts";

/** A page in one of three states, with the session of who looks at it. */
export interface Shot extends Pick<Scene, "form"> {
  name: string;
  url: string;
  cookie: { name: string; value: string } | null;
}

const PORT = 8_765;

/** @param isWanted chooses by name; a brand that none of the chosen pages needs is not furnished */
export async function* scenes(isWanted: (name: string) => boolean): AsyncGenerator<Shot> {
  const BASE_URL = `http://127.0.0.1:${PORT}`;
  await using receiver = new Receiver();
  await using t = await testService({
    dependencies: { imageModel: moodyPainter() },
    environ: {
      ...{ BASE_URL, PORT: String(PORT), SANDBOX: "on" },
      ALLOW_PRIVATE_HOSTS: receiver.host,
    },
  });
  const server = Deno.serve({ port: PORT, onListen: () => {} }, (request) => t.app.fetch(request));
  const ana = await studioPerson(t);
  const newcomer = { email: "new@example.com", name: "Kiln & Co", plan: "free" as const };
  const potter = { email: "jo@example.com", name: "Jo’s Pottery", plan: "free" as const };
  const links = await linksOf(t, ana);
  const shots = (state: string, person: StudioPerson | null, list: Scene[]): Shot[] =>
    list.map(({ name, path, ...scene }) => ({
      ...scene,
      name: `${state}-${name}`,
      url: BASE_URL + (path.startsWith("/docs") ? path : (person ?? ana).at(path)),
      cookie: person === null ? null : cookieOf(person),
    })).filter(({ name }) => isWanted(name));
  const isAnyOf = (state: string, list: Scene[]) =>
    list.some(({ name }) => isWanted(`${state}-${name}`));

  yield* shots("full", null, outside(links));
  yield* shots("wrong", null, outsideWrong(links));
  yield* shots("empty", await studioPerson(t, newcomer), EMPTY);
  if (isAnyOf("full", full(ANY))) {
    const ids = { ...await furnish(t, ana), ...await webhooks(t, ana, receiver) };
    yield* shots("full", ana, full(ids));
  }
  if (isAnyOf("wrong", wrong(ANY))) {
    const jo = await studioPerson(t, potter);
    yield* shots("wrong", jo, wrong(await trouble(t, jo)));
  }
  await server.shutdown();
}

function cookieOf({ cookie }: StudioPerson) {
  const [name = "", value = ""] = cookie.split("=");
  return { name, value };
}
