/** The agents' face, loaded with its first request: the tools know every operation. */
import { once } from "../domain/once.ts";
import type { Service } from "../domain/service.ts";
import type { Face } from "../domain/wire.ts";

export function lazyMcpFace(service: Service): Face {
  const face = once(async () => (await import("./server.ts")).mcpFace(service));
  return async (request, call) => (await face())(request, call);
}
