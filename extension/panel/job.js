// The list of the pages that are loaded to find the frame.

import { t } from "../background/api.js";
import { counted, size, time } from "./i18n.js";

/** Shows the pages in the list; those that have not changed are left as they are. */
export function showLoads(list, loads) {
  while (list.children.length > loads.length) list.lastChild.remove();
  for (const [at, load] of loads.entries()) {
    const shown = JSON.stringify(load);
    const old = list.children[at];
    if (old?.dataset.shown === shown) continue;
    const item = itemOf(load);
    item.dataset.shown = shown;
    if (old) old.replaceWith(item);
    else list.append(item);
  }
}

function itemOf({ url, state, why, bytes, ms }) {
  const item = document.createElement("li");
  item.className = state;
  item.title = url;
  const add = (name, text) => {
    const part = document.createElement("span");
    part.className = name;
    part.textContent = text;
    item.append(part);
  };
  add("path", pathOf(url));
  add("state", t(STATES[state] ?? state));
  const cost = [ms === undefined ? null : time(ms), bytes === undefined ? null : size(bytes)].filter(Boolean);
  add("cost", cost.join(" · "));
  if (why) add("why", why);
  return item;
}

const STATES = {
  waiting: "loadWaiting",
  loading: "loadLoading",
  loaded: "loadLoaded",
  kept: "loadKept",
  skipped: "loadSkipped",
  failed: "loadFailed",
};

function pathOf(url) {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** One line on how the search goes. `found`: the template is that of the page in the tab. */
export function jobLine(job, found) {
  switch (job?.state) {
    case "running":
      return counted("jobRunning", job.pagesLoaded ?? 0);
    case "done":
      return found ? counted("jobDone", found.restsOn.length) : t("jobElsewhere");
    case "cancelled":
      return t("jobCancelled");
    case "failed":
      return t("jobFailed", job.error ?? "");
    default:
      return found ? counted("jobDone", found.restsOn.length) : "";
  }
}
