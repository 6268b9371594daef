/** What tests read from answers and files, looked at field by field. */
// deno-lint-ignore no-explicit-any -- the one place: a test's assertions are the check of a shape
export type Json = any;
