// The part that is always there: it answers the panel, the toolbar button and the shortcuts.

import { api, pattern, t, Told } from "./api.js";
import { byLearning, byVotes } from "./labels.js";
import { ask, cachedSource, dress, enter, isAllowed, snapshot, undress, withoutFragment } from "./page.js";
import { Search } from "./search.js";
import { allWanted, change, settings, unwant, want, wanted } from "./settings.js";
import { forget, forgetAll, known, list, reopen, withSite } from "./sites.js";
import * as take from "./take.js";

/** The searches that run or have ended, by tab. */
const searches = new Map();
const panels = new Set();

function tellPanels(event) {
  for (const port of panels) port.postMessage(event);
}

// Pages and sites.

async function pageIn(tab) {
  const { url = "", title = "", incognito } = await api.tabs.get(tab);
  const isPage = /^https?:/.test(url);
  return { tab, url, title, isPrivate: incognito, origin: isPage ? new URL(url).origin : null };
}

/** The same for a page that something is to be done with. */
async function reached(tab) {
  const answer = await enter(tab);
  const page = await pageIn(tab);
  // Without the permission for tabs, the browser tells where the tab is only after scripts were allowed there.
  const url = page.url || answer.url;
  if (!/^https?:/.test(url)) throw new Told("notAWebPage");
  return { ...page, url, origin: new URL(url).origin };
}

const foundKey = (tab) => `found:${tab}`;

/** What the last search in a tab has found, and how it went. The browser stops this program when it is idle. */
async function lastSearch(tab) {
  const { origin, job, found } = searches.get(tab) ?? (await api.storage.session.get(foundKey(tab)))[foundKey(tab)] ?? {};
  return { origin, job, found: found ?? null };
}

/** What was found for the page that is in the tab now. */
async function foundFor({ tab, url }) {
  const { found } = await lastSearch(tab);
  return found && withoutFragment(found.url) === withoutFragment(url) ? found : null;
}

async function viewIn(tab) {
  try {
    return (await ask(tab, "view")).view;
  } catch {
    return "original";
  }
}

async function status({ tab }) {
  const page = await pageIn(tab);
  const { origin, isPrivate } = page;
  const search = await lastSearch(tab);
  const its = search.origin === origin ? (search.job ?? null) : null;
  const about = origin && (await known(origin, isPrivate));
  const asked = origin && !isPrivate && (await wanted(origin));
  return {
    ...page,
    private: isPrivate,
    allowed: origin !== null && (await isAllowed(tab)),
    view: await viewIn(tab),
    site: about || asked ? { pages: 0, bytes: 0, learn: false, view: null, ...about, ...asked } : null,
    job: its,
    found: (await foundFor(page))?.summary ?? null,
  };
}

const isHostAllowed = (origin) => api.permissions.contains({ origins: [pattern(origin)] });

// What the panel asks for.

async function find({ tab }) {
  const page = await reached(tab);
  searches.get(tab)?.stop();
  const tell = () => tellPanels({ event: "job", tab, job: search.job });
  const search = new Search(tab, withoutFragment(page.url), page.isPrivate, await settings(), tell);
  searches.set(tab, search);
  search.run().then(async (found) => {
    search.found = found;
    // This is in memory, too, but outlives this program. A template that is too large for it does not.
    const { origin, job } = search;
    await api.storage.session.set({ [foundKey(tab)]: { origin, job, found } })
      .catch(() => api.storage.session.set({ [foundKey(tab)]: { origin, job } }));
    tellPanels({ event: "changed", tab });
  });
  tell();
  return {};
}

function cancel({ tab }) {
  searches.get(tab)?.stop();
  return {};
}

/** One view of a tab after the other: each begins where the last has ended. */
const showing = new Map();
function inTurn(tab, work) {
  const next = (showing.get(tab) ?? Promise.resolve()).then(work, work);
  showing.set(tab, next.catch(() => {}));
  return next;
}

const show = ({ tab, view }) => inTurn(tab, () => showNow({ tab, view }));

async function showNow({ tab, view }) {
  const { origin, isPrivate } = await reached(tab);
  if (view === "original") {
    const isShown = (await viewIn(tab)) !== view;
    const answer = await ask(tab, "show", { view });
    if (!answer.ok) throw new Told("cannotShow", answer.why);
    if (isShown) await undress(tab);
    await badge(tab, view);
    return { view };
  }
  const from = performance.now();
  const chosen = await settings();
  const screen = await snapshot(tab);
  if (new URL(screen.url).origin !== origin) throw new Told("cannotShow", t("pageChanged"));
  const judged =
    chosen.decide === "links"
      ? await byVotes(origin, isPrivate, screen, chosen)
      : await byLearning(origin, isPrivate, screen, { withReasons: view === "tint" });
  const { labels, numbers, share, confidence, flags } = judged;
  const label = performance.now() - from;
  const isFirst = (await viewIn(tab)) === "original";
  if (isFirst) await dress(tab);
  const answer = await ask(tab, "show", { id: screen.id, view, labels }).catch((error) => ({ ok: false, why: error.message }));
  if (!answer.ok) {
    if (isFirst) await undress(tab);
    throw new Told("cannotShow", answer.why);
  }
  await badge(tab, view);
  return { view, shown: { ...numbers, share, confidence, flags, label, ms: performance.now() - from } };
}

/** The same shortcut again leads back. */
async function toggle(tab, view) {
  await inTurn(tab, async () => {
    const now = await viewIn(tab);
    await showNow({ tab, view: now === view ? "original" : view });
  });
  tellPanels({ event: "changed", tab });
}

