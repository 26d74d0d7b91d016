// Finds the template of a page: loads a few other pages of its site, politely, and compares them with it.

import { api, t, Told } from "./api.js";
import { using } from "./engine.js";
import { ask, enter, load, onScreen, ownSource } from "./page.js";
import { keepSource, keptSource, withSite } from "./sites.js";

/** The longest pause between two requests that a site can ask for, in seconds. */
const LONGEST_DELAY = 30;
/** After this many failures in a row, the site is left alone. */
const MOST_FAILURES = 3;
/** A service worker that is idle for half a minute is stopped; a call of the browser tells that it is not. */
const SIGN_OF_LIFE = 20_000;
/** Links that may do something, if they are followed with the user's cookies. */
const MAY_ACT = new RegExp(
  "[?&](action|do|cmd)=|(?<![a-z])(log[-_]?(in|out|off)|sign[-_]?(in|out|off|up)|(un)?subscribe|delete|remove|add|buy|order|cart|" +
  "basket|checkout|pay|vote|like|confirm|accept|cancel|reset|edit|submit)(?![a-z])", "i");

/** When each site was or will be asked last, so that searches in several tabs are no faster than one. */
const lastRequests = new Map();

/** One search: what the panel shows of it, and how it is stopped. */
export class Search {
  constructor(tab, url, isPrivate, settings, tell) {
    this.tab = tab;
    this.url = url;
    this.origin = new URL(url).origin;
    this.isPrivate = isPrivate;
    this.settings = settings;
    this.tell = tell;
    this.stopped = new AbortController();
    this.failures = 0;
    this.job = { state: "running", loads: [], times: { load: 0, compare: 0, learn: 0 }, pagesLoaded: 0, nodes: 0 };
  }

  stop() {
    this.stopped.abort();
    ask(this.tab, "stop", { id: "search" }).catch(() => {});
  }

  /** Returns what was found; nothing if it was stopped or has failed, which the job says. */
  async run() {
    const alive = setInterval(() => api.runtime.getPlatformInfo(), SIGN_OF_LIFE);
    try {
      const found = await this.search();
      this.job.state = "done";
      return found;
    } catch (error) {
      if (this.stopped.signal.aborted) {
        this.job.state = "cancelled";
      } else {
        this.job.state = "failed";
        this.job.error = error instanceof Told ? error.message : t("wentWrong", error?.message ?? error);
      }
      for (const load of this.job.loads) {
        if (load.state === "loading" || load.state === "waiting") load.state = "skipped";
      }
      return null;
    } finally {
      clearInterval(alive);
      this.tell();
    }
  }

  async search() {
    const { url, settings } = this;
    this.document = (await enter(this.tab)).document;
    const own = (await ownSource(this.tab, url)) ?? (await onScreen(this.tab, url));
    return using(async (engine, keep) => {
      this.robots = await this.rules(engine, keep);
      const { n, t: votes, maxLoads } = settings;
      const options = { n, t: votes, maxLoads };
      const finder = keep(new engine.TemplateFinder(own.bytes, url, options, own.charset));
      await this.learn(own);
      for (;;) {
        this.stopped.signal.throwIfAborted();
        const wanted = this.timed("compare", () => this.next(finder));
        if (!wanted) break;
        await this.answer(finder, wanted);
        this.tell();
      }
      const summary = finder.summary();
      this.job.summary = summary;
      this.job.nodes = summary.nodes;
      return { url, summary, template: finder.template({ absoluteLinks: true }) };
    });
  }

  next(finder) {
    try {
      return finder.next();
    } catch (error) {
      // What it says first is that there is none.
      throw error instanceof WebAssembly.RuntimeError ? error : new Told("noPages", error.message.replace(/^.*? to compare( it)? with: /, ""));
    }
  }

  timed(step, work) {
    const from = performance.now();
    const answer = work();
    this.job.times[step] += performance.now() - from;
    return answer;
  }

  async learn(page) {
    const from = performance.now();
    this.stopped.signal.throwIfAborted();
    const learns = (site) => site.learn(page.bytes, page.url, page.charset);
    await withSite(this.origin, this.isPrivate, learns, { learns: true });
    this.job.times.learn += performance.now() - from;
  }

