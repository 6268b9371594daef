/** Every tool an agent can call: name → operation and words. Data only. */
import {
  createOrganization,
  listOrganizations,
  updateOrganization,
} from "../domain/organizations.ts";
import type { Pagination } from "../domain/paging.ts";
import { getPost, listPosts } from "../domain/posts/operations.ts";
import type { PostDetail } from "../domain/posts/shape.ts";
import { HINTS, READ, type Tool, tool, withScopes } from "./tool.ts";

interface Page {
  data: unknown[];
  pagination: Pagination;
}

interface List {
  data: unknown[];
}

const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;

const pageOf = (noun: string) => ({ data, pagination: { page, pageCount, total } }: Page) =>
  `${data.length} of ${count(total, noun)}, page ${page} of ${pageCount}.`;

export const TOOLS: Readonly<Record<string, Tool>> = {
  list_posts: tool<Page>({
    title: "List posts",
    operation: withScopes(listPosts, READ),
    beyond: "Gives the latest metrics only: get_post has their history. Fetch in bulk with " +
      "perPage 100; metrics are refreshed every 30 minutes.",
    hints: HINTS.read,
    say: pageOf("post"),
  }),
  get_post: tool<PostDetail>({
    title: "Get a post",
    operation: withScopes(getPost, READ),
    beyond: "Snapshots are cumulative: subtract neighbours for a day's numbers.",
    hints: HINTS.read,
    say: ({ platform, format, publishedAt, metrics }) =>
      `A ${platform} ${format} of ${publishedAt.slice(0, 10)} with ${metrics.views} views.`,
  }),
  list_organizations: tool<List>({
    title: "List organizations",
    operation: listOrganizations,
    beyond: "The key itself works for its own brand only.",
    hints: HINTS.read,
    say: ({ data }) => `${count(data.length, "organization")}.`,
  }),
  create_organization: tool<{ id: string; name: string }>({
    title: "Create an organization",
    operation: createOrganization,
    hints: HINTS.add,
    say: ({ id, name }) => `Created ${name} (${id}) on the Free plan.`,
  }),
  update_organization: tool<{ name: string }>({
    title: "Rename an organization",
    operation: updateOrganization,
    hints: HINTS.save,
    say: ({ name }) => `It is called ${name} now.`,
  }),
};