async function badge(tab, view) {
  const text = view === "original" ? "" : t(`badge_${view}`);
  await api.action.setBadgeText({ tabId: tab, text });
}

async function takeAlong({ tab, what }) {
  const page = await reached(tab);
  const { origin, isPrivate } = page;
  switch (what) {
    case "template":
      return take.template(origin, await foundFor(page));
    case "rules":
      return take.rules(origin, isPrivate);
    case "state":
      return take.state(origin, isPrivate);
    default:
      return take.contentIn(tab, withoutFragment(page.url), page, await settings(), what);
  }
}

async function keepFor({ tab, learn, view }) {
  const { origin, isPrivate } = await reached(tab);
  if (isPrivate) throw new Told("privateNotKept");
  if ((learn || view) && !(await isHostAllowed(origin))) throw new Told("hostNotAllowed", new URL(origin).host);
  return { site: await want(origin, { learn, view }) };
}

async function sites() {
  const asked = await allWanted();
  const all = (await list()).map((site) => ({ learn: false, view: null, ...site, ...asked.get(site.origin) }));
  const listed = new Set(all.map((site) => site.origin));
  for (const [origin, its] of asked) {
    if (!listed.has(origin)) all.push({ origin, pages: 0, bytes: 0, kept: 0, keptBytes: 0, updated: null, ...its });
  }
  return { sites: all.sort((a, b) => (a.origin < b.origin ? -1 : 1)) };
}

const answers = {
  status,
  find,
  cancel,
  view: show,
  take: takeAlong,
  keep: keepFor,
  sites,
  settings: async () => ({ settings: await settings() }),
  set: async ({ settings }) => {
    const changed = await change(settings);
    await reopen();
    return { settings: changed };
  },
  forget: async ({ origin, private: isPrivate = false }) => {
    await forgetFound((search) => search.origin === origin);
    await forget(origin, isPrivate);
    if (!isPrivate) await unwant(origin);
    return {};
  },
  "forget-all": async () => {
    await forgetFound(() => true);
    await forgetAll();
    for (const origin of (await allWanted()).keys()) await unwant(origin);
    return {};
  },
};

async function forgetFound(isIt) {
  for (const [tab, search] of searches) {
    if (!isIt(search)) continue;
    search.stop();
    searches.delete(tab);
  }
  const all = await api.storage.session.get(null);
  const old = Object.entries(all).filter(([key, search]) => key.startsWith("found:") && isIt(search));
  await api.storage.session.remove(old.map(([key]) => key));
}

async function answer(message) {
  try {
    const work = answers[message.do];
    if (!work) throw new Error(`no such request: ${message.do}`);
    return { ok: true, ...(await work(message)) };
  } catch (error) {
    if (!(error instanceof Told)) console.error(error);
    return { ok: false, error: error instanceof Told ? error.message : t("wentWrong", error.message ?? error) };
  }
}

// Only our own pages may ask: what runs beside a web page is not trusted with other sites.
const isOurs = (sender) => sender.id === api.runtime.id && sender.url?.startsWith(api.runtime.getURL(""));

api.runtime.onMessage.addListener((message, sender, respond) => {
  if (!message?.do || message.to || !isOurs(sender)) return false;
  answer(message).then(respond);
  return true;
});

api.runtime.onConnect.addListener((port) => {
  if (!isOurs(port.sender)) return port.disconnect();
  panels.add(port);
  port.onDisconnect.addListener(() => panels.delete(port));
});

// The toolbar button and the shortcuts. Each of them also lets us into the tab.

api.action.onClicked.addListener((tab) => {
  // At once: a browser opens the panel only in answer to the user.
  if (api.sidePanel) api.sidePanel.open({ windowId: tab.windowId });
  else api.sidebarAction.open();
  tellPanels({ event: "changed", tab: tab.id });
});

api.commands.onCommand.addListener(async (view, tab) => {
  const id = tab?.id ?? (await api.tabs.query({ active: true, lastFocusedWindow: true }))[0]?.id;
  try {
    await toggle(id, view);
  } catch (error) {
    tellPanels({ event: "error", tab: id, error: error.message });
  }
});

// Browsing: sites that the user has asked for are learned page by page, and shown as they were.

api.tabs.onUpdated.addListener(async (tab, changes, { url, incognito }) => {
  if (changes.status !== "complete" || !/^https?:/.test(url ?? "")) return;
  tellPanels({ event: "changed", tab });
  const { origin } = new URL(url);
  const asked = incognito ? null : await wanted(origin);
  if (!asked || !(await isHostAllowed(origin))) return;
  try {
    const { status, isChosen } = await enter(tab);
    if (asked.learn && status < 400) await learn(tab, origin, withoutFragment(url));
    // Not again in the same document, when only its address has changed.
    if (asked.view && !isChosen) await show({ tab, view: asked.view });
  } catch (error) {
    tellPanels({ event: "error", tab, error: error.message });
  }
  tellPanels({ event: "changed", tab });
});

async function learn(tab, origin, url) {
  const source = await cachedSource(tab, url);
  const learns = (site) => site.learn(source.bytes, source.url, source.charset);
  await withSite(origin, false, learns, { learns: true });
}

api.tabs.onRemoved.addListener(async (tab) => {
  searches.get(tab)?.stop();
  searches.delete(tab);
  showing.delete(tab);
  await api.storage.session.remove(foundKey(tab));
});
