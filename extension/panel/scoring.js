// Scores sites one after another, in a worker: the engine can be busy with a page for seconds.

import start, * as engine from "../engine/unframe.js";

const started = start({ module_or_path: new URL("../engine/unframe_bg.wasm", import.meta.url) });
// Whoever waits for it is told.
started.catch(() => {});

/** The least time between two reports of the progress, in milliseconds. */
const PAUSE = 250;

addEventListener("message", async ({ data }) => {
  try {
    await started;
    await scoreAll(data);
    postMessage({ event: "done" });
  } catch (error) {
    postMessage({ event: "stopped", why: error.message });
  }
});

/** `largest` is the largest file that is read, and why. */
async function scoreAll({ sites, otherwise, options, largest }) {
  let hasLabels = false;
  for (const site of sites) hasLabels = (await score(site, options, largest)) || hasLabels;
  if (hasLabels || !otherwise) return;
  postMessage({ event: "one-site" });
  await score(otherwise, options, largest);
}

/** Scores one site, whatever happens. Returns whether it has labels. */
async function score({ label, name, files }, options, largest) {
  const paths = files.map(({ path }) => path);
  const byPath = new Map(files.map(({ path, file }) => [path, file]));
  let benchmark = null;
  try {
    benchmark = new engine.Benchmark(name, paths, options);
    const pages = await pagesOf(benchmark, (path) => read(byPath.get(path), largest), label);
    const mean = benchmark.mean();
    const hasScores = typeof mean?.f1 === "number";
    postMessage(hasScores ? { event: "scored", label, pages, mean } : { event: "skipped", label });
    return hasScores;
  } catch (error) {
    const isBroken = error instanceof WebAssembly.RuntimeError;
    if (isBroken) {
      // Out of memory, mostly. All objects of the engine are gone; the next site gets a new one.
      engine.__wbg_reset_state();
      benchmark = null;
    }
    postMessage({ event: "failed", label, isBroken, why: error.message });
    return true;
  } finally {
    benchmark?.free();
  }
}

let told = 0;

async function pagesOf(benchmark, readFile, label) {
  const pages = [];
  for (;;) {
    const wanted = benchmark.next();
    if (!wanted) return pages;
    const { path, scores, number, of } = wanted;
    if (performance.now() - told > PAUSE) {
      told = performance.now();
      postMessage({ event: "progress", label, scores, number, of });
    }
    const { bytes, why } = await readFile(path);
    if (bytes) {
      const page = benchmark.give(bytes);
      if (page) pages.push(page);
    } else {
      benchmark.fail(why);
    }
  }
}

async function read(file, { bytes, why }) {
  if (file.size > bytes) return { why };
  try {
    return { bytes: new Uint8Array(await file.arrayBuffer()) };
  } catch (error) {
    return { why: error.message };
  }
}
