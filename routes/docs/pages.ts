/** The guide's pages in the order of its navigation; each is the markdown file of its name. */

export interface Page {
  /** Last part of its address, and the name of its file. */
  readonly name: string;
  /** The same words as the file's first heading. */
  readonly title: string;
  /** What it tells, in a few words; the README says the same. */
  readonly about: string;
}

export const PAGES: readonly Page[] = [
  {
    name: "introduction",
    title: "Using the API",
    about: "keys, pages, errors, safe repeats, limits, the sandbox",
  },
  {
    name: "inside",
    title: "How it works inside",
    about: "requests, storage, jobs, states, the strategist, publishing",
  },
  { name: "agents", title: "Tools for agents", about: "connecting MCP clients; every tool" },
  {
    name: "events",
    title: "Events",
    about: "the feed of what happens; webhooks, signed and tried again",
  },
  { name: "errors", title: "Errors", about: "every error code: its cause and its cure" },
  { name: "settings", title: "Settings", about: "every environment variable" },
  {
    name: "growing",
    title: "Deploying and growing",
    about: "one server, Deno Deploy, several processes, limits, monitoring",
  },
  { name: "data", title: "Your data", about: "exporting a brand; deleting for good; who did what" },
  {
    name: "platforms",
    title: "Platforms",
    about: "what is read and published; requests per day; the sandbox",
  },
  { name: "figures", title: "Figures", about: "measured speed, and where it misses its targets" },
  { name: "glossary", title: "Glossary", about: "every special word" },
  { name: "changelog", title: "Changelog", about: "what was added to the API" },
  { name: "dependencies", title: "Dependencies", about: "each library and why it is used" },
];

/** A page as it was written. */
export function readPage({ name }: Page): Promise<string> {
  return Deno.readTextFile(new URL(`${name}.md`, import.meta.url));
}
