// What each class does.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Robots, RuleFinder, Site, TemplateFinder, extract, version } from "unframe";
import { demo, npm } from "./support.js";

const shop = demo.find(({ name }) => name === "harbour-shop");
const lamps = shop.pages.find(({ url }) => url.endsWith("/lamps.html"));

function learnedShop(options) {
  const site = new Site(options);
  for (const { url, html } of shop.pages) site.learn(html, { url });
  return site;
}

test("the version is that of the package", () => {
  assert.equal(version(), JSON.parse(readFileSync(join(npm, "package.json"), "utf8")).version);
});

test("a page alone", () => {
  const page = extract("<title>One</title><nav><a href=/a>A</a> <a href=/b>B</a></nav><p>A text that is long enough to be kept.");
  assert.equal(page.text, "A text that is long enough to be kept.\n");
  assert.equal(page.title, "One");
  assert.equal(page.statePages, 1);
  assert.deepEqual(page.flags, ["few-pages"]);
});

test("forms of a page", () => {
  const page = learnedShop().label(lamps.html, { url: lamps.url });
  assert.match(page.text, /^> Lamps and lanterns\n\nLamps & lanterns for sea, shed and power cuts\n/);
  assert.match(page.markdown(), /^\\> Lamps and lanterns\n\n## Lamps & lanterns for sea, shed and power cuts\n/);
  assert.match(page.html, /Skerrow anchor lamp/);
  assert.doesNotMatch(page.html, /Oilskins/);
  assert.ok(page.htmlBytes() instanceof Uint8Array);
  assert.match(page.template(), /Oilskins/);
  assert.doesNotMatch(page.template(), /Skerrow anchor lamp/);
  assert.doesNotMatch(page.body().text, /Lamps and lanterns\n\n/);
  assert.equal(page.title, "Lamps & Lanterns - Quill's");
  assert.deepEqual(page.metadata, { title: "Lamps & Lanterns - Quill's" });
  assert.equal(page.parts.date, "Page last altered 21 January 2003");
  assert.deepEqual(page.comments, []);
  assert.equal(page.links.frame[0].href, "https://harbour-shop.example/index.html");
  assert.equal(page.statePages, shop.pages.length);
  assert.ok(page.confidence > 0.5 && page.confidence <= 1);
  assert.ok(page.removedShare > 0.3 && page.removedShare < 0.7);
  assert.ok(page.nodes > 100);
  assert.match(page.contentHash, /^[0-9a-f]{64}$/);
});

test("options of forms", () => {
  const page = extract('<p>A text with <a href="/a">a link</a> and an image <img src="/b.png" alt="b"> in a sentence.', {
    url: "https://a.example/",
  });
  assert.match(page.markdown(), /\[a link\]\(https:\/\/a\.example\/a\)/);
  assert.doesNotMatch(page.markdown({ links: false }), /\[a link\]/);
  assert.match(page.markdown({ images: true }), /!\[b\]\(https:\/\/a\.example\/b\.png\)/);
  const site = learnedShop();
  const shown = (options) => site.label(lamps.html, { url: lamps.url }).template(options);
  assert.notEqual(shown({ showSlots: true }), shown());
  assert.match(shown({ absoluteLinks: true }), /href="https:\/\/harbour-shop\.example\/ropes\.html"/);
});

test("records", () => {
  const page = extract("<p>A text that is long enough to be kept.", { url: "https://a.example/" });
  assert.deepEqual(page.record("url,text"), {
    url: "https://a.example/",
    text: "A text that is long enough to be kept.\n",
  });
  assert.deepEqual(Object.keys(page.record(["title", "url"])), ["title", "url"]);
  assert.ok("markdown" in page.record("+markdown") && "text" in page.record("+markdown"));
});

test("places are those of the source", () => {
  const site = learnedShop();
  const text = new TextDecoder().decode(lamps.html);
  for (const [source, part] of [
    [lamps.html, ({ start, end }) => new TextDecoder().decode(lamps.html.slice(start, end))],
    [`<!-- 😀 -->${text}`, ({ start, end }) => `<!-- 😀 -->${text}`.slice(start, end)],
  ]) {
    const page = site.label(source, { url: lamps.url });
    const menu = page.regions.find((region) => region.text.startsWith("Home"));
    assert.match(part(menu), /^<(\w+).*<\/\1>$/s);
    const { texts, reasons } = page.texts();
    const quill = texts.find(({ at: [[start, end]] }) => part({ start, end }).includes("Skerrow anchor lamp"));
    assert.equal(quill.template, false);
    assert.equal(typeof reasons[quill.reason], "string");
  }
});

test("a page that is explained", () => {
  const { texts, reasons } = learnedShop().why(lamps.html, { url: lamps.url }).texts();
  assert.ok(texts.some(({ evidence }) => evidence?.length > 0));
  assert.ok(texts.every(({ reason }) => reason < reasons.length));
});

test("learning", () => {
  const site = new Site();
  assert.equal(site.pages, 0);
  assert.equal(site.learn("<p>One", { url: "https://a.example/1" }), true);
  assert.equal(site.learn("<p>One", { url: "https://a.example/1" }), false);
  assert.equal(site.learn("<p>Changed", { url: new URL("https://a.example/1") }), true);
  assert.equal(site.pages, 1);
  site.label("<p>Two", { url: "https://a.example/2" });
  assert.equal(site.pages, 1);
  site.clean("<p>Two", { url: "https://a.example/2" });
  assert.equal(site.pages, 2);
});

test("pages without an address are known by their content", () => {
  const site = new Site();
  assert.equal(site.learn("<p>One"), true);
  assert.equal(site.learn("<p>Two"), true);
  assert.equal(site.learn("<p>One"), false);
  assert.equal(site.pages, 2);
});

test("settings", () => {
  const html = "<nav><a href=/>Home</a> <a href=/b>Away</a></nav><p>A text that is long enough to be kept.<p class=ad>Buy our lamps, they are bright!";
  assert.match(extract(html, { protect: "nav" }).text, /Home/);
  assert.doesNotMatch(extract(html, { removeSelector: [".ad", ".other"] }).text, /Buy/);
  assert.match(extract(html, { method: "text" }).text, /Home/);
  assert.equal(extract(html, { method: null, favor: undefined }).text, extract(html).text);
});

test("the template of a page", () => {
  const finder = new TemplateFinder(lamps.html, { url: lamps.url, maxLoads: 20 });
  const asked = [];
  for (let next; (next = finder.next()); ) {
    asked.push(next);
    const found = shop.pages.find(({ url }) => url === next);
    if (found) finder.give(found.html, { url: found.url });
    else finder.fail("missing");
  }
  const summary = finder.summary();
  assert.ok(asked.length > 0 && summary.loads === asked.length);
  assert.ok(summary.restsOn.every((url) => asked.includes(url)));
  assert.match(finder.template(), /Oilskins/);
  assert.doesNotMatch(finder.template(), /Skerrow anchor lamp/);
  const votes = finder.votes();
  assert.ok(votes.some(({ template }) => template) && votes.some(({ template }) => !template));
});

test("rules", () => {
  const site = learnedShop();
  const rules = new RuleFinder();
  for (const { url, html } of shop.pages) rules.add(site.label(html, { url }), { url });
  assert.match(rules.write("css", { site: shop.host }), /harbour-shop\.example/);
  assert.doesNotThrow(() => JSON.parse(rules.write("json", { site: shop.host })));
});

test("robots.txt", () => {
  const robots = new Robots("User-agent: *\nDisallow: /private\nCrawl-delay: 2");
  assert.equal(robots.allows("https://a.example/private/1"), false);
  assert.equal(robots.allows(new URL("https://a.example/public")), true);
  assert.equal(robots.delay, 2);
  assert.equal(new Robots(new TextEncoder().encode("User-agent: *")).delay, undefined);
});

test("the same pages give the same answers", () => {
  const all = () => {
    const site = learnedShop();
    const pages = shop.pages.map(({ url, html }) => site.label(html, { url }));
    return JSON.stringify([pages.map((page) => page.record("+markdown,+html")), [...site.toBytes()]]);
  };
  assert.equal(all(), all());
});
