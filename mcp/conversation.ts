/** One message that passed the gate, as the methods of the protocol get it. */
import type { Caller } from "../domain/brands/meter/meter.ts";
import type { ServiceError } from "../domain/foundation/errors.ts";
import type { Client } from "../domain/operations/operation.ts";
import type { Service } from "../domain/service/service.ts";
import type { Message } from "./message.ts";
import type { SendProgress } from "./progress.ts";
import type { Asker } from "./questions.ts";
import type { Session } from "./session.ts";

export interface Conversation {
  service: Service;
  caller: Caller;
  /** What the meter refuses; each method tells it in its own form. */
  refusal: ServiceError | null;
  message: Message;
  request: Request;
  requestId: string;
  client: Client;
  /** Null: the client sent no session's id, so it can neither subscribe nor be asked. */
  session: Session | null;
}

/** What a method may send to the client before its result. */
export interface Back {
  /** Null: the client did not ask for progress. */
  progress: SendProgress | null;
  /** Null: the client can't be asked, or this call needs no question. */
  asker: Asker | null;
}
