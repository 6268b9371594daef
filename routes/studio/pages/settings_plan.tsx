/** Settings: the plan and what is used of it. */
import { PLANS } from "../../../domain/brands/plans.ts";
import { capitalized } from "../../../domain/foundation/text.ts";
import { getUsage } from "../../../domain/operations/people.ts";
import { Settings } from "../parts/settings_frame.tsx";
import { Used } from "../parts/used.tsx";
import type { Shown, Studio } from "../studio.ts";
import { counted } from "../words.ts";

export async function planPage(studio: Studio, shown: Shown) {
  const { about } = studio;
  const { requests } = await studio.call(getUsage, {});
  const { requestsPerMonth, requestsPerSecond } = PLANS[about.plan];
  return (
    <Settings studio={studio} shown={shown} path="/settings/plan">
      <section class="card" aria-labelledby="plan">
        <h2 id="plan">{capitalized(about.plan)} plan</h2>
        <Used what="image credits" count={about.credits.used} most={about.credits.allowance} />
        <Used what="requests of programs" count={requests} most={requestsPerMonth} />
        <p class="soft small">
          At most {counted(requestsPerSecond, "request")}{" "}
          a second. What people do here does not count. Months are those of UTC. Whoever runs this
          service changes the plan.
        </p>
      </section>
    </Settings>
  );
}
