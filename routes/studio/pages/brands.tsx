/** Pages before a brand is chosen: the first brand, another brand. */
import { TextField } from "../parts/field.tsx";
import { Alone } from "../parts/frame.tsx";

interface Props {
  base: string;
  /** Whether the account has a brand already. */
  hasBrands: boolean;
  error?: string | undefined;
  name?: string | undefined;
}

export function NewBrandPage({ base, hasBrands, error, name = "" }: Props) {
  return (
    <Alone base={base} title={hasBrands ? "Add a brand" : "Welcome to Marquee"} error={error}>
      <p class="soft">
        A brand has its own pictures, accounts, calendar and credits. It starts on the Free plan.
      </p>
      <form class="form card" method="post" action={`${base}/studio/brands/new`}>
        <TextField name="name" label="Its name" value={name} most={120} required />
        <button>Create the brand</button>
      </form>
      {hasBrands
        ? (
          <p>
            <a href={`${base}/studio`}>Back</a>
          </p>
        )
        : null}
    </Alone>
  );
}
