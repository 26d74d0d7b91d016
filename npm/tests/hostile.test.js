// Pages that nobody would write.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Site, extract } from "unframe";

const TEXT = "A text that is long enough to be kept.";

/** All forms of a page; each must be made. */
function allForms(page) {
  const { text, html, title, links, regions, flags, confidence, contentHash, metadata } = page;
  const made = [text, html, title, links, regions, flags, confidence, contentHash, metadata];
  return JSON.stringify([made, [...page.htmlBytes()], page.markdown(), page.template(), page.texts(), page.body().text]);
}

const random = (seed) => () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) >>> 8;

for (const [name, html] of Object.entries({
  "nothing": "",
  "no bytes": new Uint8Array(),
  "a byte order mark": "\ufeff",
  "NUL": `<p>\0A\0 text\0</p>\0<a href="\0">\0</a>`,
  "only NUL": new Uint8Array(10_000),
  "lone surrogates": `<p title="\ud800">\udc00${TEXT}\ud83d</p>\ude00`,
  "half a tag": "<p",
  "half a comment": "<!-- <p>",
  "an open script": `<script>${TEXT}`,
  "100,000 elements deep": `${"<div>".repeat(100_000)}${TEXT}`,
  "100,000 closed elements deep": `${"<b>".repeat(100_000)}${TEXT}${"</b>".repeat(100_000)}`,
  "100,000 attributes": `<p ${Array.from({ length: 100_000 }, (_, at) => `a${at}=b`).join(" ")}>${TEXT}`,
  "an attribute of 1 MB": `<p title="${"a".repeat(1e6)}">${TEXT}`,
  "100,000 tables": `${"<table><tr><td>".repeat(100_000)}${TEXT}`,
  "a frameset": "<frameset><frame src=a><frame src=b></frameset>",
  "markup of XML": `<?xml version="1.0"?><![CDATA[${TEXT}]]><svg><p>${TEXT}</svg>`,
})) {
  test(`a page of ${name}`, () => {
    const options = { url: "https://a.example/" };
    assert.equal(allForms(extract(html, options)), allForms(extract(html, options)));
  });
}

test("random bytes", () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const next = random(seed);
    const bytes = Uint8Array.from({ length: 4000 }, () => (next() % 4 === 0 ? "<>/=\"'& ap-!"[next() % 12].charCodeAt(0) : next()));
    allForms(extract(bytes));
  }
});

test("lone surrogates become replacement characters", () => {
  assert.equal(extract(`<p>\ud800${TEXT}`).text, `\ufffd${TEXT}\n`);
  assert.equal(extract(`<p>${TEXT}`, { url: "https://a.example/\ud800" }).text, `${TEXT}\n`);
});

test("bytes that are not UTF-8", () => {
  const bytes = (text) => Buffer.from(text, "latin1");
  const text = "Caf\xe9 cr\xe8me, and more that is long enough to be kept.";
  assert.equal(extract(bytes(`<p>${text}`), { charset: "windows-1252" }).text, `${text}\n`);
  assert.equal(extract(bytes(`<meta charset=iso-8859-1><p>${text}`)).text, `${text}\n`);
  assert.equal(extract(bytes(`<p>${text}`), { charset: "no-such-charset" }).text, `${text}\n`);
  assert.deepEqual(extract(bytes(`<p>${text}`), { charset: "utf-8" }).flags, ["charset-guessed", "few-pages"]);
  const page = extract(bytes(`<p>${text}`), { charset: "windows-1252" });
  assert.equal(Buffer.from(page.htmlBytes()).toString("latin1"), `<p>${text}`);
  // A string has been decoded, whatever it states.
  assert.equal(extract(`<meta charset=shift_jis><p>${text}`, { charset: "shift_jis" }).text, `${text}\n`);
});

test("UTF-16", () => {
  const bytes = Buffer.from(`\ufeff<p>${TEXT}`, "utf16le");
  assert.equal(extract(bytes).text, `${TEXT}\n`);
  assert.equal(extract(bytes.subarray(2), { charset: "utf-16le" }).text, `${TEXT}\n`);
});

test("20 MB in bounded time", () => {
  const part = `<div class=story><h2>Story</h2><p>${TEXT} <a href="/more">More</a></p></div>\n`;
  const html = `<body>${part.repeat(Math.ceil(20e6 / part.length))}`;
  const started = performance.now();
  const page = extract(html);
  assert.ok(page.text.length > 0);
  page.free();
  const seconds = (performance.now() - started) / 1000;
  assert.ok(seconds < 30, `${seconds.toFixed(1)} s`);
});

test("addresses that are none", () => {
  const site = new Site();
  for (const url of ["", " ", "page 1", "javascript:alert(1)", "https://", "a".repeat(100_000), "\0"]) {
    site.learn(`<p>${TEXT}`, { url });
    allForms(site.label(`<p><a href=/a>${TEXT}</a>`, { url }));
  }
});

test("names that are those of objects", () => {
  const page = extract(`<p class=__proto__ id=constructor>${TEXT}`);
  assert.throws(() => page.record("__proto__"), /there is no field `__proto__`/);
  assert.throws(() => page.markdown(JSON.parse('{"__proto__": 1}')), /there is no `__proto__`/);
});
