/** The rows on posts, a table of their own so that a cold start loads no other operation for them. */
import { getPost, listPosts } from "../domain/operations/posts.ts";
import type { Row } from "./row.ts";

export const POSTS: readonly Row[] = [
  ["GET", "/v1/posts", listPosts, 200],
  ["GET", "/v1/posts/{id}", getPost, 200],
];
