/** The read side's operations: `GET /v1/posts` and `GET /v1/posts/{id}`. */
import { z } from "zod";
import { notFound } from "../errors.ts";
import { operation } from "../operation.ts";
import { Pagination } from "../paging.ts";
import { Post, PostDetail } from "./shape.ts";

export const listPosts = operation({
  id: "listPosts",
  group: "Posts",
  summary: "List the brand's published posts with their latest metrics.",
  scopes: ["postsRead"],
  costs: "request",
  errors: [],
  input: z.object({
    page: z.int32().min(1).default(1),
    perPage: z.int32().min(1).max(100).default(20),
  }),
  output: z.object({ data: z.array(Post), pagination: Pagination }),
  run: (_, { page, perPage }) =>
    Promise.resolve({ data: [], pagination: { page, perPage, total: 0, pageCount: 0 } }),
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
  run: () => Promise.reject(notFound("post")),
});
