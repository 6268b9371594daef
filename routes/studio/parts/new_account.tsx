/** Email and password of a new account. */
import { LONGEST } from "../../../domain/brands/accounts.ts";
import { textOf } from "../form.ts";
import { TextField } from "./field.tsx";

export function NewAccountFields({ given }: { given: FormData }) {
  return (
    <>
      <TextField
        name="email"
        label="Your email"
        type="email"
        value={textOf(given, "email")}
        most={LONGEST.email}
        autocomplete="username"
        required
      />
      <TextField
        name="password"
        label="A password"
        type="password"
        hint="At least 8 characters."
        least={8}
        most={LONGEST.password}
        autocomplete="new-password"
        required
      />
    </>
  );
}
