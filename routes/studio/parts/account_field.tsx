/** The accounts of forms: by their handle and platform, and which of them posts can go to. */
import { readOnlyRefusal } from "../../../domain/platforms/contract/limits.ts";
import { TRAITS } from "../../../domain/platforms/contract/traits.ts";
import { type Shown, type Studio, valueOf } from "../studio.ts";
import { SelectField } from "./field.tsx";

type Accounts = Studio["about"]["accounts"];

/** The brand's accounts that take posts. */
export const publishingAccounts = ({ about }: Studio): Accounts =>
  about.accounts.filter(({ platform }) => readOnlyRefusal(platform) === null);

/** The accounts as the choices of a select. */
export const accountChoices = (accounts: Accounts): { value: string; label: string }[] =>
  accounts.map(({ id, handle, platform }) => ({
    value: id,
    label: `${handle} · ${TRAITS[platform].name}`,
  }));

interface Props {
  shown: Shown;
  accounts: Accounts;
  /** The id of the stored account; absent: none. */
  stored: string | null | undefined;
}

/** Chooses the account that a post or a series goes to, or none yet. */
export function AccountField({ shown, accounts, stored }: Props) {
  return (
    <SelectField
      name="socialAccountId"
      label="Account"
      value={valueOf(shown, "socialAccountId", stored ?? "")}
      choices={[...accountChoices(accounts), { value: "", label: "None yet" }]}
    />
  );
}
