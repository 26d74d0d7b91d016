// What is wrong is an error that says what to write.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { Page, Robots, RuleFinder, Site, TemplateFinder, extract } from "unframe";
import * as engine from "../dist/engine.js";
import { MARKDOWN, SEARCH, SITE, TEMPLATE } from "../dist/arguments.js";

const page = extract("<p>A text.");
const site = new Site();
const finder = new TemplateFinder("<p>A text.", { url: "https://a.example/" });
const rules = new RuleFinder();

const html = "html: must be a string, a Uint8Array or an ArrayBuffer, not ";
const siteOptions = "method, remove, favor, comments, protect, removeSelector, ownerMarks, reasons, arrival, watchDrift";

for (const [call, type, message] of [
  [() => extract(), TypeError, `${html}undefined`],
  [() => extract(null), TypeError, `${html}null`],
  [() => extract(5), TypeError, `${html}5`],
  [() => extract(["<p>"]), TypeError, `${html}an array`],
  [() => extract(Promise.resolve("<p>")), TypeError, `${html}a Promise`],
  [() => extract(new Response("<p>")), TypeError, `${html}a Response`],
  [() => site.learn({}), TypeError, `${html}an Object`],
  [() => site.clean(Object.create(null)), TypeError, `${html}an object`],
  [() => site.label(5n), TypeError, `${html}a bigint`],
  [() => site.why(Symbol("a")), TypeError, `${html}a symbol`],
  [() => extract("", "https://a.example/"), TypeError, "options: must be an object, as in { url: … }, not a string"],
  [() => extract("", new URL("https://a.example/")), TypeError, "options: must be an object, as in { url: … }, not a URL"],
  [() => new Site("stream"), TypeError, "options: must be an object, as in { method: … }, not a string"],
  [() => new Site(["stream"]), TypeError, "options: must be an object, as in { method: … }, not an array"],
  [() => extract("", { ulr: "" }), TypeError, `options: there is no \`ulr\`; choose from url, charset, ${siteOptions}`],
  [() => new Site({ url: "" }), TypeError, `options: there is no \`url\`; choose from ${siteOptions}`],
  [() => new Site({ owner_marks: true }), TypeError, `options: there is no \`owner_marks\`; choose from ${siteOptions}`],
  [() => site.learn("", { toString: 1 }), TypeError, "options: there is no `toString`; choose from url, charset"],
  [() => site.clean("", { favor: "recall" }), TypeError, "options: there is no `favor`; choose from url, charset"],
  [() => page.markdown({ image: true }), TypeError, "options: there is no `image`; choose from links, images"],
  [() => page.template({ slots: true }), TypeError, "options: there is no `slots`; choose from absoluteLinks, showSlots, scripts, assets"],
  [() => extract("", { url: 5 }), TypeError, "url: must be a string or a URL, not 5"],
  [() => extract("", { charset: {} }), TypeError, "charset: must be a string, not an Object"],
  [() => new Site({ protect: [5] }), TypeError, "protect: must be a CSS selector or an array of them, not an array with other values"],
  [() => new Site({ ownerMarks: "yes" }), TypeError, "ownerMarks: must be true or false, not a string"],
  [() => page.markdown({ links: 0 }), TypeError, "links: must be true or false, not 0"],
  [() => new Site({ method: "streem" }), Error, "no method is called `streem`; there are auto, stream, chunks, mdl, links and text"],
  [() => new Site({ favor: "speed" }), Error, "unknown choice `speed`; write `precision` (of the kept text: remove more), `balance` or `recall` (keep more)"],
  [() => new Site({ remove: "all" }), Error, "unknown kind `all`; write `template` (text that the site repeats) or `boilerplate` (that, and frame whose text varies)"],
  [() => new Site({ comments: "yes" }), Error, "comments: `yes`; choose from drop, keep, only"],
  [() => new Site({ method: "stream", favor: "recall" }), Error, "favor: only for the method `auto`, not for `stream`; leave out one of them"],
  [() => new Site({ protect: "p:hover" }), Error, /^protect: unsupported selector `p:hover`/],
  [() => new Page(), TypeError, "pages are not made with `new`; call extract(html), or clean(html, { url }) of a Site"],
  [() => new Page({}), TypeError, "pages are not made with `new`; call extract(html), or clean(html, { url }) of a Site"],
  [() => Page.prototype.text, TypeError, "this is no page of unframe"],
  [() => page.record(), TypeError, 'fields: must be names, as in "url,title" or ["url", "title"]'],
  [() => page.record(["url", 5]), TypeError, 'fields: must be names, as in "url,title" or ["url", "title"]'],
  [() => page.record("txt"), Error, /^fields: there is no field `txt`; choose from record, url, /],
  [() => page.record([]), Error, "fields: name at least one field, as in `url,text`"],
  [() => site.merge("state"), TypeError, "bytes: must be a Uint8Array or an ArrayBuffer, not a string"],
  [() => Site.fromBytes(), TypeError, "bytes: must be a Uint8Array or an ArrayBuffer, not undefined"],
  [() => Site.fromBytes(new Uint8Array(9)), Error, "exported site: these bytes are not an exported site"],
  [() => site.merge(new Site({ method: "stream" }).toBytes()), Error, "exported site: the method stream has learned it, not auto"],
  [() => site.stateFile(), TypeError, "name: must be a string, what the command line calls the site: its host, not undefined"],
  [() => new TemplateFinder(""), TypeError, "url: missing; pass { url: … }, the address of the page"],
  [() => new TemplateFinder("", { url: "a.html" }), Error, "a.html: not the URL of a page; it must begin with http:// or https://"],
  [() => new TemplateFinder("", { url: "https://a.example/", n: 1.5 }), TypeError, "n: must be a whole number, not 1.5"],
  [() => new TemplateFinder("", { url: "https://a.example/", n: 2, t: 3 }), Error, "t = 3 of n = 2: more votes than pages; lower t, or raise n"],
  [() => new TemplateFinder("", { url: "https://a.example/", preset: "x" }), Error, "preset: unknown preset `x`; available are alarte-2014, alarte-best, modern"],
  [() => finder.give("", { url: "https://a.example/" }), Error, "no page was asked for; call next() first"],
  [() => finder.give("", {}), TypeError, "url: missing; pass { url: … }, the address of the page after redirects"],
  [() => finder.fail("gone"), TypeError, "kind: choose from missing, not-html, failed"],
  [() => finder.fail("failed", 5), TypeError, "reason: must be a string, why there is no page, not 5"],
  [() => finder.template(), Error, "the template is not found yet; call next() until it returns nothing"],
  [() => finder.next(), Error, /^no other page of the site to compare with: it has no link to its own site/],
  [() => rules.add("<p>", { url: "https://a.example/" }), TypeError, "page: must be a Page, as clean(html, { url }) of a Site returns it"],
  [() => rules.add(page), TypeError, "url: missing; pass { url: … }, the address of the page"],
  [() => rules.write("xml", { site: "a.example" }), Error, "format: `xml`; choose from css, json, xpath, adblock, ftr"],
  [() => rules.write("css"), TypeError, "site: missing; pass { site: … }, the host of the site"],
  [() => new Robots(), TypeError, "text: must be a string, a Uint8Array or an ArrayBuffer, not undefined"],
  [() => new Robots("").allows("/q"), TypeError, "url: `/q` is not a whole address, as in https://site.example/page"],
  [() => new Site().stateFile(""), TypeError, "name: must not be empty; pass what the command line calls the site: its host"],
  [() => new Robots("").allows(5), TypeError, "url: must be a string, the address of a page, not 5"],
]) {
  test(`${call.toString().slice(6)}`, () => {
    assert.throws(call, (error) => {
      assert.equal(error.constructor, type);
      if (message instanceof RegExp) assert.match(error.message, message);
      else assert.equal(error.message, message);
      return true;
    });
  });
}

