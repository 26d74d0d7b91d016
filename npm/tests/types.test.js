// The types agree with what there is.

import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as api from "unframe";
import * as startable from "unframe/init";
import { MARKDOWN, PAGE, SEARCH, SITE, TEMPLATE } from "../dist/arguments.js";
import { npm, scratchFolder, tool } from "./support.js";

const scratch = scratchFolder();
mkdirSync(join(scratch, "node_modules"));
symlinkSync(npm, join(scratch, "node_modules/unframe"));
writeFileSync(join(scratch, "package.json"), '{"type": "module"}');

function check(...files) {
  tool("tsc", ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--types", "", ...files], { cwd: scratch });
}

test("all of it can be used with types", () => check(join(npm, "tests/usage.ts")));

const quoted = (names) => [...new Set(names)].map((name) => `${JSON.stringify(name)}: true`).join(", ");

/** The names of all members, also of those that classes share. */
function members(of) {
  const own = Object.getOwnPropertyNames(of).filter((name) => name !== "constructor");
  const parent = Object.getPrototypeOf(of);
  return parent === Object.prototype ? own : [...own, ...members(parent)];
}

const statics = (of) => Object.getOwnPropertyNames(of).filter((name) => !["length", "name"].includes(name));

test("the types name every member, and no other", () => {
  const lines = [
    `import * as startable from "unframe/init";`,
    `import * as api from "unframe";`,
    `export const all: Record<keyof typeof api, true> = { ${quoted(Object.keys(api))} };`,
    `export const more: Record<keyof typeof startable, true> = { ${quoted(Object.keys(startable))} };`,
  ];
  const classes = Object.entries(api).filter(([name]) => /^[A-Z]/.test(name));
  assert.equal(classes.length, 5);
  for (const [name, of] of classes) {
    const type = `Exclude<keyof api.${name}, symbol>`;
    lines.push(`export const ${name}: Record<${type}, true> = { ${quoted(members(of.prototype))} };`);
    lines.push(`export const ${name}Itself: Record<keyof typeof api.${name}, true> = { ${quoted(statics(of))} };`);
    assert.equal(typeof of.prototype[Symbol.dispose], "function");
  }
  for (const [type, options] of Object.entries({
    PageOptions: PAGE,
    SiteOptions: SITE,
    MarkdownOptions: MARKDOWN,
    TemplateOptions: TEMPLATE,
    SearchOptions: { ...PAGE, ...SEARCH },
  })) {
    lines.push(`export const ${type}: Record<keyof api.${type}, true> = { ${quoted(Object.keys(options))} };`);
  }
  const file = join(scratch, "members.ts");
  writeFileSync(file, lines.join("\n"));
  check(file);
  // The check finds what is missing, and what is too much.
  for (const [from, to] of [['"learn": true, ', ""], ['"learn": true', '"learn": true, "lern": true']]) {
    writeFileSync(file, lines.join("\n").replace(from, to));
    assert.throws(() => check(file), /'(learn|"lern")'/);
  }
});
