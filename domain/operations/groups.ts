/** The groups in which the reference lists operations, and what each is for. */

export const GROUPS = {
  "Posts": "Published posts with their metrics. Read only.",
  "Insights": "What the numbers mean: periods, hours, comparisons at equal age. Read only.",
  "Brands": "The brand as a whole: what to know before anything else.",
  "Brand kit": "The style that every composed prompt begins with, and the webhook for digests.",
  "Credits": "Image credits of the month.",
  "Assets": "Logos, inspiration images and cast reference photos.",
  "Cast members": "Recurring people who look the same in every picture.",
  "Creations": "Images generated from prompts.",
  "Series": "Recipes and autopilots whose slots become images with captions and are published.",
  "Series items": "The planned posts of a series, one by one: why, skip, renew, caption, publish.",
  "Items":
    "Scheduled posts over all series and one-off posts: list, schedule, change, approve, publish.",
  "Accounts": "The connected accounts, and which scheduled posts are at risk.",
  "Events": "What happened, as a feed that can be waited on, and webhooks that are sent it.",
  "Keys": "The API key itself: what it may do and what is left of it.",
  "Organizations": "The brands of the key's account.",
} as const;

export type Group = keyof typeof GROUPS;
