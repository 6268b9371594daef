/** What a live page asks again and again. Only people have a path to it, in Studio. */
import { z } from "zod";
import { postsVersion } from "../series/version.ts";
import { operation } from "./operation.ts";

export const getPostsVersion = operation({
  id: "getPostsVersion",
  group: "Items",
  summary: "Name the state of the scheduled posts. It differs after each change of one of them.",
  scopes: ["createRead"],
  costs: "nothing",
  errors: [],
  input: z.object({}),
  output: z.object({ version: z.string() }),
  run: async ({ kv, brand }) => ({ version: await postsVersion(kv, brand.id) }),
});
