// The lens: shows pages of a site through what was learned of it. Pages run no script: they are in sandboxed
// frames, and this program looks into them from outside.

import { drawClusters, drawDrift } from "/lens/static/plots.js";

const $ = (id) => document.getElementById(id);
const percent = (share) => `${Math.round(100 * share)} %`;
const now = { space: "state", site: null, url: null, view: null, marks: { protect: [], remove: [] }, chosen: null, tab: "page" };

// Talking to the service.

function say(text, bad = false) {
  $("status").textContent = text;
  $("status").classList.toggle("bad", bad);
}

async function ask(method, path, values = {}, body) {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
  const headers = {};
  const token = sessionStorage.getItem("unframe-token");
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(`${path}${query.size ? "?" + query : ""}`, { method, headers, body });
  if (response.status === 401) {
    await askForToken();
    return ask(method, path, values, body);
  }
  if (response.status === 204) return null;
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.title}: ${answer.detail}`);
  return answer;
}

function askForToken() {
  const box = $("token-box");
  if (!box.open) box.showModal();
  return new Promise((resolve) => {
    const send = () => {
      sessionStorage.setItem("unframe-token", $("token").value.trim());
      box.close();
      resolve();
    };
    $("token-send").onclick = send;
    $("token").onkeydown = (event) => { if (event.key === "Enter") send(); };
  });
}

// Runs something that talks to the service, and says what went wrong.
async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    say(error.message, true);
  }
}

const here = () => ({ space: now.space, site: now.site });

// Choosing a site and a page.

function option(value, text, parent) {
  const made = document.createElement("option");
  made.value = value;
  made.textContent = text;
  parent.append(made);
  return made;
}

async function listSites() {
  const all = await ask("GET", "/lens/sites");
  const select = $("site");
  select.replaceChildren();
  option("", "choose a site", select);
  for (const [space, label] of [["state", all.durable ? "State" : "In main memory"], ["dropped", "Dropped here"]]) {
    if (all[space].sites.length === 0) continue;
    const group = document.createElement("optgroup");
    group.label = label;
    for (const site of all[space].sites) {
      option(JSON.stringify([space, site.site]), `${site.site} (${site.pages} ${site.pages === 1 ? "page" : "pages"})`, group);
    }
    select.append(group);
  }
  select.value = now.site === null ? "" : JSON.stringify([now.space, now.site]);
  $("fetch-box").hidden = !all.fetches;
  $("clear").hidden = all.dropped.sites.length === 0;
}

async function openSite(space, site, url) {
  Object.assign(now, { space, site, url: null, view: null, chosen: null });
  const detail = await ask("GET", "/lens/site", { space, site });
  now.detail = detail;
  now.marks = detail.marks;
  $("site").value = JSON.stringify([space, site]);
  const pages = $("page");
  pages.replaceChildren();
  for (const one of detail.recent) option(one, one, pages);
  pages.disabled = detail.recent.length === 0;
  $("welcome").hidden = true;
  $("work").hidden = false;
  showMarks();
  if (detail.recent.length === 0) {
    closePage();
    say(`${site}: ${detail.pages} pages are known, and none is held. Post a page of it to look at it.`);
  } else {
    await openPage(url && detail.recent.includes(url) ? url : detail.recent[0]);
  }
  await showTab();
}

function closePage() {
  for (const id of ["tinted", "before", "after", "template"]) $(id).removeAttribute("src");
  for (const id of ["text", "markdown", "words", "removed", "summary"]) $(id).textContent = "";
  $("regions").replaceChildren();
  $("chosen").hidden = true;
}

async function openPage(url) {
  const view = await ask("GET", "/lens/view", { ...here(), url, remove: $("remove").value, favor: $("favor").value });
  Object.assign(now, { url, view, chosen: null });
  $("page").value = url;
  $("chosen").hidden = true;
  $("text").textContent = view.text;
  $("markdown").textContent = view.markdown;
  const flags = view.flags.map((flag) => `${flag.name}: ${flag.meaning}`);
  const sure = view.confidence === null ? [] : [`expected F1 ${view.confidence.toFixed(2)}`];
  $("summary").textContent = [view.title || "(no title)", `compared with ${view.state_pages} pages`, ...sure, ...flags].join(" · ");
  for (const [id, document] of [["tinted", view.before], ["before", view.before], ["after", view.after]]) {
    const frame = $(id);
    frame.onload = () => lookInto(frame, id !== "after");
    frame.src = document;
  }
  listRegions();
  say(`${now.site}: ${url}`);
}

// The page in its frame: tint, hover, click.

function lookInto(frame, hasRegions) {
  const page = frame.contentDocument;
  if (!page || !hasRegions) return;
  page.addEventListener("click", (event) => {
    event.preventDefault();
    const text = event.target.closest?.("unframe-text");
    if (text) choose(Number(text.getAttribute("r")), false);
  });
  page.addEventListener("mousemove", (event) => {
    const text = event.target.closest?.("unframe-text");
    hint(frame, event, text && now.view?.regions[Number(text.getAttribute("r"))]);
  });
  page.addEventListener("mouseleave", () => hint(frame, null, null));
  tint();
}

function hint(frame, event, region) {
  const box = $("hint");
  box.hidden = !region;
  if (!region) return;
  const seen = region.seen ? `, on ${region.seen[0]} of ${region.seen[1]} other pages` : "";
  box.textContent = `${isRemoved(region) ? "removed" : "kept"}, ${percent(region.probability)} frame${seen}: ${region.rule}`;
  const place = frame.getBoundingClientRect();
  box.style.left = `${Math.min(place.left + event.clientX + 14, innerWidth - box.offsetWidth - 8)}px`;
  box.style.top = `${Math.min(place.top + event.clientY + 18, innerHeight - box.offsetHeight - 8)}px`;
}

function isRemoved(region) {
  return $("own").checked ? region.frame : region.probability >= Number($("threshold").value) / 100;
}

// Shows what the threshold removes: in the frames, in the list, and in numbers.
function tint() {
  const regions = now.view?.regions ?? [];
  for (const id of ["tinted", "before"]) {
    const page = $(id).contentDocument;
    for (const text of page?.querySelectorAll("unframe-text") ?? []) {
      const number = Number(text.getAttribute("r"));
      text.toggleAttribute("f", regions[number] ? isRemoved(regions[number]) : false);
      text.classList.toggle("unframe-open", number === now.chosen);
    }
  }
  const removed = regions.filter(isRemoved);
  const words = (some) => some.reduce((sum, region) => sum + region.words, 0);
  const all = words(regions);
  const kept = all - words(removed);
  $("words").textContent = `${kept} of ${all}${all ? ` (${percent(kept / all)})` : ""}`;
  $("removed").textContent = `${removed.length} of ${regions.length}`;
  $("threshold-value").textContent = `${$("threshold").value} %`;
  for (const button of $("regions").querySelectorAll("button")) {
    const region = regions[Number(button.dataset.region)];
    // The list is that of the former page while another one is opened.
    if (!region) continue;
    button.classList.toggle("frame", isRemoved(region));
    button.setAttribute("aria-current", String(Number(button.dataset.region) === now.chosen));
    button.parentElement.hidden = $("only-frame").checked && !isRemoved(region);
  }
}

function listRegions() {
  const list = $("regions");
  list.replaceChildren();
  (now.view?.regions ?? []).forEach((region, number) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.region = number;
    button.textContent = `${percent(region.probability)} ${region.text}`;
    button.addEventListener("click", () => choose(number, true));
    item.append(button);
    list.append(item);
  });
  tint();
}

function choose(number, scroll) {
  const region = now.view?.regions[number];
  if (!region) return;
  now.chosen = number;
  $("chosen").hidden = false;
  $("chosen-label").textContent = `${region.frame ? "Frame" : "Content"}, ${percent(region.probability)} frame`;
  $("chosen-text").textContent = region.text;
  $("chosen-rule").textContent = region.rule;
  $("chosen-css").textContent = region.css;
  const rows = $("evidence").tBodies[0];
  rows.replaceChildren();
  for (const [name, weight] of region.evidence) {
    const row = rows.insertRow();
    row.insertCell().textContent = name;
    row.insertCell().textContent = weight.toFixed(2);
  }
  $("evidence").hidden = region.evidence.length === 0;
  tint();
  if (scroll) {
    $("tinted").contentDocument?.querySelector(`unframe-text[r="${number}"]`)?.scrollIntoView({ block: "center" });
  } else {
    $("regions").querySelector(`[data-region="${number}"]`)?.scrollIntoView({ block: "nearest" });
  }
}

// Marks: what people say of elements of the site.

function showMarks() {
  const list = $("marks");
  list.replaceChildren();
  const all = [...now.marks.protect.map((css) => ["protect", css]), ...now.marks.remove.map((css) => ["remove", css])];
  for (const [kind, css] of all) {
    const item = document.createElement("li");
    const text = document.createElement("span");
    const code = document.createElement("code");
    code.textContent = css;
    text.append(kind === "protect" ? "kept " : "removed ", code);
    const forget = document.createElement("button");
    forget.type = "button";
    forget.textContent = "Forget";
    forget.setAttribute("aria-label", `Forget ${css}`);
    forget.addEventListener("click", () => attempt(() => setMarks({ ...now.marks, [kind]: now.marks[kind].filter((own) => own !== css) })));
    item.append(text, forget);
    list.append(item);
  }
  if (all.length === 0) {
    const none = document.createElement("li");
    none.textContent = "None. Choose a region, then protect or remove it.";
    list.append(none);
  }
}

async function mark(kind) {
  const css = now.view?.regions[now.chosen]?.css;
  if (!css) return;
  const other = kind === "protect" ? "remove" : "protect";
  await setMarks({
    [kind]: [...now.marks[kind].filter((own) => own !== css), css],
    [other]: now.marks[other].filter((own) => own !== css),
  });
}

async function setMarks(marks) {
  const chosen = now.chosen;
  say("Writing the marks …");
  now.marks = await ask("PUT", "/lens/marks", here(), JSON.stringify(marks));
  showMarks();
  await openPage(now.url);
  if (chosen !== null) choose(chosen, false);
  await showTab();
  say("The marks are written.");
}

// Views.

const tabs = [...$("tabs").children];

async function showTab() {
  for (const tab of tabs) {
    const isOpen = tab.id === `tab-${now.tab}`;
    tab.setAttribute("aria-selected", String(isOpen));
    tab.tabIndex = isOpen ? 0 : -1;
    $(tab.getAttribute("aria-controls")).hidden = !isOpen;
  }
  if (now.site === null) return;
  if (now.tab === "template" && now.url !== null) {
    const template = await ask("GET", "/lens/template", { ...here(), url: now.url });
    $("slots").textContent = `${template.slots} ${template.slots === 1 ? "slot" : "slots"} for content`;
    $("template").src = template.document;
  } else if (now.tab === "clusters" && now.url !== null) {
    const map = await ask("GET", "/lens/clusters", here());
    drawClusters($("clusters"), map, now.url, (url) => attempt(async () => {
      await openPage(url);
      await selectTab("page");
    }));
  } else if (now.tab === "drift") {
    drawDrift($("drift"), now.detail.drift, now.detail.versions);
    const rows = $("designs").tBodies[0];
    rows.replaceChildren();
    for (const design of now.detail.versions) {
      const row = rows.insertRow();
      for (const value of [design.number, design.since, design.pages, percent(design.fit), design.first]) row.insertCell().textContent = value;
    }
  }
}

async function selectTab(name) {
  now.tab = name;
  await attempt(showTab);
}

for (const [at, tab] of tabs.entries()) {
  tab.addEventListener("click", () => selectTab(tab.id.slice(4)));
  tab.addEventListener("keydown", (event) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[to % tabs.length];
    next.focus();
    selectTab(next.id.slice(4));
  });
}

// Files, folders and URLs.

async function takeFiles(files) {
  const sites = new Set();
  let pages = 0, done = 0;
  for (const [name, file] of files) {
    say(`Reading ${++done} of ${files.length}: ${name}`);
    const found = await attempt(() => ask("POST", "/lens/files", { name }, file));
    if (!found) return;
    pages += found.pages;
    for (const site of found.sites) sites.add(site);
  }
  await listSites();
  if (sites.size > 0) await openSite("dropped", [...sites][0]);
  say(pages === 0 ? "No page was found in these files." : `${pages} ${pages === 1 ? "page" : "pages"} of ${sites.size} ${sites.size === 1 ? "site" : "sites"} were learned.`, pages === 0);
}

// All files of what was dropped, with their paths.
async function entriesOf(entry, path = "") {
  const name = path + entry.name;
  if (entry.isFile) return [[name, await new Promise((resolve, reject) => entry.file(resolve, reject))]];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    for (const one of some) found.push(...await entriesOf(one, `${name}/`));
  }
}

for (const kind of ["files", "folder"]) {
  $(`open-${kind}`).addEventListener("click", () => $(kind).click());
  $(kind).addEventListener("change", (event) => {
    const files = [...event.target.files].map((file) => [file.webkitRelativePath || file.name, file]);
    attempt(() => takeFiles(files)).finally(() => { event.target.value = ""; });
  });
}
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) document.body.classList.remove("dropping");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  // Files that come from another page have no entries.
  const plain = [...event.dataTransfer.files].map((file) => [file.name, file]);
  attempt(async () => {
    const found = (await Promise.all(entries.map((entry) => entriesOf(entry)))).flat();
    await takeFiles(found.length > 0 ? found : plain);
  });
});
$("fetch").addEventListener("click", () => attempt(async () => {
  say("Fetching …");
  const got = await ask("POST", "/lens/fetch", { url: $("address").value.trim() });
  await listSites();
  await openSite("dropped", got.site, got.url);
}));
$("address").addEventListener("keydown", (event) => { if (event.key === "Enter") $("fetch").click(); });
$("clear").addEventListener("click", () => attempt(async () => {
  await ask("DELETE", "/lens/sites");
  if (now.space === "dropped") {
    Object.assign(now, { space: "state", site: null, url: null, view: null });
    closePage();
    $("work").hidden = true;
    $("welcome").hidden = false;
  }
  await listSites();
  say("What was dropped is forgotten.");
}));

// The other controls.

$("site").addEventListener("change", (event) => {
  if (event.target.value) attempt(() => openSite(...JSON.parse(event.target.value)));
});
$("page").addEventListener("change", (event) => attempt(async () => {
  await openPage(event.target.value);
  await showTab();
}));
for (const id of ["remove", "favor"]) {
  $(id).addEventListener("change", () => { if (now.url !== null) attempt(() => openPage(now.url)); });
}
$("threshold").addEventListener("input", () => {
  $("own").checked = false;
  tint();
});
$("own").addEventListener("change", tint);
$("only-frame").addEventListener("change", tint);
$("protect").addEventListener("click", () => attempt(() => mark("protect")));
$("drop").addEventListener("click", () => attempt(() => mark("remove")));

attempt(listSites);
