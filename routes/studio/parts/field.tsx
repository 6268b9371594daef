/** Fields of forms: a label above, a hint below, an error in words. */
import type { Child } from "hono/jsx";

interface FieldProps {
  id: string;
  label: string;
  hint?: string | undefined;
  /** Beside the label: a counter. */
  aside?: Child;
  children: Child;
}

/** A label, its control and its hint. The control has the same id. */
export function Field({ id, label, hint, aside, children }: FieldProps) {
  return (
    <div class="field">
      <label for={id}>
        {label}
        {aside}
      </label>
      {children}
      {hint === undefined ? null : <span class="hint" id={`${id}-hint`}>{hint}</span>}
    </div>
  );
}

interface TextProps {
  name: string;
  label: string;
  value?: string;
  hint?: string;
  type?: "text" | "email" | "password" | "url" | "number" | "datetime-local";
  required?: boolean;
  most?: number;
  least?: number;
  autocomplete?: string;
  placeholder?: string;
  /** Whether it has the focus when the page is opened: the one field for which people come. */
  autofocus?: boolean;
}

export function TextField(props: TextProps) {
  const { name, label, value, hint, type = "text", required, most, least } = props;
  const isNumber = type === "number";
  return (
    <Field id={name} label={label} hint={hint}>
      <input
        id={name}
        name={name}
        type={type}
        value={value}
        required={required}
        {...(isNumber ? { min: least, max: most } : { minlength: least, maxlength: most })}
        autocomplete={props.autocomplete ?? "off"}
        placeholder={props.placeholder}
        autofocus={props.autofocus}
        dir={type === "text" ? "auto" : undefined}
        aria-describedby={hint === undefined ? undefined : `${name}-hint`}
      />
    </Field>
  );
}

/** A day, without a time. */
export function DateField({ name, label, value, hint }: Omit<TextProps, "type">) {
  return (
    <Field id={name} label={label} hint={hint}>
      <input
        id={name}
        name={name}
        type="date"
        value={value}
        aria-describedby={hint === undefined ? undefined : `${name}-hint`}
      />
    </Field>
  );
}

interface AreaProps {
  name: string;
  label: string;
  value: string;
  hint?: string;
  rows?: number;
  most: number;
  required?: boolean;
  placeholder?: string;
  /** Whether the number of characters is shown, which counts on while one types. */
  counts?: boolean;
}

export function AreaField({ name, label, value, hint, most, counts, ...rest }: AreaProps) {
  const aside = counts
    ? <output class="soft small" for={name} data-counts={name}>{[...value].length} / {most}</output>
    : null;
  return (
    <Field id={name} label={label} hint={hint} aside={aside}>
      <textarea
        id={name}
        name={name}
        rows={rest.rows ?? 4}
        maxlength={most}
        required={rest.required}
        placeholder={rest.placeholder}
        dir="auto"
        aria-describedby={hint === undefined ? undefined : `${name}-hint`}
      >
        {value}
      </textarea>
    </Field>
  );
}

export interface Choice {
  value: string;
  label: string;
  /** What stands before the label. */
  picture?: Child;
}

interface ChoiceProps {
  name: string;
  label: string;
  value: string;
  choices: readonly Choice[];
  hint?: string;
}

export function SelectField({ name, label, value, choices, hint }: ChoiceProps) {
  return (
    <Field id={name} label={label} hint={hint}>
      <select id={name} name={name} aria-describedby={hint ? `${name}-hint` : undefined}>
        {choices.map((choice) => (
          <option value={choice.value} selected={choice.value === value}>{choice.label}</option>
        ))}
      </select>
    </Field>
  );
}

/** A few choices side by side. */
export function OptionField({ name, label, value, choices, hint }: ChoiceProps) {
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <div class="options">
        {choices.map((choice) => (
          <label class="option">
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
            />
            {choice.picture}
            {choice.label}
          </label>
        ))}
      </div>
      {hint === undefined ? null : <span class="hint">{hint}</span>}
    </fieldset>
  );
}

interface EditProps {
  /** Whether this person may send the form. */
  may: boolean;
  /** Where it is sent. */
  action: string;
  children: Child;
}

/** A form of cards with its button; for those who may not send it, what it holds, to be read. */
export function Editable({ may, action, children }: EditProps) {
  if (!may) {
    return (
      <>
        <p class="soft">Your role lets you read this, not change it.</p>
        <fieldset class="stack bare" disabled>{children}</fieldset>
      </>
    );
  }
  return (
    <form class="stack" method="post" action={action}>
      {children}
      <div class="actions">
        <button>Save</button>
      </div>
    </form>
  );
}

interface CheckProps {
  name: string;
  value?: string;
  label: string;
  hint?: string;
  checked?: boolean;
}

export function CheckField({ name, value = "on", label, hint, checked }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" name={name} value={value} checked={checked} />
      <span>
        {label}
        {hint === undefined ? null : <small>{hint}</small>}
      </span>
    </label>
  );
}
