/** Deno Deploy: whether a process runs there, and the settings that it can't do without there. */

type Environ = Readonly<Record<string, string | undefined>>;

/** Deploy sets at least one of these. */
const DEPLOY_NAMES = ["DENO_DEPLOY", "DENO_DEPLOYMENT_ID"];

/** Everything in the environment by which a process knows Deploy, and why Deploy has started it. */
export const DEPLOY_ENVIRON: readonly string[] = [...DEPLOY_NAMES, "DENO_TIMELINE", "CI"];

export function isOnDeploy(environ: Environ): boolean {
  return DEPLOY_NAMES.some((name) => environ[name] !== undefined);
}

/**
 * Whether Deploy starts this process only to try it: a build, which has no timeline, or a preview or
 * branch. Such a process may have no secrets, and must not fail because of that.
 */
export function isTrial({ DENO_TIMELINE, CI }: Environ): boolean {
  return DENO_TIMELINE ? DENO_TIMELINE !== "production" : Boolean(CI);
}

/** The shortest SECRET_KEY that `start` takes, on Deploy and elsewhere. */
export const SECRET_LENGTH = 32;

/** Settings that must have been given on Deploy, and what is said where one is missing. */
const NEEDS: readonly {
  names: readonly string[];
  isMet: (value: string) => boolean;
  why: string;
}[] = [
  {
    names: ["SECRET_KEY"],
    isMet: (value) => value.length >= SECRET_LENGTH,
    why: `Set SECRET_KEY to at least ${SECRET_LENGTH} characters. It encrypts the platforms' ` +
      "tokens, and all instances need the same.",
  },
  {
    names: ["S3_BUCKET", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
    isMet: (value) => value !== "",
    why:
      "Set S3_BUCKET, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Images need a bucket, because " +
      "files on Deno Deploy don't outlive an instance.",
  },
];

/** One line for each need of Deploy that the settings leave open. */
export function unmetNeeds(environ: Environ): string[] {
  return NEEDS.filter(({ names, isMet }) => !names.every((name) => isMet(environ[name] ?? "")))
    .map(({ why }) => why);
}

/** The settings that Deploy needs. */
export const NEEDED_SETTINGS: readonly string[] = NEEDS.flatMap(({ names }) => names);
