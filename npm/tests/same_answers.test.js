// The bundled sites come out as on the command line, byte for byte.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Site } from "unframe";
import { demo, htmlFiles, scratchFolder, unframe } from "./support.js";

const scratch = scratchFolder();

for (const { name, folder, pages } of demo) {
  for (const [format, ending, form] of [
    ["text", "txt", (page) => page.text],
    ["markdown", "md", (page) => page.markdown()],
    ["html", "html", (page) => page.htmlBytes()],
  ]) {
    test(`${name} as ${format}`, () => {
      const output = join(scratch, name, format);
      unframe("clean", folder, "-o", output, "--format", format, "--quiet");
      const site = new Site();
      const paths = htmlFiles(folder);
      // By the names that the pages have on the command line.
      for (const [at, { html }] of pages.entries()) site.learn(html, { url: paths[at] });
      for (const [at, { html }] of pages.entries()) {
        const expected = readFileSync(join(output, `${paths[at]}.${ending}`));
        assert.deepEqual(Buffer.from(form(site.label(html, { url: paths[at] }))), expected, paths[at]);
      }
    });
  }
}
