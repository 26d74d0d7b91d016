// The table of cases, by `Site` and by `extract`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Site, extract } from "unframe";
import { cases, readTable } from "./table.js";

// Cases that are not for pages of one site, by the reason.
const SKIPPED = {
  "about reading input": ["binary", "partly-binary"],
  "many sites": ["two-hosts", "site-from-host"],
  "a survey of all pages first": ["exact-duplicates"],
};

/** Why a case cannot be run here; nothing if it can. */
function reasonToSkip({ reader, extract: isExtract, settings, pages }) {
  const sites = new Set(pages.map(({ url }) => url && new URL(url).host));
  if (reader) return "about reading input";
  if (!isExtract && sites.size > 1 && settings.site_from !== "domain") return "many sites";
  if (/dedup|cluster|ma-2003b/.test(settings.method ?? "")) return "a survey of all pages first";
  return undefined;
}

function optionsFor({ settings, arrival }) {
  return {
    method: settings.method,
    remove: settings.remove,
    favor: settings.favor,
    comments: settings.comments,
    protect: settings.protect,
    removeSelector: settings.remove_selector,
    ownerMarks: settings.owner_marks,
    arrival,
    watchDrift: arrival,
  };
}

/** The pages of a case: all are learned, then all are cleaned; or each in its turn. */
function bySite(table) {
  const runs = table.extract ? table.pages.map((page) => [page]) : [table.pages];
  return runs.flatMap((pages) => {
    const site = new Site(optionsFor(table));
    if (table.arrival) return pages.map(({ html, ...about }) => site.clean(html, about));
    for (const { html, ...about } of pages) site.learn(html, about);
    return pages.map(({ html, ...about }) => site.label(html, about));
  });
}

const byExtract = (table) => table.pages.map(({ html, ...about }) => extract(html, { ...about, ...optionsFor(table) }));

/** A field as the table has it. */
function fieldOf({ settings }, page, field) {
  const shown = settings.body_only ? page.body() : page;
  switch (field) {
    case "text":
    case "html":
      return shown[field];
    case "markdown":
      return shown.markdown({ links: settings.markdown_links, images: settings.markdown_images });
    case "content_hash":
      return shown.contentHash;
    case "state_pages":
      return page.statePages;
    case "kind":
      return page.kind?.name ?? null;
    case "removed":
      return page.regions.map(({ text }) => text);
    default:
      return page[field];
  }
}

function check(table, face, pages) {
  assert.equal(pages.length, table.pages.length);
  for (const [at, page] of pages.entries()) {
    // Only inputs of many sites give them names.
    const { site, ...expected } = table.expect[at];
    const found = Object.fromEntries(Object.keys(expected).map((field) => [field, fieldOf(table, page, field)]));
    assert.deepEqual(found, expected, `${face}, page ${at + 1} (${table.pages[at].url ?? "no URL"})`);
  }
}

const all = cases();
const skipped = Object.fromEntries(Object.keys(SKIPPED).map((reason) => [reason, []]));
const ran = { Site: 0, extract: 0 };
for (const table of all) {
  const reason = reasonToSkip(table);
  if (reason !== undefined) {
    skipped[reason].push(table.name);
    continue;
  }
  test(`Site: ${table.name}`, () => {
    check(table, "Site", bySite(table));
    ran.Site += 1;
  });
  if (!table.extract) continue;
  test(`extract: ${table.name}`, () => {
    check(table, "extract", byExtract(table));
    ran.extract += 1;
  });
}

test("all cases were run, but for those that are named here", () => {
  assert.deepEqual(skipped, SKIPPED);
  assert.equal(ran.Site, all.length - Object.values(SKIPPED).flat().length);
  assert.equal(ran.extract, all.filter((table) => table.extract && reasonToSkip(table) === undefined).length);
  assert.ok(ran.extract > 0);
});

test("what is not known is an error", () => {
  for (const [change, message] of [
    [{ pagse: [] }, "a case has no key `pagse`"],
    [{ pages: [{ htm: "" }] }, "a page has no key `htm`"],
    [{ settings: { favour: "recall" } }, "settings has no key `favour`"],
    [{ expect: [{ txt: "" }] }, "an expectation has no key `txt`"],
    [{ pages: [{ case: "a", html: "" }] }, "the pages of another case has no key `html`"],
    [{ expect: [] }, "1 pages, but 0 expectations"],
  ]) {
    const line = JSON.stringify({ name: "a", about: "b", pages: [{ html: "" }], expect: [{}], ...change });
    assert.throws(() => readTable(line), { message: `line 1: ${message}` });
  }
});

test("a difference names page and field", () => {
  const line = { name: "a", about: "b", pages: [{ url: "https://a.example/", html: "<p>x" }], expect: [{ text: "y\n" }] };
  const [table] = readTable(JSON.stringify(line));
  assert.throws(() => check(table, "Site", bySite(table)), /^AssertionError.*: Site, page 1 \(https:\/\/a\.example\/\)/);
});
