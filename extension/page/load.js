// Loads pages of the page's own origin. Requests that would leave it are failed by the browser before they are sent.

globalThis.unframePage.load ??= (() => {
  const { dom: { listen, unlisten }, t } = globalThis.unframePage;

  /** After this time without an answer, a page is given up. In milliseconds. */
  const PATIENCE = 30_000;
  const HTML = /^(text\/html|application\/xhtml\+xml)\b/i;

  const running = new Map();

  /** How long the browser may take to tell that a policy has forbidden a request, in milliseconds. */
  const TELLING = 100;

  const wait = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

  /** Firefox holds us to the policy of the page. Returns a function that tells whether that has forbidden the request. */
  function watchPolicy(url) {
    let isForbidden = false;
    const note = ({ disposition, blockedURI }) => {
      isForbidden ||= disposition === "enforce" && blockedURI === url;
    };
    listen(document, "securitypolicyviolation", note, true);
    return async (isAsked) => {
      if (isAsked) await wait(TELLING);
      unlisten(document, "securitypolicyviolation", note, true);
      return isForbidden;
    };
  }

  class Refused extends Error {
    constructor(kind, why) {
      super(why);
      this.kind = kind;
    }
  }

  function base64(chunks) {
    let text = "";
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += 32768) text += String.fromCharCode(...chunk.subarray(at, at + 32768));
    }
    return btoa(text);
  }

  async function bodyOf(response, most) {
    const chunks = [];
    let length = 0;
    const reader = response.body?.getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return base64(chunks);
      length += value.length;
      if (length > most) throw new Refused("failed", t("largerThan", most >> 20));
      chunks.push(value);
    }
  }

  async function request(url, { credentials, cache, accept, most, pause, signal, isForbidden }) {
    const how = { mode: "same-origin", credentials, cache, signal };
    if (accept === "html") how.headers = { Accept: "text/html,application/xhtml+xml" };
    let response;
    try {
      response = await fetch(url, how);
    } catch (error) {
      if (signal.aborted || cache === "only-if-cached" || (await isForbidden(true))) throw error;
      // The browser does not tell a redirect that leads elsewhere from a failure. Asked again, it does.
      await wait(pause ?? 0);
      response = await fetch(url, { ...how, redirect: "manual" });
      if (response.type === "opaqueredirect") throw new Refused("elsewhere", t("redirectsElsewhere"));
    }
    const type = response.headers.get("content-type") ?? "";
    const answer = { ok: true, status: response.status, url: response.url, type };
    if (response.status >= 400) return { ...answer, base64: "" };
    if (accept === "html" && type !== "" && !HTML.test(type)) throw new Refused("not-html", t("notHtml", type));
    return { ...answer, base64: await bodyOf(response, most) };
  }

  async function load({ id, url, ...how }) {
    const from = performance.now();
    if (new URL(url).origin !== location.origin) return { ok: false, kind: "elsewhere", why: t("otherOrigin") };
    const stop = new AbortController();
    const all = running.get(id) ?? new Set();
    running.set(id, all.add(stop));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      stop.abort();
    }, PATIENCE + (how.pause ?? 0));
    const isForbidden = watchPolicy(url);
    try {
      return { ...(await request(url, { ...how, signal: stop.signal, isForbidden })), ms: performance.now() - from };
    } catch (error) {
      const ms = performance.now() - from;
      const kind = error.kind ?? ((await isForbidden(false)) ? "forbidden" : "failed");
      const why = isLate ? t("tooSlow", PATIENCE / 1000) : error.message;
      return { ok: false, kind, why, ms };
    } finally {
      await isForbidden(false);
      clearTimeout(timer);
      // What is left of an answer that nobody reads is not sent for.
      stop.abort();
      all.delete(stop);
    }
  }

  function stop(id) {
    for (const one of running.get(id) ?? []) one.abort();
  }

  return { load, stop };
})();
