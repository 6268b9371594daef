/** A request as the gate and the agents' face get it. */
import type { FaceCall } from "../domain/operations/http.ts";
import type { Client } from "../domain/operations/operation.ts";
import { clientAddress } from "./client_address.ts";
import type { AppContext } from "./request.ts";

/** The client of a request. Both getters cost more than most reads, which need neither. */
export class WebClient implements Client {
  readonly #c: AppContext;

  constructor(c: AppContext) {
    this.#c = c;
  }

  get signal(): AbortSignal {
    return this.#c.req.raw.signal;
  }

  get address(): string {
    return clientAddress(this.#c);
  }
}

/**
 * The request for a face that puts the id header on its answers itself. Adding the header to a
 * finished answer costs much more, so `named` tells `requestLine` to skip that.
 */
export function faceCall(c: AppContext): FaceCall {
  const requestId = c.get("requestId");
  c.set("named", true);
  return {
    request: c.req.raw,
    client: new WebClient(c),
    requestId,
    headers: { "x-request-id": requestId },
    note: ({ brand, key }) => c.set("caller", { brandId: brand.id, keyId: key.id }),
  };
}
