/** `deno task bench`: every figure the issues name, as ratios measured side by side in one run. */
