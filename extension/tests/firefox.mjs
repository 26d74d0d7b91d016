// Firefox, through Marionette.

import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { Browser, called } from "./browser.mjs";
import { Marionette } from "./marionette.mjs";
import { becomes, LONGEST_WAIT, until, within } from "./wait.mjs";

const ID = "unframe@unframe.example";
/** The extension's host, which Firefox would draw by lot. */
const HOST = "6c1b7f0e-52a1-4b6e-9d0c-0d3b5f1e7a24";

const PREFERENCES = {
  // Firefox takes a port that is free, and writes it down.
  "marionette.port": 0,
  "extensions.webextensions.uuids": JSON.stringify({ [ID]: HOST }),
  // An add-on that is installed for the time being keeps what it has stored, for the next start.
  "extensions.webextensions.keepStorageOnUninstall": true,
  "extensions.webextensions.keepUuidOnUninstall": true,
  // The background part is stopped by the tests alone, and not when it has worked on one page for half a minute.
  "extensions.background.idle.timeout": 3_600_000,
  // Whoever presses a button that asks for a permission, grants it.
  "extensions.webextOptionalPermissionPrompts": false,
  // Nothing but loopback can be reached: for all else there is a proxy that does not answer.
  "network.proxy.type": 1,
  "network.proxy.http": "127.0.0.1",
  "network.proxy.http_port": 9,
  "network.proxy.ssl": "127.0.0.1",
  "network.proxy.ssl_port": 9,
  "network.proxy.allow_hijacking_localhost": false,
  "network.dns.disablePrefetch": true,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "app.normandy.enabled": false,
  "app.update.disabledForTesting": true,
  "services.settings.server": "data:,",
  "toolkit.telemetry.server": "data:,",
  "browser.download.folderList": 2,
  "browser.download.useDownloadDir": true,
  "browser.download.alwaysOpenPanel": false,
  "dom.events.testing.asyncClipboard": true,
  // The buttons of its questions can be pressed at once.
  "security.dialog_enable_delay": 0,
  "browser.startup.page": 0,
  "browser.startup.homepage": "about:blank",
  "browser.shell.checkDefaultBrowser": false,
  "browser.warnOnQuit": false,
  "ui.prefersReducedMotion": 1,
  "startup.homepage_welcome_url": "about:blank",
  // A Firefox that was killed starts as any other.
  "browser.sessionstore.resume_from_crash": false,
  "toolkit.startup.max_resumed_crashes": -1,
  // A window has the focus for its page, whether or not it is in front.
  "focusmanager.testmode": true,
};

