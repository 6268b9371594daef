/** The result of connecting an account. */
import { Alone } from "../studio/parts/frame.tsx";
import { STUDIO } from "../studio/studio.ts";

interface Props {
  base: string;
  /** The brand to go back to, if it is known. */
  brandId: string | null;
  title: string;
  text?: string;
  error?: string;
}

export function ConnectedPage({ base, brandId, title, text, error }: Props) {
  const back = brandId === null ? STUDIO : `${STUDIO}/${brandId}/settings/accounts`;
  return (
    <Alone base={base} title={title} error={error}>
      {text === undefined ? null : <p>{text}</p>}
      <p>
        <a class="button" href={base + back}>
          Back to {brandId === null ? "Studio" : "the accounts"}
        </a>
      </p>
    </Alone>
  );
}
