/** A service as in production, but with the plans' limits lifted. */
import type { Now } from "../../domain/foundation/calendar.ts";
import { Meter } from "../../domain/brands/meter/meter.ts";
import { type PlanLimits, PLANS } from "../../domain/brands/plans.ts";
import type { Service } from "../../domain/service/service.ts";
import type { Face } from "../../domain/operations/http.ts";

export const LIFTED: PlanLimits = {
  ...PLANS.studio,
  requestsPerSecond: 1e9,
  requestsPerMonth: 1e9,
};

export function liftedMeter(kv: Deno.Kv, now: Now): Meter {
  return new Meter(kv, now, { plans: { ...PLANS, studio: LIFTED } });
}

export function unlimited(service: Service): Service {
  return { ...service, meter: liftedMeter(service.kv, service.now), checkOutput: false };
}

export const noMcp: Face = () => Promise.resolve(new Response(null, { status: 404 }));
