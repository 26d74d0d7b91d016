// The panel, as its user has it.

import { until } from "./wait.mjs";

/** How the line on a search begins when it has ended. */
const LINES = { done: /^(Found|The frame was found)/, failed: /^Not found/, cancelled: /^Cancelled/ };

export class Panel {
  /** `isClosed`: the page is not open to the extension. */
  static async open(browser, tab, { isClosed = false } = {}) {
    const panel = new Panel();
    panel.tab = tab;
    panel.browser = browser;
    const file = `panel/panel.html?tab=${tab}`;
    panel.page = await browser.openOwn(file);
    const shown = () => until("the panel has something to say", () => panel.page.run(() => {
      const get = (id) => document.getElementById(id);
      return get("work").hidden ? !get("empty-text").innerText.endsWith("…") && get("empty-text").innerText : "all";
    }));
    await until(`the panel is ${isClosed ? "closed" : "open"}`, async () => {
      const text = await shown();
      if ((text === "all") === !isClosed) return true;
      // A page that is busy for some seconds, because it is large or the machine is slow, is taken for one that is closed.
      await panel.page.go(browser.own + file);
      throw new Error(text);
    });
    return panel;
  }

  text(id) {
    return this.page.run((id) => document.getElementById(id).innerText, id);
  }

  press(id) {
    return this.page.run((id) => document.getElementById(id).click(), id);
  }

  ask(what, rest = {}) {
    return this.browser.ask(what, { tab: this.tab, ...rest });
  }

  status() {
    return this.ask("status");
  }

  /** Presses the button, and waits until the search has ended. Returns how. */
  async find() {
    const before = JSON.stringify((await this.status()).job);
    await this.press("find");
    const job = await this.ended(before);
    const states = job.loads.map(({ state }) => state).join();
    await until(`the panel says how it went: ${job.state}, ${states}`, async () => {
      const line = await this.text("job-line");
      const shown = (await this.loads()).map(({ state }) => state).join();
      const isOver = await this.page.run(() => !document.getElementById("find").hidden);
      if (isOver && LINES[job.state].test(line) && shown === states) return true;
      throw new Error(`${line} ${shown}`);
    });
    return job;
  }

  /** `before`: what is known of an earlier search. */
  ended(before = null) {
    return until("the search ends", async () => {
      const { job } = await this.status();
      if (job && job.state !== "running" && JSON.stringify(job) !== before) return job;
      throw new Error(`${JSON.stringify(job)}; the panel says: ${await this.text("main")}`);
    });
  }

  /** The loads as the panel shows them: `{path, state, why}`. */
  loads() {
    return this.page.run(() => [...document.querySelectorAll("#loads > li")].map((item) => {
      const text = (name) => item.querySelector(`.${name}`)?.textContent ?? "";
      return { path: text("path"), state: item.className, why: text("why") };
    }));
  }

  /** Chooses a view, and waits until it is on. Returns what the panel says of it. */
  async view(name) {
    await this.press(`view-${name}`);
    return until(`the view ${name}`, async () => {
      const { line, isBad } = await this.page.run(() => {
        const { innerText, classList } = document.getElementById("view-line");
        return { line: innerText, isBad: classList.contains("bad") };
      });
      if (isBad) return { refused: line };
      const { view } = await this.status();
      return view === name && !line.endsWith("…") && { line };
    }).then(({ line, refused }) => {
      if (refused) throw new Error(`the view ${name} is refused: ${refused}`);
      return line;
    });
  }
}
