/** The layouts by name. Each draws its ground on the sheet and places its texts. */
import type { OverlayTemplate } from "./shape.ts";
import type { Sheet } from "./sheet.ts";
import { captionBar } from "./templates/caption_bar.ts";
import { centeredTitle } from "./templates/centered_title.ts";
import { cornerTag } from "./templates/corner_tag.ts";
import { eventDate } from "./templates/event_date.ts";
import { lowerThird } from "./templates/lower_third.ts";
import { offerBadge } from "./templates/offer_badge.ts";
import { quoteCard } from "./templates/quote_card.ts";
import { splitPanel } from "./templates/split_panel.ts";
import { stepCard } from "./templates/step_card.ts";
import { storyCta } from "./templates/story_cta.ts";
import { textOnly } from "./templates/text_only.ts";

export const TEMPLATES: Record<OverlayTemplate, (sheet: Sheet) => Promise<void>> = {
  captionBar,
  centeredTitle,
  lowerThird,
  quoteCard,
  cornerTag,
  textOnly,
  offerBadge,
  eventDate,
  splitPanel,
  storyCta,
  stepCard,
};
