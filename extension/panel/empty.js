// Why there is nothing to do on a page.

import { t } from "../background/api.js";

/** A text for the user and more of it; nothing if all is well. */
export function emptyState({ failed, isClosed, url, origin, allowed }) {
  if (isClosed) return { text: t("emptyClosed") };
  if (failed) return { text: failed };
  if (allowed) return null;
  if (url?.startsWith("file:")) return { text: t("emptyFile") };
  if (url && !origin) return { text: t("emptyBrowser") };
  // Browsers tell the address only where scripts are allowed, or would be in other pages.
  if (!origin) return { text: t("emptyNotAllowed"), more: t("emptyBrowser") };
  return { text: t("emptyForbidden") };
}
