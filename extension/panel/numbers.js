// What is known of a page and its site, in numbers.

import { t } from "../background/api.js";
import { counted, percent, time, whole } from "./i18n.js";

/** Rows of a name and a value: `job` and `found` are of the search, `shown` is of the view, `site` of what was learned. */
export function rowsOf({ site, job, found, shown }) {
  const rows = [];
  const add = (key, value) => {
    if (value !== null && value !== undefined) rows.push([key, t(key), value]);
  };
  const share = (part, all) => t("shareOf", whole(part), whole(all), percent(all ? part / all : 0));
  if (site) add("numberLearned", whole(site.pages));
  if (found) {
    add("numberCompared", t("comparedOf", whole(found.restsOn.length), whole(found.n)));
    add("numberVotes", whole(found.needed));
  }
  if (job) add("numberLoaded", whole(job.pagesLoaded ?? 0));
  const nodes = found?.nodes ?? shown?.nodes;
  if (nodes) add("numberNodes", whole(nodes));
  if (found) add("numberTemplate", share(found.templateElements, found.elements));
  if (shown?.texts !== undefined) add("numberTexts", share(shown.template, shown.texts));
  if (shown?.share !== undefined) add("numberShare", percent(shown.share));
  if (typeof shown?.confidence === "number") {
    add("numberConfidence", shown.confidence.toLocaleString(t("language"), { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
  }
  const times = { ...job?.times, ...(shown && { label: shown.label ?? shown.ms }) };
  for (const [step, key] of STEPS) {
    if (typeof times[step] === "number") add(key, time(times[step]));
  }
  return rows;
}

const STEPS = [["load", "timeLoad"], ["compare", "timeCompare"], ["learn", "timeLearn"], ["label", "timeLabel"]];

/** Fills a list with them. Each value gets an id, `number-…` or `time-…`. */
export function showRows(list, rows) {
  list.replaceChildren();
  for (const [key, name, value] of rows) {
    const term = document.createElement("dt");
    const text = document.createElement("dd");
    term.textContent = name;
    text.textContent = value;
    text.id = key.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
    list.append(term, text);
  }
}

/** What a reader should know of the page, in sentences. */
export const flagsLine = (flags) => flags.map((flag) => FLAGS[flag]).filter(Boolean).map((key) => t(key)).join(" ");

const FLAGS = {
  "few-pages": "flagFewPages",
  "no-text": "flagNoText",
  suspicious: "flagSuspicious",
  "all-frame": "flagAllFrame",
  drift: "flagDrift",
  truncated: "flagTruncated",
  "truncated-nodes": "flagTruncated",
};

/** One line on what is stored of a site. */
export function storedLine(site, size) {
  return site?.pages ? counted("stored", site.pages, size(site.bytes)) : t("storedNothing");
}
