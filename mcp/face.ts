/** The agents' face, loaded with its first request: the tools know every operation. */
import type { Service } from "../domain/service.ts";
import type { Face } from "../domain/wire.ts";

export function lazyMcpFace(service: Service): Face {
  let loading: Promise<Face> | undefined;
  return async (request, call) => {
    loading ??= import("./server.ts").then(({ mcpFace }) => mcpFace(service));
    return (await loading)(request, call);
  };
}
