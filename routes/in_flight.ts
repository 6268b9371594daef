/** Requests in flight that have a body: a server that shuts down would stop reading them. */
import { within } from "../domain/foundation/within.ts";

type Fetch = (
  request: Request,
  info: Deno.ServeHandlerInfo,
) => Response | Promise<Response>;

export class InFlightRequests {
  readonly #open = new Set<Promise<unknown>>();

  /** Returns a handler that keeps a record of the requests of `handle`. */
  watch(handle: Fetch): Fetch {
    return (request, info) => {
      if (request.method === "GET" || request.method === "HEAD") return handle(request, info);
      const answer = Promise.resolve(handle(request, info));
      const ended: Promise<boolean> = answer.then(() => {}, () => {}).then(() =>
        this.#open.delete(ended)
      );
      this.#open.add(ended);
      return answer;
    };
  }

  /** Waits, at most `ms`, until every request that is in flight now has its answer. */
  async answered(ms: number): Promise<void> {
    await within(ms, Promise.all(this.#open));
  }
}
