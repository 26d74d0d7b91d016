// The package in bundles for Node and browsers, and in a browser without a bundler.

import assert from "node:assert/strict";
import { copyFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { SAID, SCRIPT, dist, project, runNode, scratch } from "./project.js";
import { tool } from "./support.js";

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
