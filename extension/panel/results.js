// The scores of a corpus: as a table, and as CSV.

import { t } from "../background/api.js";
import { counted, time } from "./i18n.js";

/** The scores of some sites, shown in a table. */
export class Results {
  constructor(table) {
    this.table = table;
    this.sites = [];
    for (const body of [...table.tBodies]) body.remove();
    table.tFoot.replaceChildren();
  }

  /** Adds a site: its name, its pages and their mean. */
  add(site) {
    this.sites.push(site);
    const body = document.createElement("tbody");
    body.append(row("mean", "rowgroup", site.label, site.mean));
    for (const page of site.pages) body.append(row("page", "row", page.path, page, page.problem));
    this.table.insertBefore(body, this.table.tFoot);
    this.table.tFoot.replaceChildren(row("", "row", counted("allSites", this.sites.length), this.mean()));
  }

  /** Sites weigh the same, however many pages they have. */
  mean() {
    const of = (column) => {
      const values = this.sites.map(({ mean }) => mean[column]).filter((value) => typeof value === "number");
      return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
    };
    return Object.fromEntries([...SCORES, "ms"].map((column) => [column, of(column)]));
  }

  /** A line for each page, for the mean of each site (without a page), and for that of all (without a site). */
  csv() {
    const lines = [["site", "page", ...SCORES, "ms"]];
    const add = (site, page, scores) => lines.push([site, page, ...SCORES.map((column) => digits(scores[column], 4)), digits(scores.ms, 1)]);
    for (const { label, pages, mean } of this.sites) {
      for (const page of pages) add(label, page.path, page);
      add(label, "", mean);
    }
    add("", "", this.mean());
    return lines.map((cells) => `${cells.map(cell).join(",")}\n`).join("");
  }
}

const SCORES = ["precision", "recall", "f1"];

function row(kind, scope, name, scores, problem) {
  const line = document.createElement("tr");
  line.className = kind;
  const head = document.createElement("th");
  head.scope = scope;
  head.textContent = name;
  if (problem) {
    const note = document.createElement("div");
    note.className = "note";
    note.textContent = problem;
    head.append(note);
  }
  line.append(head);
  for (const text of [...SCORES.map((column) => share(scores[column])), time(scores.ms)]) {
    const value = document.createElement("td");
    value.className = "number";
    value.textContent = text;
    line.append(value);
  }
  return line;
}

/** A score from 0 to 1; a page whose label does not allow one has none. */
function share(score) {
  if (typeof score !== "number") return "–";
  return score.toLocaleString(t("language"), { minimumFractionDigits: 3, maximumFractionDigits: 3 });
}

const digits = (number, most) => (typeof number === "number" ? String(Number(number.toFixed(most))) : "");

/** Programs for tables run what begins like a formula, and anybody can have named the files. */
function cell(text) {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
