/** How long the text is for each platform of the brand; a script counts on while one types. */
import { lengthOf } from "../../../domain/foundation/text.ts";
import { textLimitsOf } from "../../../domain/platforms/contract/limits.ts";
import { TRAITS } from "../../../domain/platforms/contract/traits.ts";
import type { Platform } from "../../../domain/posts/shape.ts";
import { publicText } from "../../../domain/series/making/writing.ts";
import { tagsOf } from "../form.ts";

interface Props {
  platforms: Platform[];
  caption: string;
  /** As typed. */
  hashtags: string;
}

export function TextLengths({ platforms, caption, hashtags }: Props) {
  const length = lengthOf(publicText(caption, tagsOf(hashtags)));
  return (
    <p class="row small soft lengths" id="lengths" role="group" aria-label="Length with hashtags">
      {platforms.map((platform) => {
        const { characters } = textLimitsOf(platform);
        return (
          <span>
            {TRAITS[platform].name}{" "}
            <output
              for="caption hashtags"
              class={length > characters ? "over" : ""}
              data-limit={characters}
            >
              {length} / {characters}
            </output>
          </span>
        );
      })}
    </p>
  );
}
