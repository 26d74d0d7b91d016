// Reads the table of cases that every face runs; its form is in cases/README.md.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { htmlFiles, root } from "./support.js";

const CASE_KEYS = ["name", "about", "reader", "extract", "arrival", "settings", "frame", "pages", "expect"];
const PAGE_KEYS = ["url", "charset", "head", "html", "bytes", "folder"];
const SETTINGS = [
  "method", "remove", "favor", "comments", "protect", "remove_selector", "owner_marks", "body_only",
  "markdown_links", "markdown_images", "site_from", "site",
];
const FIELDS = [
  "site", "state_pages", "title", "kind", "flags", "text", "markdown", "html", "content_hash", "metadata", "parts",
  "comments", "links", "removed",
];

/** The cases of a table. An error names the line. */
export function readTable(text) {
  const cases = new Map();
  for (const [at, line] of text.trimEnd().split("\n").entries()) {
    try {
      const found = readCase(JSON.parse(line), cases);
      if (cases.has(found.name)) throw new Error(`there are two cases \`${found.name}\``);
      cases.set(found.name, found);
    } catch (error) {
      throw new Error(`line ${at + 1}: ${error.message}`, { cause: error });
    }
  }
  return [...cases.values()];
}

export const cases = () => readTable(readFileSync(join(root, "cases/cases.jsonl"), "utf8"));

function readCase(entry, former) {
  refuseUnknown(entry, CASE_KEYS, "a case");
  refuseUnknown(entry.settings ?? {}, SETTINGS, "settings");
  for (const expect of entry.expect) refuseUnknown(expect ?? {}, FIELDS, "an expectation");
  const frame = typeof entry.frame === "string" ? former.get(entry.frame).frame : (entry.frame ?? ["", ""]);
  const pages = entry.pages.flatMap((page) => {
    if (!("case" in page)) return readPages(page, frame);
    refuseUnknown(page, ["case"], "the pages of another case");
    return former.get(page.case).pages;
  });
  if (pages.length !== entry.expect.length) {
    throw new Error(`${pages.length} pages, but ${entry.expect.length} expectations`);
  }
  return { extract: false, arrival: false, reader: false, settings: {}, ...entry, frame, pages };
}

/** The page of an entry, or the pages of a folder. */
function readPages(entry, frame) {
  refuseUnknown(entry, PAGE_KEYS, "a page");
  const { url, charset } = entry;
  if ("folder" in entry) {
    const folder = join(root, entry.folder);
    return htmlFiles(folder).map((path) => ({ url: url + path, html: readFileSync(join(folder, path)) }));
  }
  const content = entry.html ?? entry.bytes;
  const parts = Array.isArray(content) ? content : [content];
  const whole = parts.map((part) => (Array.isArray(part) ? part[0].repeat(part[1]) : part)).join("");
  const source = (entry.head ?? "") + frame[0] + whole + frame[1];
  return [{ url, charset, html: "html" in entry ? source : Buffer.from(source, "latin1") }];
}

function refuseUnknown(found, known, what) {
  for (const key of Object.keys(found)) if (!known.includes(key)) throw new Error(`${what} has no key \`${key}\``);
}
