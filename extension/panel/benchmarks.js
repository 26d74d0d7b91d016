// The benchmarks: the numbers of the page in the panel, and the scores of a corpus on the user's disk.

import { api, t } from "../background/api.js";
import { ask, listen } from "./background.js";
import { sitesIn } from "./corpus.js";
import { time, translate, whole } from "./i18n.js";
import { rowsOf, showRows } from "./numbers.js";
import { Results } from "./results.js";
import { follow } from "./tab.js";
import { copy } from "./take.js";

const $ = (id) => document.getElementById(id);

function problem(...texts) {
  $("problem").hidden = texts.length === 0;
  $("problem").replaceChildren(...texts.flatMap((text) => [text, document.createElement("br")]).slice(0, -1));
}

const say = (text) => {
  $("line").textContent = text;
};

// The page in the panel.

const page = { tab: null, status: null, turn: 0 };

async function lookAt(tab) {
  page.tab = tab;
  const turn = ++page.turn;
  let status;
  try {
    status = await ask("status", { tab });
  } catch (error) {
    const isClosed = !(await api.tabs.get(tab).catch(() => null));
    status = { failed: isClosed ? t("emptyClosed") : error.message };
  }
  if (turn !== page.turn) return;
  page.status = status;
  drawPage();
}

function drawPage() {
  const { failed, title, url, ...status } = page.status;
  const rows = failed ? [] : rowsOf(status);
  showRows($("page-numbers"), rows);
  $("page-line").textContent = failed ?? (rows.length ? title || url || "" : t("benchmarkNoPage"));
  $("page-line").title = url ?? "";
}

function hear({ event, tab, job }) {
  if (tab !== page.tab) return;
  if (event === "changed") lookAt(tab);
  if (event !== "job" || !page.status?.origin) return;
  page.status.job = job;
  page.status.found = job.state === "done" ? job.summary : null;
  drawPage();
}

// The corpus.

/** The largest file that is read. */
const LARGEST = 64 << 20;

/** What runs, or has run last. */
let run = null;

/** The two numbers, or nothing if they make no sense, which is said. */
function numbers() {
  const texts = [];
  const values = {};
  for (const name of ["n", "t"]) {
    const { min, max, value } = $(name);
    values[name] = Number(value);
    const isWrong = !/^\d+$/.test(value) || values[name] < Number(min) || values[name] > Number(max);
    $(name).setAttribute("aria-invalid", String(isWrong));
    if (isWrong) texts.push(t("settingWhole", name, min, max));
  }
  if (texts.length === 0 && values.t > values.n) {
    texts.push(t("votesOverPages", values.t, values.n));
    $("t").setAttribute("aria-invalid", "true");
  }
  problem(...texts);
  return texts.length === 0 ? values : null;
}

function score(files) {
  const options = numbers();
  if (!options) return;
  const { sites, otherwise, skipped } = sitesIn(files);
  const worker = new Worker(new URL("./scoring.js", import.meta.url), { type: "module" });
  run = { worker, from: performance.now(), done: 0, skipped, failed: [], results: new Results($("results")) };
  $("results-box").hidden = true;
  $("skipped").textContent = "";
  $("progress").max = sites.length || 1;
  $("progress").value = 0;
  worker.addEventListener("message", ({ data }) => {
    if (run.worker === worker) happened[data.event](data);
  });
  worker.addEventListener("error", ({ message = "" }) => {
    if (run.worker === worker) happened.stopped({ why: message });
  });
  showRunning(true);
  say("");
  const largest = { bytes: LARGEST, why: t("largerThan", LARGEST >> 20) };
  worker.postMessage({ sites, otherwise, options, largest });
}

/** What the worker tells. */
const happened = {
  progress({ label, scores, number, of }) {
    $("progress").value = run.done + (scores ? 1 : number / of) * 0.9;
    say(scores ? t("scoringSite", label) : t("readingFiles", label, whole(number), whole(of)));
  },
  scored(site) {
    run.results.add(site);
    $("results-box").hidden = false;
    next();
  },
  skipped({ label }) {
    run.skipped.push(label);
    next();
  },
  failed({ label, isBroken, why }) {
    run.failed.push(t("benchmarkFailed", label, isBroken ? t("engineFailed") : why));
    next();
  },
  /** No folder in the chosen one has labels, so it is a site itself or nothing. */
  "one-site"() {
    Object.assign(run, { done: 0, skipped: [] });
    $("progress").max = 1;
    $("progress").value = 0;
  },
  done() {
    const isNothing = run.results.sites.length === 0 && run.failed.length === 0;
    if (isNothing) run.failed.push(t("benchmarkNothing"));
    finish(isNothing ? "" : t("benchmarkDone", time(performance.now() - run.from)));
  },
  stopped({ why }) {
    run.failed.push(t("wentWrong", why));
    finish("");
  },
};

function next() {
  $("progress").value = ++run.done;
}

function finish(line) {
  run.worker.terminate();
  // What it has still told is not heard.
  run.worker = null;
  problem(...run.failed);
  $("skipped").textContent = run.skipped.length ? t("sitesSkipped", run.skipped.join(", ")) : "";
  showRunning(false);
  say(line);
}

function showRunning(isRunning) {
  const [shown, hidden] = isRunning ? [$("cancel"), $("choose")] : [$("choose"), $("cancel")];
  const hadFocus = document.activeElement === hidden;
  shown.hidden = false;
  hidden.hidden = true;
  if (hadFocus) shown.focus();
  $("progress").hidden = !isRunning;
  for (const name of ["n", "t"]) $(name).disabled = isRunning;
}

$("choose").addEventListener("click", () => {
  if (numbers()) $("folder").click();
});
$("folder").addEventListener("change", ({ target }) => {
  const files = [...target.files];
  // So that the same folder can be chosen again.
  target.value = "";
  score(files);
});
$("cancel").addEventListener("click", () => finish(t("benchmarkCancelled")));
$("show-pages").addEventListener("change", ({ target }) => $("results").classList.toggle("short", !target.checked));
$("copy-csv").addEventListener("click", async () => {
  try {
    say(t("copied", whole(await copy(Promise.resolve({ text: run.results.csv() })))));
  } catch (error) {
    problem(t("wentWrong", error.message));
  }
});

async function showSettings() {
  const { settings } = await ask("settings");
  $("n").value = settings.n;
  $("t").value = settings.t;
}

translate();
listen(hear, () => page.tab !== null && lookAt(page.tab));
try {
  // Without a tab there is no panel: its own tab is not the one that is meant.
  if (new URLSearchParams(location.search).has("tab")) await follow(lookAt);
  else $("page-line").textContent = t("benchmarkNoPage");
  await showSettings();
} catch (error) {
  problem(error.message);
}
