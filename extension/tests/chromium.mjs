// Chromium, through playwright-core.

import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { Browser, called } from "./browser.mjs";
import { LONGEST_WAIT, until } from "./wait.mjs";

const FLAGS = [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-component-update",
  "--disable-background-networking", "--disable-sync", "--enable-unsafe-extension-debugging",
  // Nothing but loopback has a name or an address.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

export class Chromium extends Browser {
  name = "chromium";

  /** `folder`: the extension; `profile`: what the browser remembers. */
  static async start(options) {
    const browser = new Chromium();
    browser.options = options;
    await browser.launch();
    return browser;
  }

  async launch() {
    const { programs, folder, profile } = this.options;
    const { chromium } = createRequire(path.join(programs.tools, "package.json"))("playwright-core");
    fs.mkdirSync(profile, { recursive: true });
    this.context = await chromium.launchPersistentContext(profile, {
      executablePath: programs.chromium,
      // Playwright's own headless mode is that of an older Chromium, without extensions.
      headless: false,
      ignoreDefaultArgs: ["--disable-extensions"],
      args: [...FLAGS, `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
      env: { ...process.env, HOME: profile, http_proxy: "", https_proxy: "" },
      viewport: null,
      timeout: LONGEST_WAIT,
    });
    this.context.setDefaultTimeout(LONGEST_WAIT);
    this.devtools = await this.context.browser().newBrowserCDPSession();
    const its = await until("the extension is loaded", async () => {
      const { extensions } = await this.devtools.send("Extensions.getExtensions");
      return extensions.find((extension) => extension.path === fs.realpathSync(folder));
    });
    this.id = its.id;
    this.own = `chrome-extension://${its.id}/`;
    const [first] = this.context.pages();
    const home = new Page(this, first);
    await home.go(`${this.own}options/options.html`);
    await this.settle(home);
  }

  /** The page in the tab that is made, when it is loaded. */
  async attach(url, make) {
    const [page, tab] = await Promise.all([this.context.waitForEvent("page"), make()]);
    await page.waitForURL(({ href }) => href === url);
    return new Page(this, page, tab);
  }

  /** Presses the button in the toolbar. */
  async press(page) {
    const { targetInfos } = await this.devtools.send("Target.getTargets", { filter: [{ type: "tab" }] });
    const { targetId } = targetInfos.find(({ url }) => url === page.page.url());
    await this.devtools.send("Extensions.triggerAction", { id: this.id, targetId });
  }

  /** Whether the panel is open beside the page. */
  async hasPanel() {
    const { targetInfos } = await this.devtools.send("Target.getTargets");
    return targetInfos.some(({ url }) => url === `${this.own}panel/panel.html`);
  }

  /** Stops the background part, as the browser does when it is idle. The panel may start it anew at once. */
  async stopBackground() {
    const session = await this.context.newCDPSession(this.home.page);
    const states = [];
    session.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
      for (const { scriptURL, runningStatus } of versions) if (scriptURL.startsWith(this.own)) states.push(runningStatus);
    });
    await session.send("ServiceWorker.enable");
    const state = await until("the service worker is known", () => states.at(-1));
    if (state !== "stopped") {
      states.length = 0;
      await session.send("ServiceWorker.stopAllWorkers");
      await until("the service worker is stopped", () => {
        if (states.includes("stopped")) return true;
        throw new Error(states.join(", "));
      });
    }
    await session.detach();
  }

  async restart() {
    await this.context.close();
    await this.launch();
  }

  async stop() {
    await this.context.close();
  }
}

/** A page in a tab. */
class Page {
  constructor(browser, page, tab) {
    Object.assign(this, { browser, page, tab });
  }

  async go(url) {
    await this.page.goto(url);
  }

  /** Runs a function in the page, with arguments that JSON can hold. */
  async run(work, ...args) {
    // Not by Playwright's own means, which use what a hostile page may have changed.
    this.session ??= await this.browser.context.newCDPSession(this.page);
    const { result, exceptionDetails: failed } = await this.session.send("Runtime.evaluate", {
      expression: called(work, args), awaitPromise: true, returnByValue: true,
    });
    if (failed) throw new Error(failed.exception?.description ?? failed.exception?.value ?? failed.text);
    return result.value;
  }

  async click(selector) {
    await this.page.click(selector);
  }

  async type(selector, text) {
    await this.page.fill(selector, text);
    await this.page.press(selector, "Tab");
  }

  async key(key) {
    await this.page.keyboard.press(key);
  }

  async point(x, y) {
    // The pointer comes from elsewhere, as a hand's does.
    await this.page.mouse.move(x + 3, y);
    await this.page.mouse.move(x, y);
  }

  async picture(file) {
    await this.page.screenshot({ path: file });
  }

  async size(width, height) {
    await this.page.setViewportSize({ width, height });
  }

  front() {
    return this.page.bringToFront();
  }

  /** Clicks, and answers with a folder. */
  async choose(selector, folder) {
    const [chooser] = await Promise.all([this.page.waitForEvent("filechooser"), this.page.click(selector)]);
    await chooser.setFiles(folder);
  }

  /** Clicks, and returns the file that is saved. */
  async saved(selector) {
    const [download] = await Promise.all([this.page.waitForEvent("download"), this.page.click(selector)]);
    return { name: download.suggestedFilename(), bytes: fs.readFileSync(await download.path()) };
  }

  async copied(selector) {
    await this.browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await this.page.click(selector);
  }

  async close() {
    await this.page.close();
  }
}
