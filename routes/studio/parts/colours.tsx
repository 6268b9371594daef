/** The brand's colours, the main one first: as text, beside a swatch; with a script, picked. */
import { textOf } from "../form.ts";
import { type Shown, valueOf } from "../studio.ts";

interface Props {
  shown: Shown;
  colours: string[];
  most: number;
}

const HEX = /^#[0-9a-f]{6}$/i;
const nameOf = (n: number): string => `colour-${n}`;

export function ColourFields({ shown, colours, most }: Props) {
  return (
    <fieldset class="field">
      <legend>Colours, the main one first</legend>
      <div class="colours">
        {Array.from({ length: most }, (_, n) => {
          const value = valueOf(shown, nameOf(n), colours[n]);
          const isColour = HEX.test(value);
          return (
            <span class="colour">
              <svg width="28" height="28" aria-hidden="true" data-without-script>
                <rect
                  width="28"
                  height="28"
                  rx="8"
                  fill={isColour ? value : "none"}
                  stroke="currentColor"
                  stroke-opacity=".25"
                />
              </svg>
              <input
                type="color"
                value={isColour ? value : "#ffffff"}
                data-picks={nameOf(n)}
                aria-label={`Pick colour ${n + 1}`}
                hidden
              />
              <input
                id={nameOf(n)}
                name={nameOf(n)}
                value={value}
                maxlength={7}
                pattern="#[0-9a-fA-F]{6}"
                placeholder="none"
                aria-label={`Colour ${n + 1}`}
                autocomplete="off"
                spellcheck={false}
              />
            </span>
          );
        })}
      </div>
      <span class="hint">Up to {most}, like #1a2b3c. An empty field is no colour.</span>
    </fieldset>
  );
}

/** The colours of a form, for the operation to check; nothing where it has no such fields. */
export function coloursOf(fields: FormData): { colors?: string[] | null } {
  if (!fields.has(nameOf(0))) return {};
  const colors: string[] = [];
  for (let n = 0; fields.has(nameOf(n)); n++) {
    const text = textOf(fields, nameOf(n)).trim();
    if (text !== "") colors.push(text.startsWith("#") ? text : `#${text}`);
  }
  return { colors: colors.length === 0 ? null : colors };
}
