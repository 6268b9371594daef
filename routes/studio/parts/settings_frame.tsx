/** The frame of the pages of Settings: their tabs. */
import type { Child } from "hono/jsx";
import type { AnyOperation } from "../../../domain/operations/operation.ts";
import { listAudit } from "../../../domain/operations/members.ts";
import { changeKit, getUsage, listKeys } from "../../../domain/operations/people.ts";
import { listAllWebhooks } from "../../../domain/operations/webhooks.ts";
import type { Shown, Studio } from "../studio.ts";
import { Notice } from "./chip.tsx";
import { Head, Page } from "./frame.tsx";

interface Tab {
  path: string;
  word: string;
  /** The operation for which it is there; absent: everybody in the brand sees it. */
  of?: Pick<AnyOperation, "scopes">;
}

const TABS: Tab[] = [
  { path: "/settings", word: "Brand" },
  { path: "/settings/accounts", word: "Accounts" },
  { path: "/settings/people", word: "People" },
  { path: "/settings/notifications", word: "Notifications", of: changeKit },
  { path: "/settings/keys", word: "Developers", of: listKeys },
  { path: "/settings/webhooks", word: "Webhooks", of: listAllWebhooks },
  { path: "/settings/audit", word: "Audit", of: listAudit },
  { path: "/settings/plan", word: "Plan", of: getUsage },
];

type FrameProps = { studio: Studio; shown: Shown; path: string; children: Child };

export function Settings({ studio, shown, path, children }: FrameProps) {
  return (
    <Page studio={studio} place="settings" title="Settings" error={shown.error}>
      <Head title="Settings" />
      <nav class="tabs" aria-label="Settings">
        {TABS.filter(({ of }) => of === undefined || studio.may(of)).map((tab) => (
          <a href={studio.at(tab.path)} aria-current={tab.path === path ? "page" : undefined}>
            {tab.word}
          </a>
        ))}
      </nav>
      {studio.c.req.query("saved") === undefined ? null : <Notice tone="good">Saved.</Notice>}
      {children}
    </Page>
  );
}
