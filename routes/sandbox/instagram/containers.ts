/** The calls that create a container and read its status (PLATFORMS A.6 steps 1 to 4). */
import { transact } from "../../../domain/kv/transact.ts";
import type { SandboxAccount } from "../../../domain/platforms/sandbox/accounts.ts";
import type { Service } from "../../../domain/service/service.ts";
import { json } from "../wire.ts";
import { type GraphCall, requireOwner, requireScope } from "./call.ts";
import {
  type Container,
  CONTAINER_LIFE,
  containerId,
  containerKey,
  type ContainerStatus,
  READS_TO_FINISH,
  serialOf,
  statusOf,
} from "./container.ts";
import { contentOf } from "./content.ts";
import { graphError, noSuchObject } from "./errors.ts";
import { parseFields, pick } from "./fields.ts";

const MAX_PER_DAY = 400;

const serialKey = ({ number }: SandboxAccount): Deno.KvKey => [
  "sandbox",
  "instagram",
  "containers",
  number,
];

/** `POST /{ig}/media` */
export async function createContainer(
  service: Service,
  call: GraphCall,
  owner: string,
): Promise<Response> {
  requireOwner(call, owner);
  requireScope(call, "instagram_business_content_publish");
  const content = await contentOf(service, call);
  const id = await transact(service.kv, async (commit) => {
    const serial = await commit.get<number>(serialKey(call.account)) ?? 0;
    const oldest = await commit.get<Container>(containerKey(call.account, serial - MAX_PER_DAY));
    if (oldest !== null && oldest.createdAt > service.now() - CONTAINER_LIFE) {
      throw graphError({
        status: 403,
        code: 9,
        subcode: 2207042,
        message: "(#9) Application request limit reached",
      });
    }
    const id = containerId(call.account, serial);
    const container: Container = {
      ...content,
      id,
      createdAt: service.now(),
      polls: 0,
      publishedAs: null,
    };
    commit.set(serialKey(call.account), serial + 1);
    commit.set(containerKey(call.account, serial), container);
    return id;
  });
  return json({ id });
}

/** `GET /{container}?fields=status_code,status`: each read advances the processing. */
export async function readContainer(
  service: Service,
  call: GraphCall,
  id: string,
): Promise<Response> {
  const serial = serialOf(call.account, id);
  const container = serial === null ? null : await transact(service.kv, async (commit) => {
    const found = await commit.get<Container>(containerKey(call.account, serial));
    if (found !== null && found.polls <= READS_TO_FINISH) {
      commit.set(containerKey(call.account, serial), { ...found, polls: found.polls + 1 });
    }
    return found;
  });
  if (container === null) throw noSuchObject(id);
  const code = await statusOf(service, call.account, container);
  const node = { id, status_code: code, status: STATUS_TEXT[code], copyright_check_status: {} };
  const fields = parseFields(call.params["fields"] ?? "id");
  return json({ id, ...pick(node, fields, "MediaBuilder") });
}

const STATUS_TEXT: Record<ContainerStatus, string> = {
  IN_PROGRESS: "In Progress: Media is still being processed.",
  FINISHED: "Finished: Media has been uploaded and it is ready to be published.",
  EXPIRED: "Expired: The media was not published within 24 hours.",
  PUBLISHED: "Published: Media has been published.",
};