test("the engine knows the same options", () => {
  const known = (call) => {
    try {
      call({ nonsense: true });
    } catch ({ message }) {
      return [...message.matchAll(/`(\w+)`/g)].slice(1).map(([, name]) => name);
    }
    return undefined;
  };
  const raw = engine.extract("<p>A text.");
  assert.deepEqual(known((options) => new engine.Site(options)), Object.keys(SITE));
  assert.deepEqual(known((options) => raw.markdown(options)), Object.keys(MARKDOWN));
  assert.deepEqual(known((options) => raw.template(options)), Object.keys(TEMPLATE));
  const search = (options) => new engine.TemplateFinder("", "https://a.example/", options);
  assert.deepEqual(known(search), Object.keys(SEARCH));
});

test("bytes of all kinds", () => {
  const bytes = new TextEncoder().encode("xx<p>A text.yy");
  const inner = bytes.slice(2, -2);
  const shared = new Uint8Array(new SharedArrayBuffer(inner.length));
  shared.set(inner);
  const elsewhere = runInNewContext("(bytes) => Uint8Array.from(bytes)")([...inner]);
  for (const html of [
    inner,
    bytes.subarray(2, -2),
    inner.buffer,
    new DataView(bytes.buffer, 2, inner.length),
    Buffer.from(inner),
    shared,
    shared.buffer,
    elsewhere,
    elsewhere.buffer,
  ]) {
    assert.equal(extract(html).text, "A text.\n");
  }
});
