/** The fields of a webhook: where events are sent, and which. */
import { EVENT_SUBJECTS, EVENT_TYPES, EVENT_WORDS, type EventType } from "../event_words.ts";
import { textOf, textsOf } from "../form.ts";
import { type Shown, valueOf } from "../studio.ts";
import { CheckField, TextField } from "./field.tsx";

interface Stored {
  url: string;
  types: EventType[];
  description: string;
}

const NOTHING: Stored = { url: "", types: [], description: "" };

export function WebhookFields({ shown, stored = NOTHING }: { shown: Shown; stored?: Stored }) {
  const chosen = shown.given?.has("url") ? textsOf(shown.given, "types") : stored.types;
  return (
    <>
      <TextField
        name="url"
        label="Address"
        type="url"
        value={valueOf(shown, "url", stored.url)}
        most={1_000}
        placeholder="https://hooks.example.com/marquee"
        hint="Where your program or service takes events: https, reachable from the internet."
        required
      />
      <TextField
        name="description"
        label="What it is for"
        value={valueOf(shown, "description", stored.description)}
        most={200}
        hint="May stay empty."
      />
      <fieldset class="stack bare">
        <legend>
          <b>What is sent</b>
        </legend>
        <p class="soft small">Choose none, and all of it is sent, also what is added later.</p>
        <div class="two">
          {Object.entries(EVENT_SUBJECTS).map(([subject, words]) => (
            <fieldset class="field">
              <legend>{words}</legend>
              {EVENT_TYPES.filter((type) => type.startsWith(`${subject}.`)).map((type) => (
                <CheckField
                  name="types"
                  value={type}
                  label={EVENT_WORDS[type]}
                  hint={type}
                  checked={chosen.includes(type)}
                />
              ))}
            </fieldset>
          ))}
        </div>
      </fieldset>
    </>
  );
}

export function webhookOf(fields: FormData): Stored {
  const chosen = textsOf(fields, "types");
  return {
    url: textOf(fields, "url").trim(),
    types: EVENT_TYPES.filter((type) => chosen.includes(type)),
    description: textOf(fields, "description").trim(),
  };
}
