/** The admin's calls that take data out of the service or delete it for good. */
import { z } from "zod";
import { purgeAsset } from "../../domain/creations/assets/purge.ts";
import { deleteBrand } from "../../domain/operations/brands/delete.ts";
import { disconnectAccount } from "../../domain/platforms/disconnect.ts";
import { type Command, command, meantPath, ON } from "./command.ts";

export const LEAVING: Record<string, Command> = {
  "brand export": command(
    z.object({ id: z.string(), to: z.string().min(1) }),
    async (service, { id, to }) => {
      const { exportBrand } = await import("../../domain/operations/brands/export.ts");
      return await exportBrand(service, id, meantPath(to));
    },
  ),
  "brand delete": command(
    z.object({ id: z.string(), yes: z.literal(ON) }),
    (service, { id }) => deleteBrand(service, id),
  ),
  "asset purge": command(
    z.object({ id: z.string() }),
    (service, { id }) => purgeAsset(service, id),
  ),
  "social disconnect": command(
    z.object({ id: z.string() }),
    (service, { id }) => disconnectAccount(service, id),
  ),
};
