/** The box that lets posts wait for approval; posts of people who may not publish always do. */
import { publishItemById } from "../../../domain/operations/publish_item.ts";
import type { Studio } from "../studio.ts";
import { CheckField } from "./field.tsx";

interface Props {
  studio: Studio;
  label: string;
  hint: string;
  checked: boolean;
}

export function ApprovalField({ studio, ...box }: Props) {
  if (studio.may(publishItemById)) return <CheckField name="needsApproval" {...box} />;
  return (
    <p class="soft small">
      It waits until somebody who may publish has approved it, because your role is {studio.role}.
    </p>
  );
}
