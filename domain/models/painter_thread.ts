/** The painter on a thread of its own: it computes every pixel, and requests must not wait for that. */
import { SECOND } from "../calendar.ts";
import type { ImageModel, ImageRequest, PaintedImage } from "./model.ts";

/** What goes to the thread; without a request the painting is given up. */
export interface Order {
  id: number;
  request: Omit<ImageRequest, "signal"> | null;
}

/** What comes back: a picture, or why there is none. */
export type Delivery =
  | { id: number; painted: PaintedImage }
  | { id: number; error: string };

/** An idle thread gives its memory back. */
const IDLE_MS = 30 * SECOND;

/** Its thread starts with the first picture and ends when there has been none for a while. */
export function threadedPainter(): ImageModel {
  const open = new Map<number, PromiseWithResolvers<PaintedImage>>();
  let thread: Worker | null = null;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;

  function started(): Worker {
    clearTimeout(idle);
    if (thread !== null) return thread;
    const address = new URL("./painter_worker.ts", import.meta.url).href;
    const worker = new Worker(address, { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Delivery>) => {
      if ("painted" in data) open.get(data.id)?.resolve(data.painted);
      else open.get(data.id)?.reject(new Error(data.error));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end();
      for (const { reject } of open.values()) reject(new Error(event.message));
    };
    return thread = worker;
  }

  function end(): void {
    thread?.terminate();
    thread = null;
  }

  return {
    name: "painter",
    async paint({ signal, ...request }) {
      signal.throwIfAborted();
      const id = ++lastId;
      const delivery = Promise.withResolvers<PaintedImage>();
      open.set(id, delivery);
      const worker = started();
      const giveUp = () => {
        worker.postMessage({ id, request: null } satisfies Order);
        delivery.reject(signal.reason);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      try {
        worker.postMessage({ id, request } satisfies Order);
        return await delivery.promise;
      } finally {
        signal.removeEventListener("abort", giveUp);
        open.delete(id);
        if (open.size === 0) {
          idle = setTimeout(end, IDLE_MS);
          Deno.unrefTimer(idle);
        }
      }
    },
  };
}
