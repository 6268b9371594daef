/** The form of a post: text, alternative text, time, account, text on the picture. */
import { AccountField, publishingAccounts } from "./account_field.tsx";
import type { Slot } from "../../../domain/series/shape.ts";
import { textLimitsOf } from "../../../domain/platforms/contract/limits.ts";
import { type Shown, type Studio, valueOf } from "../studio.ts";
import { localOf } from "../when.ts";
import { AreaField, TextField } from "./field.tsx";
import { Icon } from "./icons.tsx";
import { TextLengths } from "./limits.tsx";
import { OverlayFields } from "./overlay.tsx";
import { currentPictures } from "./picture.tsx";

export const isEditable = ({ status }: Slot): boolean =>
  status === "planned" || status === "ready" || status === "held";

/** The values with which the form begins. What is written meanwhile by others is kept by them. */
export function shownOf(post: Slot, zone: string) {
  const { caption, hashtags, altText, overlay, socialAccountId, scheduledFor } = post;
  const { template, text, showLogo = false } = overlay ?? {};
  return {
    ...{ caption, hashtags, altText, socialAccountId },
    overlay: overlay === null ? null : { template, text, showLogo },
    scheduledFor: localOf(scheduledFor, zone),
  };
}
export type ShownPost = ReturnType<typeof shownOf>;

export function PostForm({ studio, shown, post }: { studio: Studio; shown: Shown; post: Slot }) {
  const at = studio.at(`/posts/${post.id}`);
  const accounts = publishingAccounts(studio);
  const own = accounts.find(({ id }) => id === post.socialAccountId);
  const { characters } = textLimitsOf(own?.platform ?? null);
  const hashtags = valueOf(shown, "hashtags", post.hashtags.map((tag) => `#${tag}`).join(" "));
  const platforms = [...new Set(accounts.map(({ platform }) => platform))];
  const hasPictures = post.creations.length > 0;
  const [picture] = currentPictures(post);
  const canRewrite = post.status === "ready" || post.status === "held";
  return (
    <div class="card">
      <form class="form" method="post" action={at} id="post-form">
        <h2>The post</h2>
        <input
          type="hidden"
          name="shown"
          value={valueOf(shown, "shown", JSON.stringify(shownOf(post, studio.zone)))}
        />
        <AreaField
          name="caption"
          label="Caption"
          value={valueOf(shown, "caption", post.caption)}
          rows={6}
          most={Math.min(characters, 2_200)}
          counts={post.format === "story"}
        />
        <TextField
          name="hashtags"
          label="Hashtags"
          value={hashtags}
          hint="With or without #, separated by spaces."
        />
        {post.format === "story" ? null : (
          <TextLengths
            platforms={platforms}
            caption={valueOf(shown, "caption", post.caption)}
            hashtags={hashtags}
          />
        )}
        <div class="two">
          <TextField
            name="scheduledFor"
            label="Time"
            type="datetime-local"
            value={valueOf(shown, "scheduledFor", localOf(post.scheduledFor, studio.zone))}
            required
          />
          <AccountField shown={shown} accounts={accounts} stored={post.socialAccountId} />
        </div>
        <AreaField
          name="altText"
          label="Alt text"
          value={valueOf(shown, "altText", post.altText ?? "")}
          rows={2}
          most={1_000}
          hint="For people who can't see the picture. Empty: the idea of the picture."
        />
        <OverlayFields
          studio={studio}
          shown={shown}
          overlay={post.overlay}
          picture={picture}
          aspectRatio={post.format === "story" ? "story" : "portrait"}
        />
        <button>Save</button>
      </form>
      {canRewrite
        ? (
          <div class="actions">
            <form method="post" action={`${at}/caption`}>
              <button class="quiet">
                <Icon name="pencil" />
                Rewrite the caption
              </button>
            </form>
            {hasPictures
              ? (
                <form method="post" action={`${at}/regenerate`}>
                  <button class="quiet">
                    <Icon name="redo" />
                    New pictures · {costWords(post)}
                  </button>
                </form>
              )
              : null}
          </div>
        )
        : null}
    </div>
  );
}

/** New pictures cost a credit each; a carousel of a series has four unless it had another number. */
function costWords({ format }: Slot): string {
  return format === "carousel" ? "one credit each" : "1 credit";
}
