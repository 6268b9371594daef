/** The agents' face, loaded with its first request because its tools import every operation. */
import { once } from "../domain/foundation/once.ts";
import type { Service } from "../domain/service/service.ts";
import type { Face } from "../domain/operations/http.ts";

export function lazyMcpFace(service: Service): Face {
  const face = once(async () => (await import("./server.ts")).mcpFace(service));
  return async (call) => (await face())(call);
}
