// What was learned, as bytes and as files of the command line.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Site } from "unframe";
import { demo, jsonLines, scratchFolder, unframe } from "./support.js";

const scratch = scratchFolder();
const FIELDS = "url,title,metadata,kind,confidence,text,content_hash,markdown,html,parts,links,removed,template_share,flags,state_pages";

function learned(pages, options) {
  const site = new Site(options);
  for (const { html, ...about } of pages) site.learn(html, about);
  return site;
}

// As UTF-8, which JSON lines are.
const utf8 = ({ url, html }) => ({ url, html: new TextEncoder().encode(new TextDecoder().decode(html)), charset: "utf-8" });

for (const { name, host, pages: given } of demo) {
  const pages = given.map(utf8);
  const half = pages.slice(0, pages.length >> 1);
  const rest = pages.slice(half.length);

  test(`${name}: a state goes around`, () => {
    const bytes = learned(pages).toBytes();
    const again = Site.fromBytes(bytes);
    assert.equal(again.pages, pages.length);
    assert.deepEqual(again.toBytes(), bytes);
    for (const { html, ...about } of pages) {
      const [one, two] = [learned(pages), again].map((site) => site.label(html, about));
      assert.deepEqual(one.record(FIELDS), two.record(FIELDS));
    }
  });

  test(`${name}: two halves are the whole`, () => {
    const site = learned(half);
    assert.equal(site.merge(learned(rest).toBytes()), rest.length);
    assert.equal(site.merge(learned(rest).toBytes()), 0);
    assert.deepEqual(site.toBytes(), learned(pages).toBytes());
  });

  test(`${name}: the command line goes on with a state file`, () => {
    const [state, input] = ["state", "jsonl"].map((ending) => join(scratch, `${name}.${ending}`));
    writeFileSync(state, learned(half).stateFile(host));
    writeFileSync(input, jsonLines(rest));
    assert.match(unframe("state", "check", state), /./);
    const output = unframe("clean", input, "--state", state, "--format", "jsonl", "--fields", FIELDS);
    // Records of the command line have full reasons.
    const site = learned(pages, { reasons: true });
    const expected = rest.map(({ html, ...about }) => site.label(html, about).record(FIELDS));
    const found = output.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(found.map(rounded), expected.map(rounded));
  });
}

/** Programs for two machines may differ in the last digit of a probability. */
function rounded(record) {
  return JSON.parse(JSON.stringify(record, (_, value) => (typeof value === "number" ? Number(value.toPrecision(4)) : value)));
}

test("a damaged state is refused", () => {
  const bytes = learned(demo[0].pages).toBytes();
  for (let at = 0; at < bytes.length; at += 97) {
    const damaged = bytes.slice();
    damaged[at] ^= 0x55;
    assert.throws(() => Site.fromBytes(damaged), /exported site/);
    assert.throws(() => Site.fromBytes(bytes.slice(0, at)), /exported site/);
  }
});

test("a refused state leaves a site as it was", () => {
  const site = learned(demo[0].pages);
  const before = site.toBytes();
  assert.throws(() => site.merge(before.slice(0, -5)), /exported site/);
  assert.deepEqual(site.toBytes(), before);
});
