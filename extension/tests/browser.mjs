// What the drivers of both browsers share.

import fs from "node:fs";
import path from "node:path";
import { until } from "./wait.mjs";

/** A function as a piece of code that calls it. What it uses must come with its arguments. */
export const called = (work, args) => `(${work})(...${JSON.stringify(args)})`;

/** A browser with the extension. The drivers add `attach`, `start`, `press`, `stopBackground`, `restart` and `stop`. */
export class Browser {
  /** Opens the page of the extension through which tabs are made. */
  async settle(home) {
    this.home = home;
    await until("the extension answers", () => this.ask("settings"));
  }

  /** Asks the extension, as its panel does. */
  async ask(what, rest = {}) {
    const answer = await this.home.run((message) => (globalThis.browser ?? globalThis.chrome).runtime.sendMessage(message), { do: what, ...rest });
    if (!answer?.ok) throw new Error(answer?.error ?? `no answer to ${what}`);
    return answer;
  }

  /** Takes less time between two requests than a user may choose. */
  hurry() {
    return this.home.run(async () => {
      const { local } = (globalThis.browser ?? globalThis.chrome).storage;
      const { settings } = await local.get("settings");
      await local.set({ settings: { ...settings, delay: 0.01 } });
    });
  }

  /** Opens a page in a tab. */
  open(url) {
    return this.attach(url, () => this.home.run(async (url) => (await (globalThis.browser ?? globalThis.chrome).tabs.create({ url })).id, url));
  }

  /** Opens a page of the extension in a window of its own, so that it does not hide a page. */
  openOwn(file, { width = 380, height = 900 } = {}) {
    const how = { url: this.own + file, type: "popup", width, height };
    return this.attach(how.url, () => this.home.run(async (how) => {
      const { tabs } = await (globalThis.browser ?? globalThis.chrome).windows.create(how);
      return tabs[0].id;
    }, how));
  }
}

/** A copy of an extension that may look into all sites on loopback: no script can press the button of a browser. */
export function withHosts(folder, copy) {
  fs.rmSync(copy, { recursive: true, force: true });
  fs.cpSync(folder, copy, { recursive: true });
  const file = path.join(copy, "manifest.json");
  const manifest = JSON.parse(fs.readFileSync(file, "utf8"));
  manifest.host_permissions = ["http://127.0.0.1/*", "http://localhost/*"];
  fs.writeFileSync(file, JSON.stringify(manifest, null, 2));
  return copy;
}
