// The benchmarks: the same numbers as those of the program that scores the methods.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { stories } from "./site.mjs";
import { until } from "./wait.mjs";

const DEMO = path.resolve(import.meta.dirname, "../../demo");
const run = promisify(execFile);

async function lab(scene, folder, method) {
  const program = path.join(path.dirname(scene.programs.unframe), "unframe-lab");
  const { stdout } = await run(program, ["bench", folder, "--method", method, "--json", "--sites"], { maxBuffer: 1 << 26 });
  return JSON.parse(stdout)[0];
}

/** Scores a folder, and returns the rows of the table, and its CSV as numbers. */
async function scored(page, folder) {
  await page.run(() => navigator.clipboard.writeText("nothing"));
  await page.choose("#choose", folder);
  await until("it is done", async () => {
    const said = await page.run(() => `${document.getElementById("line").innerText}|${document.getElementById("problem").innerText}`);
    if (/^Done in/.test(said)) return true;
    throw new Error(said);
  });
  await page.copied("#copy-csv");
  const text = await until("it is copied", async () => {
    const copied = await page.run(() => navigator.clipboard.readText());
    return copied.startsWith("site,page") && copied;
  });
  const [, ...lines] = text.trim().split("\n").map((line) => line.split(","));
  return lines.map(([site, page, ...numbers]) => ({ site, page, scores: numbers.slice(0, 3).map(Number) }));
}

const near = (found, expected, what) => {
  assert.equal(found.length, expected.length);
  found.forEach((value, at) => assert.ok(Math.abs(value - expected[at]) < 0.0001, `${what}: ${found.join(" ")} is not ${expected.join(" ")}`));
};

export const tests = [
  {
    name: "the demo sites are scored as by unframe-lab",
    async run(scene) {
      const expected = await lab(scene, DEMO, "auto");
      const page = await scene.openOwn("panel/benchmarks.html");
      const rows = await scored(page, DEMO);
      for (const { site, p, r, f1 } of expected.sites) {
        near(rows.find((row) => row.site === site && row.page === "").scores, [p, r, f1], site);
      }
      near(rows.at(-1).scores, [expected.p, expected.r, expected.f1], "all");
      const shown = await page.run(() => document.querySelector("#results tfoot").innerText.replace(/\s+/g, " ").trim());
      assert.ok(shown.startsWith(`Mean of 3 sites ${[expected.p, expected.r, expected.f1].map((value) => value.toFixed(3)).join(" ")}`), shown);
      await page.picture(scene.file("benchmarks.png"));
    },
  },
  {
    name: "a corpus in the form of TECO is scored as by unframe-lab",
    async run(scene) {
      const answer = stories({ count: 6 });
      for (const name of ["first", "second"]) {
        const folder = scene.file(`teco/${name}`);
        fs.mkdirSync(folder, { recursive: true });
        for (let at = 0; at < 6; at += 1) {
          const { body } = answer({ path: `/story/${at}` });
          const linked = body.replace(/"\/story\/(\d)"/g, '"$1.html"');
          const labelled = at === 0 ? linked.replace("<main>", `<main class="${name === "first" ? "notTemplate" : "TECO_notTemplate"}">`) : linked;
          fs.writeFileSync(path.join(folder, `${at}.html`), labelled);
        }
      }
      const expected = await lab(scene, scene.file("teco"), "links:preset=alarte-2014");
      const page = await scene.openOwn("panel/benchmarks.html");
      const rows = await scored(page, scene.file("teco"));
      const { precision: p, recall: r, f1 } = expected;
      near(rows.at(-1).scores, [p, r, f1], "all");
      assert.deepEqual(rows.filter((row) => row.site && !row.page).map((row) => row.site), ["first", "second"]);
    },
  },
  {
    name: "the benchmarks have the numbers of the page in the panel, and a folder without labels says so",
    async run(scene) {
      const site = await scene.site(stories());
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      assert.equal((await panel.find()).state, "done");
      const own = await scene.openOwn(`panel/benchmarks.html?tab=${page.tab}`);
      await until("the numbers are there", async () => (await own.run(() => document.getElementById("number-compared")?.innerText)) === "3 of 3 pages");
      fs.mkdirSync(scene.file("nothing"));
      fs.writeFileSync(scene.file("nothing/page.html"), "<p>No labels");
      await own.choose("#choose", scene.file("nothing"));
      await until("it says so", async () => /no labelled pages/.test(await own.run(() => document.getElementById("problem").innerText)));
    },
  },
];
