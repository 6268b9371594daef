/** One message that passed the gate, as the methods of the protocol get it. */
import type { Caller } from "../domain/brands/meter/meter.ts";
import type { ServiceError } from "../domain/foundation/errors.ts";
import type { Client } from "../domain/operations/operation.ts";
import type { Service } from "../domain/service/service.ts";
import type { Message } from "./message.ts";

export interface Conversation {
  service: Service;
  caller: Caller;
  /** What the meter refuses; each method tells it in its own form. */
  refusal: ServiceError | null;
  message: Message;
  request: Request;
  requestId: string;
  client: Client;
}
