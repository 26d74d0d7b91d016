// The page in a tab, through the scripts that run beside it. All pages of a site are loaded from there, so that the
// browser itself forbids every other origin.

import { api, t, Told } from "./api.js";

/** In the order in which they need each other. */
const SCRIPTS = ["page/api.js", "page/dom.js", "page/snapshot.js", "page/load.js", "page/plan.js", "page/tint.js", "page/views.js", "page/main.js"];

/** The largest page that is loaded. */
const LARGEST = 16 << 20;

/** Chromium lets scripts wait for ever, if the user has taken back what was allowed. In milliseconds. */
const PATIENCE = 3000;

/** Puts the scripts into the page if they are not there. Fails if the browser does not allow it. */
export async function enter(tab) {
  try {
    return await ask(tab, "hello");
  } catch {
    // Not there yet.
  }
  try {
    await inject(tab, { files: SCRIPTS });
  } catch (error) {
    throw new Told("notAllowedHere", error.message);
  }
  return ask(tab, "hello");
}

/**
 * How views look; only while there is one, because an element of the page can have our names. What users want counts more
 * than what pages want, but Chromium takes no colours of highlights from users.
 */
const STYLES = [{ files: ["page/views.css"], origin: "USER" }, { files: ["page/tint.css"], origin: "AUTHOR" }];
const styled = (tab, work) => Promise.all(STYLES.map((style) => work({ target: { tabId: tab }, ...style })));
export const dress = (tab) => styled(tab, api.scripting.insertCSS);
export const undress = (tab) => styled(tab, api.scripting.removeCSS);

function inject(tab, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(t("noAnswer"))), PATIENCE);
  });
  const injected = api.scripting.executeScript({ target: { tabId: tab }, injectImmediately: true, ...what });
  return Promise.race([injected, late]).finally(() => clearTimeout(timer));
}

/** Whether scripts can run in the tab. */
export async function isAllowed(tab) {
  try {
    await inject(tab, { func: () => true });
    return true;
  } catch {
    return false;
  }
}

/** Asks the scripts in the page. */
export function ask(tab, what, rest = {}) {
  return api.tabs.sendMessage(tab, { to: "unframe-page", do: what, ...rest }, { frameId: 0 });
}

/** Loads a page of the tab's own origin: `how` is as for `fetch`, and `document` and `pause` are the page's concern. */
export async function load(tab, id, url, how) {
  const answer = await ask(tab, "load", { id, url, ...how, most: LARGEST });
  return answer.ok ? { ...answer, bytes: decoded(answer.base64), charset: charset(answer.type) } : answer;
}

/**
 * The page itself as its server sends it, to the user's own browser: with cookies, and mostly from the cache. Where that is
 * forbidden, as it is on the screen; nothing if the server has another page there now, or none.
 */
export async function ownSource(tab, url) {
  const loaded = await load(tab, "own", url, { credentials: "same-origin", cache: "force-cache", accept: "html" });
  if (loaded.kind === "forbidden") return onScreen(tab, url);
  return isPage(loaded, url) ? { url, bytes: loaded.bytes, charset: loaded.charset } : null;
}

/** The same without a request: if it is not in the cache, as it is on the screen. */
export async function cachedSource(tab, url) {
  const loaded = await load(tab, "own", url, { credentials: "same-origin", cache: "only-if-cached", accept: "html" });
  return isPage(loaded, url) ? { url, bytes: loaded.bytes, charset: loaded.charset } : onScreen(tab, url);
}

const isPage = ({ ok, status, bytes, url: found }, url) =>
  ok && status < 400 && bytes.length > 0 && withoutFragment(found) === withoutFragment(url);

/** The page as it is on the screen, with its source as text. */
export async function onScreen(tab, url) {
  const { html, url: its } = await snapshot(tab);
  if (withoutFragment(its) !== withoutFragment(url)) throw new Told("pageLeft");
  return { url, bytes: html };
}

export const withoutFragment = (url) => url.replace(/#.*/s, "");

/** The page as it is on the screen. */
export async function snapshot(tab) {
  const answer = await ask(tab, "snapshot");
  if (!answer.ok) throw new Told("noSnapshot", answer.why);
  return answer;
}

export function decoded(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

export function encoded(bytes) {
  if (bytes.toBase64) return bytes.toBase64();
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}

/** The charset that a content type states. */
export const charset = (type) => /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type ?? "")?.[1];
