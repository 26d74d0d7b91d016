// The package as others get it: packed, installed, and in bundles.

import assert from "node:assert/strict";
import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { npm, root, run, scratchFolder, tool } from "./support.js";

const scratch = scratchFolder();
const project = join(scratch, "project");
const SCRIPT = `import { Site, extract } from "unframe";
const site = new Site();
site.learn("<p>A text.", { url: "https://a.example/1" });
console.log(site.pages, extract("<p>A text.").text);
`;
const SAID = "1 A text.\n\n";

const runNode = (...args) => run(process.execPath, args, { cwd: project });
const npmRun = (args, folder) => run("npm", [...args, "--ignore-scripts"], { cwd: folder });

// What is not in the package must not be found.
mkdirSync(project);
writeFileSync(join(project, "package.json"), '{"private": true, "type": "module"}');
const packed = JSON.parse(npmRun(["pack", "--json", "--pack-destination", scratch], npm));
const { filename, files } = Array.isArray(packed) ? packed[0] : Object.values(packed)[0];
npmRun(["install", "--silent", "--offline", "--no-audit", "--no-fund", join(scratch, filename)], project);
writeFileSync(join(project, "script.js"), SCRIPT);
const dist = join(project, "node_modules/unframe/dist");

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

function bundle(platform, ...options) {
  const folder = join(scratch, `${platform}${options.length}`);
  const output = join(folder, "bundle.mjs");
  tool("esbuild", ["script.js", "--bundle", "--format=esm", `--platform=${platform}`, `--outfile=${output}`, "--log-level=warning", ...options], { cwd: project });
  return { output, addWasm: () => copyFileSync(join(dist, "unframe_bg.wasm"), join(folder, "unframe_bg.wasm")) };
}

test("a bundle for Node", () => {
  const { output, addWasm } = bundle("node", "--minify");
  assert.throws(() => runNode(output), /unframe_bg\.wasm is missing; copy dist\/unframe_bg\.wasm of the package unframe next to the bundle/);
  addWasm();
  assert.equal(runNode(output), SAID);
});

// A browser fetches files from its server; here they are read.
const FETCH = `
  import { readFileSync } from "node:fs";
  globalThis.fetch = async (url) => {
    console.log(new URL(url).pathname.split("/").at(-1));
    return new Response(readFileSync(new URL(url)), { headers: { "Content-Type": "application/wasm" } });
  };
  await import(process.argv[1]);`;

test("a bundle for browsers", () => {
  for (const options of [[], ["--minify", "--tree-shaking=true"]]) {
    const { output, addWasm } = bundle("browser", ...options);
    addWasm();
    const said = runNode("--input-type=module", "--eval", FETCH, pathToFileURL(output).href);
    assert.equal(said, `unframe_bg.wasm\n${SAID}`);
    assert.doesNotMatch(readFileSync(output, "utf8"), /node:fs/);
  }
});

test("without a bundler", () => {
  const site = join(scratch, "site");
  cpSync(dist, join(site, "unframe"), { recursive: true });
  writeFileSync(join(site, "script.mjs"), SCRIPT.replace('"unframe"', '"./unframe/web.js"'));
  const said = runNode("--input-type=module", "--eval", FETCH, pathToFileURL(join(site, "script.mjs")).href);
  assert.equal(said, `unframe_bg.wasm\n${SAID}`);
});
