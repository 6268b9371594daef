/** The tour through insights and exports. It comes last, so that the clock of the others stays. */
import { settle } from "./tour_scene.ts";
import type { Tour } from "./tour.ts";

export async function insightsTour(tour: Tour): Promise<void> {
  await settle(tour, "orchard");
  const page = await tour.rest("GET /v1/posts?perPage=2&page=2");
  await insights(tour, page.data[0].id);
  await tour.tool("get_insights", { view: "compare", by: "format" });
  await tour.tool("get_insights", { view: "compare" });
  await tour.tool("get_post_standing", { id: page.data[0].id });
  await tour.tool("get_post_standing", { id: "post_x" });
}

async function insights(tour: Tour, id: string): Promise<void> {
  const of = (what: string) => tour.rest(`GET /v1/insights/${what}`);
  for (
    const what of [
      "summary?from=2026-11-01&to=2026-11-10",
      "summary?from=2026-11-10&to=2026-11-01",
      "timeline?from=2026-11-14&to=2026-11-17&metric=engagement&platform=instagram",
      "timeline?from=2026-11-14&to=2026-11-17",
      "when",
      "when?platform=tiktok",
      "compare?by=hashtag",
      "compare?by=series",
      "compare",
    ]
  ) await of(what);
  for (const what of ["standing", "readings", "readings?asOf=2026-11-16", "readings?asOf=1"]) {
    await tour.rest(`GET /v1/posts/${id}/${what}`);
  }
  for (const query of ["asOf=2026-11-16", "asOf=1"]) {
    await tour.rest(`GET /v1/posts/${id}/readings.csv?${query}`);
  }
  for (const name of ["posts.csv", "posts.ndjson", "readings.ndjson"]) {
    await tour.rest(`GET /v1/${name}?platform=linkedin`);
    await tour.rest(`GET /v1/${name}?sort=likes`);
  }
}
