/** `/studio`: the face for people, a walk over the same operations as REST and MCP. */
import { Hono } from "hono";
import type { Service } from "../../domain/service/service.ts";
import { refuseForeign } from "../own_pages.ts";
import type { AppEnv } from "../request.ts";
import { assetRoutes } from "./assets.ts";
import { addConsent } from "./consent.tsx";
import { Door } from "./door.tsx";
import { addJoin } from "./join.tsx";
import { addSetUp } from "./set_up.tsx";
import { idOf, STUDIO } from "./studio.ts";
import { batchItems } from "../../domain/operations/approval.ts";
import { deleteAsset } from "../../domain/operations/assets.ts";
import { createItem, updateItem } from "../../domain/operations/calendar.ts";
import {
  createCastMember,
  deleteCastMember,
  updateCastMember,
} from "../../domain/operations/cast.ts";
import { composeCreation } from "../../domain/operations/compose.ts";
import {
  createCreation,
  deleteCreation,
  overlayCreation,
  retryCreation,
} from "../../domain/operations/creations.ts";
import {
  endInvite,
  invitePerson,
  leaveBrand,
  listAudit,
  removePerson,
  setRole,
} from "../../domain/operations/members.ts";
import {
  changeKit,
  createKey,
  disconnect,
  getUsage,
  listKeys,
  makePrimary,
  revokeKey,
  uploadAsset,
} from "../../domain/operations/people.ts";
import {
  addWebhook,
  getWebhook,
  listAllWebhooks,
  removeWebhook,
  replayWebhook,
  replayWebhookDelivery,
  rotateWebhook,
  testWebhook,
  updateWebhook,
} from "../../domain/operations/webhooks.ts";
import { skipItemById } from "../../domain/operations/items.ts";
import { publishItemById } from "../../domain/operations/publish_item.ts";
import {
  adoptReview,
  createReview,
  createSeries,
  deleteSeries,
  updateSeries,
} from "../../domain/operations/series.ts";
import { createPage, madePage, orderPictures, writePrompt } from "./pages/create.tsx";
import {
  deletePicture,
  picturePage,
  pictureTile,
  printText,
  retryPicture,
  schedulePicture,
} from "./pages/picture.tsx";
import { smallPicture } from "./small_picture.ts";
import { layoutsPart, smallLayout } from "./pages/layouts.tsx";
import { calendarPage, likelyPart } from "./pages/calendar.tsx";
import { changeChosen } from "./pages/chosen.tsx";
import {
  exportPostReadings,
  exportPostsCsv,
  exportPostsNdjson,
} from "../../domain/operations/exports.ts";
import { exportSelection } from "./insights_query.ts";
import { insightsPage } from "./pages/insights.tsx";
import { publishedPage } from "./pages/published.tsx";
import { todayPage } from "./pages/today.tsx";
import { movePage, postPage } from "./pages/post.tsx";
import { publishPage } from "./pages/publish.tsx";
import { skipPage } from "./pages/skip.tsx";
import { movePost, POST_VERBS, publishPost, savePost } from "./pages/post_verbs.ts";
import { choosePrimary, libraryPage, removeAsset, uploadFiles } from "./pages/library.tsx";
import { addMember, changeMember, memberPage, newMemberPage, removeMember } from "./pages/cast.tsx";
import { brandPage, saveBrand } from "./pages/settings.tsx";
import { auditPage } from "./pages/settings_audit.tsx";
import { notificationsPage, saveNotifications } from "./pages/settings_notifications.tsx";
import { planPage } from "./pages/settings_plan.tsx";
import { accountsPage, disconnectAccount, disconnectPage } from "./pages/settings_accounts.tsx";
import {
  giveRole,
  invite,
  leave,
  leavePage,
  peoplePage,
  remove,
  removePage,
  withdraw,
} from "./pages/settings_people.tsx";
import { addKey, endKey, keysPage } from "./pages/settings_keys.tsx";
import { addOne, webhooksPage } from "./pages/settings_webhooks.tsx";
import {
  changeOne,
  deleteOne,
  deletePage,
  pauseOne,
  replayAll,
  replayOne,
  resumeOne,
  rotateOne,
  testOne,
  webhookPage,
} from "./pages/webhook.tsx";
import {
  oneSeriesPage,
  pauseSeries,
  removeSeries,
  resumeSeries,
  reviewSeries,
  seriesPage,
} from "./pages/series.tsx";
import { returnPage, returnToReview } from "./pages/series_return.tsx";
import {
  editSeriesPage,
  newSeriesPage,
  preview,
  saveSeries,
  startSeries,
} from "./pages/series_form.tsx";

