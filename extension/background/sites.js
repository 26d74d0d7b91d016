// The sites that are known: what the engine has learned of each, in memory and on disk. A site is an origin.
// Sites of private windows are only in memory.

import { api, t } from "./api.js";
import { abouts, transact, unzip, zip } from "./database.js";
import { onBroken, using } from "./engine.js";
import { settings, siteOptions } from "./settings.js";

/** How many sites are held in memory. */
const HELD = 4;
/** How many sources of a site are kept, the newest, and how large each may be. */
const SOURCES = 40;
const LARGEST_SOURCE = 4 << 20;
/** For how long a source is as good as the page, in milliseconds. */
const FRESH = 60 * 60 * 1000;

const disk = { name: "disk", held: new Map() };
const memory = { name: "memory", held: new Map(), sources: new Map() };
const place = (isPrivate) => (isPrivate ? memory : disk);

onBroken(() => {
  disk.held.clear();
  memory.held.clear();
});

/** A disk that is full, or a database that is switched off, must not keep anybody from looking at a page. */
async function attempt(mode, work) {
  try {
    return await transact(mode, work);
  } catch (error) {
    console.warn(error);
    return undefined;
  }
}

/** One at a time: two pages of a site that arrive together must both be learned. */
let last = Promise.resolve();
function inTurn(work) {
  const next = last.then(work, work);
  last = next.catch(() => {});
  return next;
}

async function held(origin, isPrivate) {
  const { held } = place(isPrivate);
  let site = held.get(origin);
  if (!site) {
    const record = isPrivate ? null : await attempt("readonly", (sites) => sites.get(origin));
    const options = siteOptions(await settings());
    site = await using((engine) => (record ? revived(engine, record, options) : new engine.Site(options)));
  }
  held.delete(origin);
  held.set(origin, site);
  if (held.size > HELD) {
    const [oldest, its] = held.entries().next().value;
    held.delete(oldest);
    its.free();
  }
  return site;
}

// A state of another version of the method cannot be read; the site is learned anew.
function revived(engine, record, options) {
  try {
    return engine.Site.fromBytes(record.bytes, options);
  } catch (error) {
    console.warn(t("stateUnreadable", record.origin), error);
    return new engine.Site(options);
  }
}

/** Runs something with the site; with `learns`, what it has learned is then saved. */
export function withSite(origin, isPrivate, work, { learns = false } = {}) {
  return inTurn(async () => {
    const site = await held(origin, isPrivate);
    const [answer, bytes] = await using(async (engine, keep) => {
      const done = await work(site, engine, keep);
      return [done, learns && !isPrivate ? site.toBytes() : null];
    });
    if (bytes) {
      const record = { origin, bytes, size: bytes.length, pages: site.pages, updated: Date.now() };
      await attempt("readwrite", (sites) => sites.put(record));
    }
    return answer;
  });
}

/** After settings have changed: sites are opened anew. */
export function reopen() {
  return inTurn(async () => {
    for (const [, site] of disk.held) site.free();
    disk.held.clear();
    const options = siteOptions(await settings());
    for (const [origin, site] of memory.held) {
      const again = await using((engine) => engine.Site.fromBytes(site.toBytes(), options));
      site.free();
      memory.held.set(origin, again);
    }
  });
}

/**
 * Keeps the source of a page, to find rules with it and not to load it again. `url` is what it was asked for by; its
 * own is where that has led.
 */
export async function keepSource(origin, isPrivate, url, { url: found, bytes, charset }) {
  if (bytes.length > LARGEST_SOURCE) return;
  const record = { origin, url, found, charset, zipped: await zip(bytes), loaded: Date.now() };
  record.size = record.zipped.length;
  if (isPrivate) {
    const sources = memory.sources.get(origin) ?? new Map();
    memory.sources.set(origin, sources.set(url, record));
    if (sources.size > SOURCES) sources.delete(sources.keys().next().value);
    return;
  }
  const all = await abouts("sources").catch(() => []);
  const others = all.filter(([its, other]) => its === origin && other !== url);
  others.sort((a, b) => b[3] - a[3]);
  await attempt("readwrite", (_, sources) => {
    for (const [, old] of others.slice(SOURCES - 1)) sources.delete([origin, old]);
    return sources.put(record);
  });
}

/** The sources of a site. */
export async function sources(origin, isPrivate) {
  const records = isPrivate
    ? [...(memory.sources.get(origin)?.values() ?? [])]
    : await attempt("readonly", (_, sources) => sources.index("origin").getAll(origin));
  return Promise.all((records ?? []).map(opened));
}

/** The source of the page that a URL leads to, if it is kept; by default only if it was loaded not long ago. */
export async function keptSource(origin, isPrivate, url, { oldest = FRESH } = {}) {
  const record = isPrivate
    ? memory.sources.get(origin)?.get(url)
    : await attempt("readonly", (_, sources) => sources.get([origin, url]));
  return record && Date.now() - record.loaded < oldest ? opened(record) : null;
}

const opened = async ({ found, charset, zipped }) => ({ url: found, charset, bytes: await unzip(zipped) });

/** How much is known of a site; nothing if it is unknown. */
export async function known(origin, isPrivate) {
  if (isPrivate) {
    const site = memory.held.get(origin);
    return site ? { pages: site.pages, bytes: 0 } : null;
  }
  const record = await attempt("readonly", (sites) => sites.get(origin));
  return record ? { pages: record.pages, bytes: record.size } : null;
}

/** All sites on disk, by name. */
export async function list() {
  const sources = await abouts("sources");
  return (await abouts("sites")).map(([origin, pages, bytes, updated]) => {
    const its = sources.filter(([of]) => of === origin);
    const keptBytes = its.reduce((sum, [, , size]) => sum + size, 0);
    return { origin, pages, bytes, updated, kept: its.length, keptBytes };
  });
}

export function forget(origin, isPrivate) {
  return inTurn(async () => {
    drop(memory.held, origin);
    memory.sources.delete(origin);
    if (isPrivate) return;
    drop(disk.held, origin);
    const known = await transact("readonly", (_, sources) => sources.index("origin").getAllKeys(origin));
    await transact("readwrite", (sites, sources) => {
      for (const key of known) sources.delete(key);
      return sites.delete(origin);
    });
  });
}

export function forgetAll() {
  return inTurn(async () => {
    for (const origin of [...disk.held.keys()]) drop(disk.held, origin);
    dropPrivate();
    await transact("readwrite", (sites, sources) => {
      sources.clear();
      return sites.clear();
    });
  });
}

function dropPrivate() {
  for (const origin of [...memory.held.keys()]) drop(memory.held, origin);
  memory.sources.clear();
}

function drop(held, origin) {
  held.get(origin)?.free();
  held.delete(origin);
}

/** The name of a site as the command line has it: its host, with the port if it is not the usual one. */
export const nameOf = (origin) => new URL(origin).host;

api.windows?.onRemoved.addListener(async () => {
  const windows = await api.windows.getAll();
  if (!windows.some((window) => window.incognito)) await inTurn(dropPrivate);
});
