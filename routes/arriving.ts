/** Requests that bring a body: a server that shuts down cuts those that are still on their way. */

type Fetch = (request: Request) => Response | Promise<Response>;

export class Arriving {
  readonly #open = new Set<Promise<unknown>>();

  /** Keeps an eye on the requests of `handle`. */
  watch(handle: Fetch): Fetch {
    return (request) => {
      if (request.method === "GET" || request.method === "HEAD") return handle(request);
      const answer = Promise.resolve(handle(request));
      const ended: Promise<boolean> = answer.then(() => {}, () => {}).then(() =>
        this.#open.delete(ended)
      );
      this.#open.add(ended);
      return answer;
    };
  }

  /** Waits, at most `ms`, until the requests that are here by now have their answers. */
  async answered(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const enough = new Promise<void>((done) => timer = setTimeout(done, ms));
    await Promise.race([Promise.all(this.#open), enough]);
    clearTimeout(timer);
  }
}