const KEYS = { Tab: "\uE004", Enter: "\uE007", Space: " ", ArrowRight: "\uE014", ArrowDown: "\uE015", Alt: "\uE00A", Control: "\uE009", Shift: "\uE008" };
/** The name of an element's reference in WebDriver. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

export class Firefox extends Browser {
  name = "firefox";
  own = `moz-extension://${HOST}/`;

  static async start(options) {
    const browser = new Firefox();
    browser.options = options;
    browser.downloads = path.join(options.profile, "downloads");
    await browser.launch();
    return browser;
  }

  async launch() {
    const { programs, folder, profile } = this.options;
    fs.mkdirSync(this.downloads, { recursive: true });
    this.last = Promise.resolve();
    const preferences = Object.entries({ ...PREFERENCES, "browser.download.dir": this.downloads });
    const lines = preferences.map((pair) => `user_pref(${pair.map((part) => JSON.stringify(part)).join(", ")});\n`);
    fs.writeFileSync(path.join(profile, "user.js"), lines.join(""));
    const portFile = path.join(profile, "MarionetteActivePort");
    fs.rmSync(portFile, { force: true });
    const args = ["-headless", "-no-remote", "-profile", profile, "-marionette", "--remote-allow-system-access"];
    const log = fs.openSync(`${profile}.log`, "a");
    // A group of its own, so that all its processes end together.
    this.process = spawn(programs.firefox, args, { env: { ...process.env, HOME: profile }, stdio: ["ignore", log, log], detached: true });
    fs.closeSync(log);
    const end = () => this.kill();
    process.once("exit", end);
    this.exited = new Promise((resolve) => {
      this.process.once("exit", (code, signal) => {
        process.off("exit", end);
        resolve(`Firefox has ended with ${code ?? signal}; ${profile}.log may say why`);
      });
    });
    const early = this.exited.then((how) => { throw new Error(how); });
    early.catch(() => {});
    const port = await Promise.race([early, until("Firefox listens", () => fs.existsSync(portFile) && Number(fs.readFileSync(portFile, "utf8")))]);
    this.marionette = await Marionette.connect(port);
    await this.command("WebDriver:NewSession", { timeouts: { script: LONGEST_WAIT, pageLoad: LONGEST_WAIT } });
    await this.command("Addon:Install", { path: folder, temporary: true });
    const { value: window } = await this.command("WebDriver:GetWindowHandle");
    const home = new Page(this, window);
    await home.go(`${this.own}options/options.html`);
    await this.settle(home);
  }

  command(name, parameters) {
    return this.marionette.ask(name, parameters);
  }

  /** Does something in a window. There is one at a time, so others wait. */
  in(window, work) {
    const turn = this.last.then(async () => {
      await this.command("WebDriver:SwitchToWindow", { handle: window });
      return work();
    });
    this.last = turn.catch(() => {});
    return turn;
  }

  /** Does something with the browser itself instead of a page. */
  outside(window, work) {
    return this.in(window, async () => {
      await this.command("Marionette:SetContext", { value: "chrome" });
      try {
        return await work();
      } finally {
        await this.command("Marionette:SetContext", { value: "content" });
      }
    });
  }

  async script(code) {
    const script = `const done = arguments[0];
      (async () => ${code})().then((value) => done({ value }), (error) => done({ error: String(error) + "\\n" + (error?.stack ?? "") }));`;
    const { value: { value, error } } = await this.command("WebDriver:ExecuteAsyncScript", { script, args: [] });
    if (error !== undefined) throw new Error(error);
    return value;
  }

  /** The page in the tab that is made, when it is loaded. */
  async attach(url, make) {
    const handles = () => this.command("WebDriver:GetWindowHandles");
    const before = new Set(await handles());
    const tab = await make();
    const window = await until("the tab is there", async () => (await handles()).find((handle) => !before.has(handle)));
    const page = new Page(this, window, tab);
    await becomes("the page is there", async () => (await page.command("WebDriver:GetCurrentURL")).value, url);
    await becomes("the page is loaded", () => this.home.run(async (tab) => (await globalThis.browser.tabs.get(tab)).status, tab), "complete");
    return page;
  }

  /** Presses the button in the toolbar. */
  press(page) {
    return this.outside(page.window, () => this.script(called((id) => {
      /* global gBrowser */
      gBrowser.ownerDocument.getElementById(id).click();
    }, ["unframe_unframe_example-BAP"])));
  }

  /** Whether the panel is open beside the page. */
  hasPanel(page) {
    return this.outside(page.window, () => this.script(called(() => {
      const { isOpen, currentID } = gBrowser.ownerDocument.defaultView.SidebarController;
      return isOpen && currentID === "unframe_unframe_example-sidebar-action";
    }, [])));
  }

  /** Presses a shortcut of the extension. */
  shortcut(page, ...keys) {
    return this.outside(page.window, () => this.keys(keys));
  }

  async keys(keys) {
    const values = keys.map((key) => KEYS[key] ?? key.toLowerCase());
    const down = values.map((value) => ({ type: "keyDown", value }));
    const up = values.toReversed().map((value) => ({ type: "keyUp", value }));
    await this.command("WebDriver:PerformActions", { actions: [{ type: "key", id: "keys", actions: [...down, ...up] }] });
  }

  /** Stops the background part, as the browser does when it is idle. */
  stopBackground() {
    return this.outside(this.home.window, () => this.script(called(async (id) => {
      /* global WebExtensionPolicy */
      await WebExtensionPolicy.getByID(id).extension.terminateBackground();
    }, [ID])));
  }

  async restart() {
    await this.stop();
    await this.launch();
  }

  async stop() {
    try {
      await this.command("Marionette:Quit", { flags: ["eForceQuit"] });
      await within(LONGEST_WAIT, "the end of Firefox", this.exited);
    } finally {
      this.kill();
    }
  }

  kill() {
    try {
      process.kill(-this.process.pid, "SIGKILL");
    } catch {
      // It is gone already.
    }
  }
}

