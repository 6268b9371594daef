/** What skipping means, in the words that ask before it. */
export const SKIP_WORDS =
  "It is not made and not published, and this can't be undone. A series goes on with its next post.";
