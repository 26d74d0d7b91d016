// What a test has: a browser, sites, pages, the command line, and a place for files. All of it is tidied up after it.

import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { Panel } from "./panel.mjs";
import { folder, Site } from "./site.mjs";

const run = promisify(execFile);
const DEMO = path.resolve(import.meta.dirname, "../../demo");

const SETTINGS = { n: 3, t: 2, maxLoads: 20, credentials: "omit", decide: "auto", remove: "boilerplate",
  favor: "balance", comments: "drop", read: "source" };

export class Scene {
  constructor(browser, { programs, work, name, another }) {
    Object.assign(this, { browser, programs, another });
    this.folder = path.join(work, name.replace(/\W+/g, "-").slice(0, 60));
    this.sites = [];
    this.pages = [];
    this.others = [];
  }

  async begin() {
    fs.rmSync(this.folder, { recursive: true, force: true });
    fs.mkdirSync(this.folder, { recursive: true });
    await this.browser.ask("set", { settings: SETTINGS });
    await this.browser.hurry();
  }

  async end() {
    for (const page of this.pages) await page.close().catch(() => {});
    for (const site of this.sites) site.stop();
    for (const browser of this.others) await browser.stop().catch(() => {});
    await this.browser.ask("forget-all");
  }

  async site(answer, options) {
    const site = await Site.start(answer, options);
    this.sites.push(site);
    return site;
  }

  /** One of the demo sites. */
  demo(name, options) {
    return this.site(folder(path.join(DEMO, name, "pages"), options));
  }

  async open(url, browser = this.browser) {
    const page = await browser.open(url);
    this.pages.push(page);
    return page;
  }

  async openOwn(file, browser = this.browser) {
    const page = await browser.openOwn(file);
    this.pages.push(page);
    return page;
  }

  async panel(page, browser = this.browser) {
    const panel = await Panel.open(browser, page.tab);
    this.pages.push(panel.page);
    return panel;
  }

  /** A browser of its own. */
  async start(options) {
    const browser = await this.another(options);
    this.others.push(browser);
    return browser;
  }

  file(name, content) {
    const file = path.join(this.folder, name);
    if (content !== undefined) fs.writeFileSync(file, content);
    return file;
  }

  /** Runs the command line. Returns what it prints. */
  async unframe(...args) {
    const { stdout } = await run(this.programs.unframe, args, { cwd: this.folder, encoding: "buffer", maxBuffer: 1 << 28 });
    return stdout.toString();
  }
}
