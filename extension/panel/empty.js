// Why there is nothing to do on a page.

import { t } from "../background/api.js";

/** A text for the user, more of it, and the label of the button that asks for access; nothing if all is well. */
export function emptyState({ failed, isClosed, url, origin, allowed, hostAllowed }) {
  if (isClosed) return { text: t("emptyClosed") };
  if (failed) return { text: failed };
  if (allowed) return null;
  if (url?.startsWith("file:")) return { text: t("emptyFile") };
  if (url && !origin) return { text: t("emptyBrowser") };
  if (!origin) return { text: t("emptyNotAllowed"), more: t("emptyBrowser") };
  if (hostAllowed) return { text: t("emptyForbidden") };
  return { text: t("emptyNotAllowed"), more: t("emptyOrAllow"), allow: t("allow", new URL(origin).hostname) };
}