  /** What `robots.txt` allows. If there is none, everything; if it cannot be read, nothing (RFC 9309). */
  async rules(engine, keep) {
    const file = new URL("/robots.txt", this.url).href;
    const answer = await this.request({ url: file, state: "loading" }, { credentials: "omit" });
    if (answer.ok && answer.status < 300) return keep(new engine.Robots(answer.bytes));
    if (answer.kind === "left") throw new Told("pageLeft");
    if (answer.kind === "forbidden") throw new Told("policyForbids");
    const missing = answer.ok ? answer.status < 500 && answer.status !== 429 : answer.kind === "elsewhere";
    if (missing) return { allows: () => true, delay: undefined };
    throw new Told("robotsUnreadable", answer.ok ? answer.status : answer.why);
  }

  /** Hands the finder the page that it wants, or says why there is none. */
  async answer(finder, wanted) {
    const shown = { url: wanted, state: "waiting" };
    this.job.loads.push(shown);
    const skip = (key) => {
      shown.state = "skipped";
      shown.why = t(key);
      finder.fail("skipped", shown.why);
    };
    if (new URL(wanted).origin !== this.origin) return skip("otherOrigin");
    if (!this.robots.allows(wanted)) return skip("robotsForbid");
    if (this.settings.credentials === "include" && MAY_ACT.test(wanted)) return skip("mayAct");

    const kept = await keptSource(this.origin, this.isPrivate, wanted);
    if (kept) {
      Object.assign(shown, { state: "kept", bytes: kept.bytes.length });
      return this.give(finder, kept);
    }
    this.tell();
    const loaded = await this.request(shown, { credentials: this.settings.credentials, accept: "html" });
    if (loaded.kind === "left") throw new Told("pageLeft");
    if (!loaded.ok || loaded.status >= 400) return this.failed(finder, shown, loaded);
    // The browser has followed redirects by itself. What they lead to is not used if it should not have been asked for.
    if (!this.robots.allows(loaded.url)) return skip("robotsForbid");
    this.failures = 0;
    this.job.pagesLoaded++;
    Object.assign(shown, { state: "loaded", bytes: loaded.bytes.length, ms: Math.round(loaded.ms) });
    await this.give(finder, loaded);
    // The page in the tab is not kept: it was asked for with cookies, and may hold what only its user sees.
    await keepSource(this.origin, this.isPrivate, wanted, loaded);
  }

  async give(finder, page) {
    this.timed("compare", () => finder.give(page.bytes, page.url, page.charset));
    await this.learn(page);
  }

  failed(finder, shown, answer) {
    shown.state = "failed";
    if (!answer.ok) {
      shown.why = answer.kind === "elsewhere" ? t("redirectsElsewhere") : answer.why;
      finder.fail(answer.kind === "not-html" ? "not-html" : "failed", shown.why);
      this.failures += answer.kind === "failed";
    } else {
      const isMissing = answer.status === 404 || answer.status === 410;
      shown.why = t("answeredWith", answer.status);
      finder.fail(isMissing ? "missing" : "failed", shown.why);
      if (answer.status === 429 || answer.status === 503) throw new Told("tooManyRequests", answer.status);
      this.failures += answer.status >= 500;
    }
    if (this.failures >= MOST_FAILURES) throw new Told("tooManyFailures", this.failures);
  }

  /** One request, not before the pause is over. */
  async request(shown, how) {
    const asked = Math.min(this.robots?.delay ?? 0, LONGEST_DELAY);
    const pause = 1000 * Math.max(this.settings.delay, asked);
    const turn = Math.max(Date.now(), (lastRequests.get(this.origin) ?? 0) + pause);
    lastRequests.set(this.origin, turn);
    await this.wait(turn - Date.now());
    shown.state = "loading";
    this.tell();
    let answer;
    try {
      answer = await load(this.tab, "search", shown.url, { ...how, cache: "default", document: this.document, pause });
    } catch (error) {
      const isThere = await ask(this.tab, "hello").catch(() => null);
      throw isThere?.document === this.document ? error : new Told("pageLeft");
    }
    lastRequests.set(this.origin, Math.max(Date.now(), lastRequests.get(this.origin)));
    this.job.times.load += answer.ms ?? 0;
    this.stopped.signal.throwIfAborted();
    return answer;
  }

  wait(milliseconds) {
    const { signal } = this.stopped;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", stop);
        resolve();
      }, milliseconds);
      signal.addEventListener("abort", stop, { once: true });
    });
  }
}
