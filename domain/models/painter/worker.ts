/** The painter's thread: receives orders and sends images. */
import type { Delivery, Order } from "./messages.ts";
import { painter } from "./painter.ts";

/** The used part of a worker's global scope. Its own types are missing, as Deno checks for a main thread. */
interface Scope {
  onmessage: ((event: MessageEvent<Order>) => void) | null;
  postMessage(message: Delivery, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as Scope;
const open = new Map<number, AbortController>();

scope.onmessage = ({ data: { id, request } }) => {
  if (request === null) return open.get(id)?.abort();
  void work(id, request);
};

async function work(id: number, request: NonNullable<Order["request"]>): Promise<void> {
  const abort = new AbortController();
  open.set(id, abort);
  try {
    const painted = await painter.paint({ ...request, signal: abort.signal });
    scope.postMessage({ id, painted }, [painted.bytes.buffer]);
  } catch (error) {
    scope.postMessage({ id, error: error instanceof Error ? error.message : String(error) }, []);
  } finally {
    open.delete(id);
  }
}
