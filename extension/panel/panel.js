// The panel: what unframe knows of the page in the tab, and what can be done with it.

import { api, t } from "../background/api.js";
import { ask, listen } from "./background.js";
import { emptyState } from "./empty.js";
import { percent, size, translate, whole } from "./i18n.js";
import { jobLine, showLoads } from "./job.js";
import { flagsLine, rowsOf, showRows, storedLine } from "./numbers.js";
import { request } from "./permission.js";
import { follow } from "./tab.js";
import { copy, save } from "./take.js";

const $ = (id) => document.getElementById(id);
const radios = [...document.querySelectorAll("input[name=view]")];
const now = { tab: null, status: null, shown: null, turn: 0 };

function problem(text) {
  $("problem").hidden = text === "";
  $("problem").textContent = text;
}

function say(line, text, isBad = false) {
  $(line).textContent = text;
  $(line).classList.toggle("bad", isBad);
}

/** Runs something that the user has asked for, and says what went wrong where the user looks. */
async function attempt(work, line) {
  const tell = line ? (text) => say(line, text, true) : problem;
  tell("");
  try {
    return await work();
  } catch (error) {
    tell(error.message);
  }
}

// What there is to show.

/** How long a page may keep us waiting before that is said, in milliseconds. */
const NOTICEABLE = 400;

async function lookAt(tab) {
  if (tab !== now.tab) {
    Object.assign(now, { tab, status: null, shown: null });
    for (const line of ["view-line", "keep-line", "take-line", "forget-line"]) say(line, "");
    problem("");
  }
  await refresh();
}

async function refresh() {
  const { tab } = now;
  const turn = ++now.turn;
  const waiting = setTimeout(() => {
    if (now.status === null) showEmpty({ text: t("waitingForPage") });
  }, NOTICEABLE);
  let status;
  try {
    status = await ask("status", { tab });
  } catch (error) {
    status = { failed: error.message, isClosed: !(await api.tabs.get(tab).catch(() => null)) };
  }
  clearTimeout(waiting);
  if (turn !== now.turn) return;
  const isSamePage = now.status?.url === status.url;
  now.shown = isSamePage ? now.shown : null;
  now.status = status;
  draw();
}

function draw() {
  const { status } = now;
  const empty = emptyState(status);
  $("site").textContent = status.origin ? new URL(status.origin).host : t("panelTitle");
  $("page-title").textContent = status.title ?? "";
  $("page-title").title = status.url ?? "";
  $("private-note").hidden = !status.private;
  // Extensions have no pages of their own in private windows.
  $("open-benchmarks").hidden = Boolean(status.private);
  showEmpty(empty);
  if (empty) return;
  drawJob();
  drawView();
  drawNumbers();
}

function showEmpty(empty) {
  $("empty").hidden = !empty;
  $("work").hidden = Boolean(empty);
  $("empty-text").textContent = empty?.text ?? "";
  $("empty-more").textContent = empty?.more ?? "";
}

function drawJob() {
  const { job, found } = now.status;
  const isRunning = job?.state === "running";
  const [shown, hidden] = isRunning ? [$("cancel"), $("find")] : [$("find"), $("cancel")];
  const hadFocus = document.activeElement === hidden;
  shown.hidden = false;
  hidden.hidden = true;
  if (hadFocus) shown.focus();
  say("job-line", jobLine(job, found), job?.state === "failed");
  $("job").hidden = !job?.loads.length;
  showLoads($("loads"), job?.loads ?? []);
}

function drawView() {
  const { view, site, private: isPrivate } = now.status;
  if (!viewing.isRunning) for (const radio of radios) radio.checked = radio.value === view;
  const kept = site?.view ?? null;
  $("keep-view").checked = kept !== null;
  $("keep-view").disabled = isPrivate || (kept === null && view === "original");
  const note = kept !== null && kept !== view ? t("keptView", t(VIEWS[kept])) : "";
  $("keep-view-note").textContent = note;
  $("keep-view-note").hidden = note === "";
  $("keep-learning").checked = site?.learn ?? false;
  $("keep-learning").disabled = isPrivate;
}

function drawNumbers() {
  const { site, job, found } = now.status;
  const { shown } = now;
  const rows = rowsOf({ site, job, found, shown });
  $("numbers").hidden = rows.length === 0;
  showRows($("numbers-list"), rows);
  $("flags").textContent = flagsLine(shown?.flags ?? []);
  $("stored-line").textContent = now.status.private ? t("storedPrivate") : storedLine(site, size);
  $("forget").hidden = !site;
}

const VIEWS = { original: "viewOriginal", content: "viewContent", template: "viewTemplate", tint: "viewTint" };

// Finding the frame.

$("find").addEventListener("click", () => attempt(async () => {
  const { tab, status } = now;
  if (!(await saved)) return $("n").focus();
  try {
    await ask("find", { tab });
    Object.assign(status, { job: { state: "running", loads: [] }, found: null });
    if (now.status === status) drawJob();
  } finally {
    await refresh();
  }
}));
$("cancel").addEventListener("click", () => attempt(() => ask("cancel", { tab: now.tab })));

