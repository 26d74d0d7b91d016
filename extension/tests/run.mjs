// Uses the extension in browsers. `scripts/extension` says how this is called.

import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { withHosts } from "./browser.mjs";
import { Chromium } from "./chromium.mjs";
import { Firefox } from "./firefox.mjs";
import { Scene } from "./scene.mjs";
import { LONGEST_TEST, LONGEST_WAIT, within } from "./wait.mjs";

const SUBJECTS = ["find", "manners", "views", "odd", "take", "hostile", "learning", "options", "restart", "button", "benchmarks", "looks"];
const DRIVERS = { chromium: Chromium, firefox: Firefox };
/** Tests wait some of the time, so each browser is there twice. */
const LANES = 2;

const string = { type: "string", default: "" };
const { values: given } = parseArgs({
  options: {
    unframe: string, chromium: string, firefox: string, tools: string, work: string, only: string,
    browsers: { type: "string", default: "chromium firefox" }, docs: { type: "boolean", default: false },
  },
});
const work = path.join(path.resolve(given.work), "tests");
const words = given.only.toLowerCase().split(/\s+/).filter(Boolean);
const names = given.browsers.split(/\s+/).filter(Boolean);

/** Starts a browser. `isReal`: with the extension as it is shipped, which may look into no site by itself. */
let profiles = 0;
function starter(name) {
  const shipped = path.join(path.resolve(given.work), name);
  const copy = withHosts(shipped, path.join(work, name, "extension"));
  return ({ isReal = false } = {}) => {
    const profile = path.join(work, name, `profile-${profiles += 1}`);
    fs.rmSync(profile, { recursive: true, force: true });
    fs.mkdirSync(profile, { recursive: true });
    return DRIVERS[name].start({ programs: given, folder: isReal ? shipped : copy, profile });
  };
}

/** Returns what has gone wrong, if something has. */
async function attempt(test, browser, start) {
  const scene = new Scene(browser, { programs: given, work: path.join(work, browser.name), name: test.name, another: start });
  let problem = null;
  try {
    await within(LONGEST_TEST, "it", (async () => {
      await scene.begin();
      await test.run(scene);
    })());
  } catch (error) {
    problem = error;
  }
  try {
    await within(LONGEST_WAIT, "tidying up", scene.end());
  } catch (error) {
    problem ??= error;
  }
  return problem;
}

/** Runs the tests that are left, one after another, in a browser of its own. */
async function lane(name, tests, start, results) {
  let browser = await start();
  for (let test = tests.shift(); test; test = tests.shift()) {
    const from = performance.now();
    const problem = await attempt(test, browser, start);
    const seconds = ((performance.now() - from) / 1000).toFixed(1).padStart(5);
    console.log(`${problem ? "FAILED" : "ok    "} ${name.padEnd(8)} ${seconds} s  ${test.name}`);
    if (!problem) {
      results.passed += 1;
      continue;
    }
    console.log(String(problem.stack ?? problem).replace(/^/gm, "       "));
    results.failed.push(`${name}: ${test.name}`);
    // Whatever it was in the middle of must not disturb the others.
    await within(LONGEST_WAIT, "stopping", browser.stop()).catch(() => {});
    browser = await start();
  }
  await browser.stop();
}

async function all(name, tests, results) {
  const own = tests.filter(({ browsers }) => !browsers || browsers.includes(name));
  const start = starter(name);
  await Promise.all(Array.from({ length: Math.min(LANES, own.length) }, () => lane(name, own, start, results)));
}

// Another run may be using the other browser.
for (const name of names) fs.rmSync(path.join(work, name), { recursive: true, force: true });
process.on("SIGTERM", () => process.exit(1));
process.on("SIGINT", () => process.exit(1));

if (given.docs) {
  const { take } = await import("./pictures.mjs");
  await take(await starter("chromium")(), given);
  process.exit();
}

const tests = (await Promise.all(SUBJECTS.map((subject) => import(`./${subject}.mjs`)))).flatMap(({ tests }) => tests);
const chosen = tests.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
const results = { passed: 0, failed: [] };
await Promise.all(names.map((name) => all(name, chosen, results)));
if (results.passed + results.failed.length === 0) {
  console.error(`extension: no test for ${names.join(" or ")} has a name with ${words.join(" and ")}`);
  process.exit(1);
}
for (const name of results.failed) console.log(`failed: ${name}`);
console.log(`extension: ${results.passed} passed, ${results.failed.length} failed`);
process.exit(results.failed.length ? 1 : 0);
