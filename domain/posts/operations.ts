/** The read side's operations: `GET /v1/posts` and `GET /v1/posts/{id}`. */
import { z } from "zod";
import { notFound } from "../errors.ts";
import { operation } from "../operation.ts";
import { Pagination } from "../paging.ts";
import { PostQuery } from "./query.ts";
import { Post, PostDetail } from "./shape.ts";
import { readPost } from "./store.ts";

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
  run: async ({ posts, brand }, query) => {
    const index = await posts.of(brand.id);
    if (query.q !== undefined) await index.prepareSearch();
    return index.page(query);
  },
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