/** Whether the numbers that were typed last are saved. */
let saved = Promise.resolve(true);

async function saveNumbers() {
  const values = { n: $("n").value, t: $("t").value };
  const answer = await attempt(() => ask("set", { settings: values }), "compare-line");
  for (const name of ["n", "t"]) $(name).setAttribute("aria-invalid", String(!answer));
  return Boolean(answer);
}

for (const name of ["n", "t"]) {
  $(name).addEventListener("change", () => {
    saved = saveNumbers();
  });
}

// Views. Whoever goes through them with the arrow keys gets the last one, not all of them one after another.

const viewing = { wanted: null, isRunning: false };

async function show(view) {
  viewing.wanted = { tab: now.tab, view };
  if (viewing.isRunning) return;
  viewing.isRunning = true;
  say("view-line", t("viewing"));
  let line = "";
  try {
    while (viewing.wanted !== null) line = await showNow();
  } finally {
    viewing.isRunning = false;
    say("view-line", line);
    await refresh();
  }
}

async function showNow() {
  const { status } = now;
  const { tab, view } = viewing.wanted;
  viewing.wanted = null;
  const { shown = null } = await ask("view", { tab, view });
  if (now.status === status || now.status?.url === status.url) now.shown = shown;
  const kept = status.site?.view ?? null;
  // A look at the original does not forget which view is wanted on this site.
  if (kept !== null && view !== "original" && kept !== view) await ask("keep", { tab, view });
  return shown ? t(LINES[view], percent(shown.share)) : "";
}

const LINES = { content: "viewContentLine", template: "viewTemplateLine", tint: "viewTintLine" };

for (const radio of radios) {
  radio.addEventListener("change", () => attempt(() => show(radio.value), "view-line"));
  // Once more, for what the page has added.
  radio.addEventListener("click", () => {
    const isAgain = radio.value === now.status?.view && radio.value !== "original" && !viewing.isRunning;
    if (isAgain) attempt(() => show(radio.value), "view-line");
  });
}

// What is wanted on this site.

async function keep(box, wish) {
  const { tab, status } = now;
  // First of all: the browser only asks the user in answer to a click.
  const granted = box.checked ? request(status.origin) : true;
  await attempt(async () => {
    try {
      if (!(await granted)) throw new Error(t("notGranted", new URL(status.origin).hostname));
      await ask("keep", { tab, ...wish });
    } finally {
      await refresh();
    }
  }, "keep-line");
}

$("keep-view").addEventListener("click", ({ target }) => keep(target, { view: target.checked ? now.status.view : null }));
$("keep-learning").addEventListener("click", ({ target }) => keep(target, { learn: target.checked }));

// Taking it along.

async function take(what, finish) {
  await attempt(async () => {
    say("take-line", t("taking"));
    say("take-line", await finish(ask("take", { tab: now.tab, what })));
  }, "take-line");
}

for (const what of ["markdown", "text", "html"]) {
  $(`copy-${what}`).addEventListener("click", () => take(what, async (coming) => t("copied", whole(await copy(coming)))));
}
for (const what of ["template", "rules", "state"]) {
  $(`save-${what}`).addEventListener("click", () => take(what, async (coming) => {
    const { name, bytes } = save(await coming);
    return t("savedAs", name, size(bytes));
  }));
}

$("forget").addEventListener("click", () => attempt(async () => {
  await ask("forget", { origin: now.status.origin, private: now.status.private });
  now.shown = null;
  await refresh();
  say("forget-line", t("forgotten"));
}, "forget-line"));

// The rest of the extension.

$("open-benchmarks").addEventListener("click", () => {
  api.tabs.create({ url: api.runtime.getURL(`panel/benchmarks.html?tab=${now.tab}`) });
});
$("open-options").addEventListener("click", () => api.runtime.openOptionsPage());

async function nameShortcuts() {
  for (const { name, shortcut } of await api.commands.getAll()) {
    const radio = radios.find(({ value }) => value === name);
    if (!radio) continue;
    const title = t(`${VIEWS[name]}Title`);
    radio.title = shortcut ? `${title} (${shortcut})` : title;
  }
}

async function showSettings() {
  const { settings } = await ask("settings");
  $("n").value = settings.n;
  $("t").value = settings.t;
}

function hear({ event, tab, job, error }) {
  if (tab !== now.tab) return;
  if (event === "changed") return refresh();
  if (event === "error") return problem(error);
  if (event !== "job" || !now.status?.origin) return;
  now.status.job = job;
  now.status.found = job.state === "done" ? job.summary : null;
  drawJob();
  drawNumbers();
}

translate();
listen(hear, refresh);
for (const event of [api.permissions.onAdded, api.permissions.onRemoved]) event.addListener(() => refresh());
await attempt(() => Promise.all([follow(lookAt), showSettings(), nameShortcuts()]));
