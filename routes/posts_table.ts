/** The read side's rows: a table of their own, so that a cold start answers them first. */
import { getPost, listPosts } from "../domain/posts/operations.ts";
import type { Row } from "./row.ts";

export const POSTS: readonly Row[] = [
  ["GET", "/v1/posts", listPosts, 200],
  ["GET", "/v1/posts/{id}", getPost, 200],
];