export function studioRoutes(service: Service): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(`${STUDIO}/*`, async (c, next) => {
    if (c.req.method === "POST") refuseForeign(c.req.raw, service.settings);
    await next();
  });
  app.route("/", assetRoutes());
  addSetUp(app, service);
  addJoin(app, service);
  addConsent(app, service);
  const door = new Door(service, app);
  door.home();
  door.live("/live");

  door.page("/create", createPage, createCreation);
  door.form("/create", createPage, orderPictures, createCreation);
  door.form("/create/prompt", createPage, writePrompt, composeCreation);
  door.page("/create/made", madePage, createCreation);

  door.page("/layouts", layoutsPart);
  door.picture("/layouts/small.jpg", smallLayout, { isFixed: false });

  door.page("/pictures/:id", picturePage);
  door.page("/pictures/:id/tile", pictureTile);
  door.picture("/pictures/:id/small.jpg", smallPicture, { isFixed: true });
  door.form("/pictures/:id/schedule", picturePage, schedulePicture, createItem);
  door.form("/pictures/:id/text", picturePage, printText, overlayCreation);
  door.form("/pictures/:id/retry", picturePage, retryPicture, retryCreation);
  door.form("/pictures/:id/delete", picturePage, deletePicture, deleteCreation);

  door.page("", todayPage);
  door.page("/calendar", calendarPage);
  door.page("/calendar/likely", likelyPart);
  door.form("/calendar/chosen", calendarPage, changeChosen, batchItems);

  door.page("/posts/:id", postPage);
  door.form("/posts/:id", postPage, savePost, updateItem);
  door.page("/posts/:id/move", movePage, updateItem);
  door.form("/posts/:id/move", movePage, movePost, updateItem);
  door.page("/posts/:id/publish", publishPage, publishItemById);
  door.form("/posts/:id/publish", postPage, publishPost, publishItemById);
  door.page("/posts/:id/skip", skipPage, skipItemById);
  for (const [verb, { act, of }] of Object.entries(POST_VERBS)) {
    door.form(`/posts/:id/${verb}`, postPage, act, of);
  }

  door.page("/insights", insightsPage);
  door.file("/insights/posts.csv", exportPostsCsv, exportSelection);
  door.file("/insights/posts.ndjson", exportPostsNdjson, exportSelection);
  door.page("/published/:id", publishedPage);
  door.file("/published/:id/readings.csv", exportPostReadings, (studio) => ({ id: idOf(studio) }));

  door.page("/library", libraryPage);
  door.form("/library", libraryPage, uploadFiles, uploadAsset);
  door.form("/library/:id/primary", libraryPage, choosePrimary, makePrimary);
  door.form("/library/:id/delete", libraryPage, removeAsset, deleteAsset);
  door.page("/cast/new", newMemberPage, createCastMember);
  door.form("/cast/new", newMemberPage, addMember, createCastMember);
  door.page("/cast/:id", memberPage, updateCastMember);
  door.form("/cast/:id", memberPage, changeMember, updateCastMember);
  door.form("/cast/:id/delete", memberPage, removeMember, deleteCastMember);

  door.page("/series", seriesPage);
  door.page("/series/new", newSeriesPage, createSeries);
  door.form("/series/new", newSeriesPage, startSeries, createSeries);
  door.form("/series/preview", newSeriesPage, preview, createSeries);
  door.page("/series/:id", oneSeriesPage);
  door.page("/series/:id/change", editSeriesPage, updateSeries);
  door.form("/series/:id/change", editSeriesPage, saveSeries, updateSeries);
  door.form("/series/:id/pause", oneSeriesPage, pauseSeries, updateSeries);
  door.form("/series/:id/resume", oneSeriesPage, resumeSeries, updateSeries);
  door.form("/series/:id/review", oneSeriesPage, reviewSeries, createReview);
  door.page("/series/:id/reviews/:review", returnPage, adoptReview);
  door.form("/series/:id/reviews/:review", returnPage, returnToReview, adoptReview);
  door.form("/series/:id/delete", oneSeriesPage, removeSeries, deleteSeries);

  door.page("/settings", brandPage);
  door.form("/settings", brandPage, saveBrand, changeKit);
  door.page("/settings/accounts", accountsPage);
  door.page("/settings/accounts/:id/disconnect", disconnectPage, disconnect);
  door.form("/settings/accounts/:id/disconnect", accountsPage, disconnectAccount, disconnect);
  door.page("/settings/people", peoplePage);
  door.form("/settings/people", peoplePage, invite, invitePerson);
  door.form("/settings/invites/:id/withdraw", peoplePage, withdraw, endInvite);
  door.page("/settings/people/leave", leavePage);
  door.form("/settings/people/leave", leavePage, leave, leaveBrand);
  door.page("/settings/people/:id/remove", removePage, removePerson);
  door.form("/settings/people/:id/remove", peoplePage, remove, removePerson);
  door.form("/settings/people/:id/role", peoplePage, giveRole, setRole);
  door.page("/settings/keys", keysPage, listKeys);
  door.form("/settings/keys", keysPage, addKey, createKey);
  door.form("/settings/keys/:id/revoke", keysPage, endKey, revokeKey);
  door.page("/settings/notifications", notificationsPage, changeKit);
  door.form("/settings/notifications", notificationsPage, saveNotifications, changeKit);
  door.page("/settings/webhooks", webhooksPage, listAllWebhooks);
  door.form("/settings/webhooks", webhooksPage, addOne, addWebhook);
  door.page("/settings/webhooks/:id", webhookPage, getWebhook);
  door.form("/settings/webhooks/:id", webhookPage, changeOne, updateWebhook);
  door.form("/settings/webhooks/:id/pause", webhookPage, pauseOne, updateWebhook);
  door.form("/settings/webhooks/:id/resume", webhookPage, resumeOne, updateWebhook);
  door.form("/settings/webhooks/:id/test", webhookPage, testOne, testWebhook);
  door.form("/settings/webhooks/:id/rotate", webhookPage, rotateOne, rotateWebhook);
  door.form("/settings/webhooks/:id/replay", webhookPage, replayAll, replayWebhook);
  door.form(
    "/settings/webhooks/:id/deliveries/:delivery/replay",
    webhookPage,
    replayOne,
    replayWebhookDelivery,
  );
  door.page("/settings/webhooks/:id/delete", deletePage, removeWebhook);
  door.form("/settings/webhooks/:id/delete", deletePage, deleteOne, removeWebhook);
  door.page("/settings/audit", auditPage, listAudit);
  door.page("/settings/plan", planPage, getUsage);
  return app;
}
