// Uses the extension in browsers. `scripts/extension` says how this is called.

import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { withHosts } from "./browser.mjs";
import { Chromium } from "./chromium.mjs";
import { Firefox } from "./firefox.mjs";
import { Scene } from "./scene.mjs";
import { within } from "./wait.mjs";

const SUBJECTS = ["find", "manners", "views", "odd", "take", "hostile", "learning", "options", "restart", "button", "benchmarks", "looks"];
const DRIVERS = { chromium: Chromium, firefox: Firefox };
/** Tests wait most of the time, so more than one runs at once. Those that do not are `isAlone`, and come last. */
const LANES = 2;
/** How long a test may take, in milliseconds, if it does not say. */
const LIMIT = 60_000;

const string = { type: "string", default: "" };
const { values: given } = parseArgs({
  options: {
    unframe: string, chromium: string, firefox: string, geckodriver: string, tools: string, work: string, only: string,
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
  const copy = withHosts(shipped, path.join(work, `${name}-extension`));
  return ({ isReal = false } = {}) => {
    const profile = path.join(work, `${name}-profile-${profiles += 1}`);
    fs.rmSync(profile, { recursive: true, force: true });
    fs.mkdirSync(profile, { recursive: true });
    return DRIVERS[name].start({ programs: given, folder: isReal ? shipped : copy, profile });
  };
}

async function attempt(test, browser, start) {
  const scene = new Scene(browser, { programs: given, work: path.join(work, browser.name), name: test.name, another: start });
  try {
    await within(test.limit ?? LIMIT, "it", (async () => {
      await scene.begin();
      await test.run(scene);
    })());
  } finally {
    await within(20_000, "tidying up", scene.end());
  }
}

/**
 * Runs the tests that are left, one after another, in a browser of its own. Those that fail beside others are tried again:
 * four browsers can be too much for a small machine.
 */
async function lane(name, tests, start, results, again = null) {
  let browser = await start();
  for (let test = tests.shift(); test; test = tests.shift()) {
    const from = performance.now();
    let problem = null;
    try {
      await attempt(test, browser, start);
    } catch (error) {
      problem = error;
    }
    const seconds = ((performance.now() - from) / 1000).toFixed(1).padStart(5);
    const how = problem ? (again ? "again " : "FAILED") : "ok    ";
    console.log(`${how} ${name.padEnd(8)} ${seconds} s  ${test.name}`);
    if (!problem) {
      results.passed += 1;
      continue;
    }
    console.log(String(problem.stack ?? problem).replace(/^/gm, "       "));
    if (again) again.push(test);
    else results.failed.push(test.name);
    // Whatever it was in the middle of must not disturb the others.
    await within(15_000, "stopping", browser.stop()).catch(() => {});
    browser = await start();
  }
  await browser.stop();
}

async function all(name, tests) {
  const own = tests.filter(({ browsers }) => !browsers || browsers.includes(name));
  const start = starter(name);
  const results = { passed: 0, failed: [], again: [] };
  const [alone, others] = [own.filter((test) => test.isAlone), own.filter((test) => !test.isAlone)];
  const lanes = Math.min(LANES, others.length);
  await Promise.all(Array.from({ length: lanes }, () => lane(name, others, start, results, results.again)));
  const rest = [...alone, ...results.again];
  if (rest.length > 0) await lane(name, rest, start, results);
  return results;
}

fs.rmSync(work, { recursive: true, force: true });
fs.mkdirSync(work, { recursive: true });
process.on("SIGTERM", () => process.exit(1));
process.on("SIGINT", () => process.exit(1));

if (given.docs) {
  const { take } = await import("./pictures.mjs");
  await take(await starter("chromium")(), given);
  process.exit();
}

const tests = (await Promise.all(SUBJECTS.map((subject) => import(`./${subject}.mjs`)))).flatMap(({ tests }) => tests);
const chosen = tests.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
if (chosen.length === 0) {
  console.error(`extension: no test has a name with ${words.join(" and ")}`);
  process.exit(1);
}
const results = await Promise.all(names.map((name) => all(name, chosen)));
const failed = results.flatMap(({ failed }, at) => failed.map((test) => `${names[at]}: ${test}`));
const passed = results.reduce((sum, one) => sum + one.passed, 0);
if (failed.length > 0) console.log(`extension: failed:\n${failed.map((line) => `  ${line}`).join("\n")}`);
const again = results.reduce((sum, one) => sum + one.again.length, 0);
const notes = [again && `${again} tried again alone`, failed.length && `${failed.length} failed`].filter(Boolean);
console.log(`extension: ${[`${passed} passed`, ...notes].join(", ")} in ${names.join(" and ")}`);
process.exit(failed.length ? 1 : 0);
