// How fast the WebAssembly is: its start, and the cleaning of pages beside the native library, in one
// interleaved run. `node speed.js [--rounds N] [--pages N] FOLDER...`: each FOLDER is a site or holds sites,
// whose pages are in `pages`.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

const root = resolve(import.meta.dirname, "../..");
const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "7" },
    pages: { type: "string", default: "20" },
    module: { type: "string", default: join(root, "target/wasm") },
    native: { type: "string", default: join(root, "target/release/examples/rounds") },
  },
});

const sites = folders.flatMap(findSites).map((site) => ({ site, files: pagesOf(site) }));
const script = await import(join(options.module, "unframe.js"));
const started = performance.now();
script.initSync({ module: readFileSync(join(options.module, "unframe_bg.wasm")) });
const page = "<body><nav><a href=/>Home</a></nav><p>A first page, which is cleaned as soon as the program has started.</p>";
script.extract(page, "http://site.example/").text;
const start = performance.now() - started;
console.log(`start, to the first cleaned page: ${start.toFixed(0)} ms`);

const scratch = mkdtempSync(join(tmpdir(), "unframe-speed-"));
try {
  await compare();
} finally {
  rmSync(scratch, { recursive: true });
}

async function compare() {
  const list = join(scratch, "pages");
  writeFileSync(list, sites.flatMap(({ site, files }) => files.map((file) => `${site}\t${file}\n`)).join(""));
  const native = spawn(options.native, [list], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: native.stdout })[Symbol.asyncIterator]();
  const loaded = sites.map(({ files }) => files.map((file) => new Uint8Array(readFileSync(file))));
  const bytes = loaded.flat().reduce((sum, page) => sum + page.length, 0);
  const times = { wasm: [], native: [] };
  for (let round = 0; round <= Number(options.rounds); round += 1) {
    const ours = cleanAll(loaded);
    native.stdin.write("\n");
    const [time, kept] = (await answers.next()).value.split(" ").map(Number);
    if (kept !== ours.kept) throw new Error(`the native library kept ${kept}, the WebAssembly ${ours.kept}`);
    // The first round warms up.
    if (round === 0) continue;
    times.wasm.push(ours.time);
    times.native.push(time);
  }
  native.stdin.end();
  const ratios = times.wasm.map((time, round) => time / times.native[round]);
  const speed = (all) => (bytes / 1e3 / median(all)).toFixed(1);
  console.log(`${sites.length} sites, ${loaded.flat().length} pages, ${(bytes / 1e6).toFixed(1)} MB, ${ratios.length} rounds`);
  console.log(`native ${speed(times.native)} MB/s, WebAssembly ${speed(times.wasm)} MB/s`);
  console.log(
    `WebAssembly takes ${median(ratios).toFixed(2)} times as long (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
  );
}

function cleanAll(sites) {
  const started = performance.now();
  let kept = 0;
  for (const pages of sites) {
    const site = new script.Site();
    pages.forEach((page, number) => site.learn(page, `http://site.example/${number}`));
    pages.forEach((html, number) => {
      const page = site.label(html, `http://site.example/${number}`);
      kept += page.text.length;
      page.free();
    });
    site.free();
  }
  return { time: performance.now() - started, kept };
}

function findSites(folder) {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  if (names.some(({ name }) => name === "pages")) return [folder];
  return names.flatMap(({ name }) => findSites(join(folder, name)));
}

function pagesOf(site) {
  const files = readdirSync(join(site, "pages"), { recursive: true, withFileTypes: true });
  const paths = files.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.sort().slice(0, Number(options.pages));
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
