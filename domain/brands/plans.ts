/** The plans and their limits (spec section 8; credits from DECISIONS "Values"). */
import { z } from "zod";

export const Plan = z.enum(["free", "creator", "studio"]);
export type Plan = z.output<typeof Plan>;

export interface PlanLimits {
  requestsPerSecond: number;
  requestsPerMonth: number;
  activeKeys: number;
  /** Image credits a calendar month. */
  creditsPerMonth: number;
}

export const PLANS: Record<Plan, PlanLimits> = {
  free: { requestsPerSecond: 1, requestsPerMonth: 500, activeKeys: 1, creditsPerMonth: 10 },
  creator: { requestsPerSecond: 5, requestsPerMonth: 25_000, activeKeys: 5, creditsPerMonth: 200 },
  studio: {
    requestsPerSecond: 20,
    requestsPerMonth: 250_000,
    activeKeys: 20,
    creditsPerMonth: 2_000,
  },
};
