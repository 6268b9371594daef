/** A service as in production, but with the plans' limits lifted. */
import { Meter } from "../../domain/meter/meter.ts";
import { PLANS } from "../../domain/plans.ts";
import type { Service } from "../../domain/service.ts";
import type { Face } from "../../domain/wire.ts";

export function unlimited(service: Service): Service {
  const limits = { requestsPerSecond: 1e9, requestsPerMonth: 1e9 };
  const plans = { studio: { ...PLANS.studio, ...limits } };
  const meter = new Meter(service.kv, service.now, { plans });
  return { ...service, meter, checkOutput: false };
}

export const noMcp: Face = () => Promise.resolve(new Response(null, { status: 404 }));
