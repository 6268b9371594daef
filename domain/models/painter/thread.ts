/** Runs the painter on a thread of its own, so that requests don't wait while it computes pixels. */
import { SECOND } from "../../foundation/calendar.ts";
import type { ImageModel, PaintedImage } from "../model.ts";
import { type Delivery, type Order, PAINTER } from "./messages.ts";

/** An idle thread ends after this time, to free its memory. */
const IDLE_MS = 30 * SECOND;

/** The painter on a thread that starts with the first image and ends when it has been idle. */
export function threadedPainter(): ImageModel {
  const open = new Map<number, PromiseWithResolvers<PaintedImage>>();
  let thread: Worker | null = null;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;

  function started(): Worker {
    clearTimeout(idle);
    if (thread !== null) return thread;
    const address = new URL("./worker.ts", import.meta.url).href;
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
    ...PAINTER,
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
