// The memory that objects hold: given back by hand, by the garbage collector, and by a new start.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Robots, RuleFinder, Site, TemplateFinder, extract, reset, version } from "unframe";
import { initSync } from "../dist/engine.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const { memory } = initSync();
const HTML = `<p>${"A text that is long enough to be kept. ".repeat(20_000)}`;

const made = {
  page: () => extract("<p>A text."),
  site: () => new Site(),
  finder: () => new TemplateFinder("", { url: "https://a.example/" }),
  rules: () => new RuleFinder(),
  "robots.txt": () => new Robots(""),
};

const uses = {
  page: (page) => page.text,
  site: (site) => site.pages,
  finder: (finder) => finder.summary(),
  rules: (rules) => rules.write("css", { site: "a.example" }),
  "robots.txt": (robots) => robots.delay,
};

for (const [name, make] of Object.entries(made)) {
  test(`a ${name} is freed once`, () => {
    const object = make();
    object.free();
    object.free();
    object[Symbol.dispose]();
    assert.throws(() => uses[name](object), /was freed; free it when nothing more is asked of it$/);
  });
}

test("freed pages make room for others", () => {
  extract(HTML).free();
  const before = memory.buffer.byteLength;
  for (let round = 0; round < 100; round += 1) extract(HTML).free();
  assert.equal(memory.buffer.byteLength, before);
});

test("forgotten pages do, too", async () => {
  for (let round = 0; round < 200; round += 1) {
    extract(HTML);
    if (round % 10 === 0) {
      collect();
      // Finalizers run between tasks.
      await new Promise((resolve) => void setTimeout(resolve));
    }
  }
  assert.ok(memory.buffer.byteLength < 500e6, `${memory.buffer.byteLength} bytes`);
});

test("errors leave nothing behind", () => {
  const before = memory.buffer.byteLength;
  for (let round = 0; round < 5000; round += 1) assert.throws(() => new Site({ method: `x${"y".repeat(10_000)}` }));
  assert.ok(memory.buffer.byteLength <= before + 1e6, `${memory.buffer.byteLength - before} bytes`);
});

test("a new start", () => {
  const objects = Object.entries(made).map(([name, make]) => [name, make()]);
  reset();
  for (const [name, object] of objects) {
    assert.throws(() => uses[name](object), /was made before reset\(\); make it again$/);
    object.free();
  }
  assert.equal(extract("<p>A text.").text, "A text.\n");
  assert.match(version(), /^\d/);
});