/** A page in a tab. */
class Page {
  constructor(browser, window, tab) {
    Object.assign(this, { browser, window, tab });
  }

  in(work) {
    return this.browser.in(this.window, work);
  }

  command(...how) {
    return this.in(() => this.browser.command(...how));
  }

  async go(url) {
    await this.command("WebDriver:Navigate", { url });
  }

  /** Runs a function in the page, with arguments that JSON can hold. */
  run(work, ...args) {
    return this.in(() => this.browser.script(called(work, args)));
  }

  async find(selector) {
    const { value } = await this.browser.command("WebDriver:FindElement", { using: "css selector", value: selector });
    return { id: value[ELEMENT] };
  }

  click(selector) {
    return this.in(async () => this.browser.command("WebDriver:ElementClick", await this.find(selector)));
  }

  type(selector, text) {
    return this.in(async () => {
      const field = await this.find(selector);
      // As a user does, so that there is one change.
      await this.browser.command("WebDriver:ElementSendKeys", { ...field, text: `${KEYS.Control}a${KEYS.Control}${text}${KEYS.Tab}` });
    });
  }

  key(key) {
    return this.in(() => this.browser.keys([key]));
  }

  async point(x, y) {
    const moves = [[x + 3, y], [x, y]].map(([left, top]) => ({ type: "pointerMove", duration: 0, x: Math.round(left), y: Math.round(top) }));
    await this.command("WebDriver:PerformActions", { actions: [{ type: "pointer", id: "mouse", actions: moves }] });
  }

  async picture(file) {
    fs.writeFileSync(file, Buffer.from((await this.command("WebDriver:TakeScreenshot", { full: false })).value, "base64"));
  }

  async size(width, height) {
    await this.command("WebDriver:SetWindowRect", { width, height });
  }

  front() {
    return this.in(() => {});
  }

  /** Clicks, and answers with a folder. */
  async choose(selector, folder) {
    // WebDriver knows no folders, so a picker that needs no answer takes the place of the browser's.
    await this.browser.outside(this.window, () => this.browser.script(called((path) => {
      /* global ChromeUtils, Ci, Components, Services */
      const { classes: Cc } = Components;
      const picker = {
        QueryInterface: ChromeUtils.generateQI(["nsIFilePicker"]),
        init() {},
        appendFilter() {},
        appendFilters() {},
        appendRawFilter() {},
        open: (callback) => Services.tm.dispatchToMainThread(() => callback.done(Ci.nsIFilePicker.returnOK)),
        get file() {
          const file = Cc["@mozilla.org/file/local;1"].createInstance(Ci.nsIFile);
          file.initWithPath(path);
          return file;
        },
      };
      const factory = { QueryInterface: ChromeUtils.generateQI(["nsIFactory"]), createInstance: (type) => picker.QueryInterface(type) };
      const registrar = Components.manager.QueryInterface(Ci.nsIComponentRegistrar);
      registrar.registerFactory(Services.uuid.generateUUID(), "", "@mozilla.org/filepicker;1", factory);
    }, [folder])));
    await this.click(selector);
    await until("the browser asks whether the folder is meant", () => this.command("WebDriver:AcceptAlert").then(() => true));
  }

  /** Clicks, and returns the file that is saved. */
  async saved(selector) {
    const { downloads } = this.browser;
    fs.rmSync(downloads, { recursive: true, force: true });
    fs.mkdirSync(downloads);
    await this.click(selector);
    const name = await until("a file is saved", () => {
      const names = fs.readdirSync(downloads);
      const [first] = names;
      return names.length === 1 && !first.endsWith(".part") && fs.statSync(path.join(downloads, first)).size > 0 && first;
    });
    return { name, bytes: fs.readFileSync(path.join(downloads, name)) };
  }

  copied(selector) {
    return this.click(selector);
  }

  close() {
    return this.command("WebDriver:CloseWindow");
  }
}
