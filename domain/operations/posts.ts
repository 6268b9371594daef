/** The operations on posts: list them, read one. */
import { z } from "zod";
import { notFound } from "../foundation/errors.ts";
import { operation } from "./operation.ts";
import { Pagination } from "../foundation/paging.ts";
import { PostQuery } from "../posts/query.ts";
import { Post, PostDetail } from "../posts/shape.ts";
import { readPost } from "../posts/store.ts";

export const listPosts = operation({
  id: "listPosts",
  group: "Posts",
  summary: "List the brand's published posts with their latest metrics.",
  description: "Newest first without sort parameters. Ties are in a fixed order, newer first, so " +
    "that pages never repeat or lose a post. A page past the end is empty.",
  scopes: ["postsRead"],
  costs: "request",
  errors: [],
  input: PostQuery,
  output: z.object({ data: z.array(Post), pagination: Pagination }),
  run: ({ posts, brand }, query) => posts.page(brand.id, query),
});

export const getPost = operation({
  id: "getPost",
  group: "Posts",
  summary: "Read one post with its full metric history.",
  scopes: ["postsRead"],
  costs: "request",
  errors: ["notFound"],
  input: z.object({ id: z.string() }),
  output: PostDetail,
  run: async ({ kv, brand }, { id }) => {
    const post = await readPost(kv, brand.id, id);
    if (post === null) throw notFound("post");
    return post;
  },
});
