// The package as others get it: packed, and installed in a project.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SAID, files, runNode } from "./project.js";
import { npm, root } from "./support.js";

test("what is packed", () => {
  const sources = readdirSync(join(npm, "src")).map((name) => `dist/${name}`);
  const others = ["dist/engine.js", "dist/unframe_bg.wasm", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];
  const expected = [...sources, ...others, "init.d.ts", "package.json", "unframe.d.ts"];
  assert.deepEqual(files.map(({ path }) => path).sort(), expected.sort());
});

test("its version is that of the project, and it needs nothing", () => {
  const about = JSON.parse(readFileSync(join(npm, "package.json"), "utf8"));
  const [, version] = /\[workspace\.package\][^[]*?\nversion = "([^"]*)"/.exec(readFileSync(join(root, "Cargo.toml"), "utf8"));
  assert.equal(about.version, version);
  assert.equal(about.dependencies, undefined);
});

test("installed in Node", () => {
  assert.equal(runNode("script.js"), SAID);
  const required = 'const { extract } = require("unframe"); console.log(extract("<p>A text.").text)';
  assert.equal(runNode("--no-warnings", "--input-type=commonjs", "--eval", required), "A text.\n\n");
  const resolved = 'console.log(import.meta.resolve("unframe/unframe_bg.wasm").endsWith("unframe_bg.wasm"))';
  assert.equal(runNode("--input-type=module", "--eval", resolved), "true\n");
});

test("started by hand", () => {
  const script = `
    import { readFileSync } from "node:fs";
    import init, { extract, initSync, version } from "unframe/init";
    try { extract("<p>A text.") } catch (error) { console.log(error.message) }
    try { version() } catch (error) { console.log(error.message) }
    await init("data:application/wasm,nonsense").catch(({ name }) => console.log(name));
    const bytes = readFileSync(new URL(import.meta.resolve("unframe/unframe_bg.wasm")));
    if (process.argv[1] === "sync") initSync(new WebAssembly.Module(bytes));
    else await Promise.all([init(bytes), init(bytes)]);
    console.log(extract("<p>A text.").text);`;
  const said = "unframe is not started; call `await init()` first\n".repeat(2) + "CompileError\nA text.\n\n";
  for (const how of ["sync", "async"]) assert.equal(runNode("--input-type=module", "--eval", script, how), said);
});
