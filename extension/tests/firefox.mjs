// Firefox, through geckodriver: WebDriver over HTTP.

import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { Browser, called } from "./browser.mjs";
import { pause, until } from "./wait.mjs";

const ID = "unframe@unframe.example";
/** The extension's host, which Firefox would draw by lot. */
const HOST = "6c1b7f0e-52a1-4b6e-9d0c-0d3b5f1e7a24";

const PREFERENCES = {
  "extensions.webextensions.uuids": JSON.stringify({ [ID]: HOST }),
  // An add-on that is installed for the time being keeps what it has stored, for the next start.
  "extensions.webextensions.keepStorageOnUninstall": true,
  "extensions.webextensions.keepUuidOnUninstall": true,
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
  "services.settings.server": "data:,",
  "browser.download.folderList": 2,
  "browser.download.useDownloadDir": true,
  "browser.download.alwaysOpenPanel": false,
  "dom.events.testing.asyncClipboard": true,
  // The buttons of its questions can be pressed at once.
  "security.dialog_enable_delay": 0,
  "browser.startup.page": 0,
  "browser.startup.homepage": "about:blank",
};

const KEYS = { Tab: "\uE004", Enter: "\uE007", Space: " ", ArrowRight: "\uE014", ArrowDown: "\uE015", Alt: "\uE00A", Shift: "\uE008" };
/** The name of an element's reference in WebDriver. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
/** How long a script may run in a page, in milliseconds. */
const LONGEST = 170_000;

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
    const port = await freePort();
    this.base = `http://127.0.0.1:${port}`;
    const args = ["--port", port, "--binary", programs.firefox, "--allow-system-access", "--log", "fatal"];
    const log = fs.openSync(`${profile}.log`, "w");
    // A group of its own, so that Firefox ends with it.
    this.driver = spawn(programs.geckodriver, args, { env: { ...process.env, HOME: profile }, stdio: ["ignore", log, log], detached: true });
    fs.closeSync(log);
    const end = () => this.kill();
    process.once("exit", end);
    this.driver.once("exit", () => process.off("exit", end));
    await until("geckodriver is there", () => this.request("GET", "/status"));
    const prefs = { ...PREFERENCES, "browser.download.dir": this.downloads };
    const firefox = { args: ["-headless", "-profile", profile], prefs };
    const wanted = { alwaysMatch: { "moz:firefoxOptions": firefox, timeouts: { script: LONGEST, pageLoad: 60_000 } } };
    const { sessionId } = await this.request("POST", "/session", { capabilities: wanted });
    this.session = `/session/${sessionId}`;
    await this.command("POST", "/moz/addon/install", { path: folder, temporary: true });
    const home = new Page(this, await this.command("GET", "/window"));
    await home.go(`${this.own}options/options.html`);
    await this.settle(home);
  }

  async request(method, where, body) {
    const answer = await fetch(this.base + where, {
      method, body: body && JSON.stringify(body), headers: { "Content-Type": "application/json" },
    });
    const { value } = await answer.json();
    if (value?.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  }

  command(method, where, body = method === "POST" ? {} : undefined) {
    return this.request(method, this.session + where, body);
  }

  /** Does something in a window. There is one at a time, so others wait. */
  in(window, work) {
    const turn = this.last.then(async () => {
      await this.command("POST", "/window", { handle: window });
      return work();
    });
    this.last = turn.catch(() => {});
    return turn;
  }

  /** Does something with the browser itself instead of a page. */
  outside(window, work) {
    return this.in(window, async () => {
      await this.command("POST", "/moz/context", { context: "chrome" });
      try {
        return await work();
      } finally {
        await this.command("POST", "/moz/context", { context: "content" });
      }
    });
  }

  async script(code) {
    const script = `const done = arguments[0];
      (async () => ${code})().then((value) => done({ value }), (error) => done({ error: String(error) + "\\n" + (error?.stack ?? "") }));`;
    const { value, error } = await this.command("POST", "/execute/async", { script, args: [] });
    if (error !== undefined) throw new Error(error);
    return value;
  }

  async attach(make) {
    const handles = () => this.command("GET", "/window/handles");
    const before = new Set(await handles());
    const tab = await make();
    const window = await until("the tab is there", async () => (await handles()).find((handle) => !before.has(handle)));
    return new Page(this, window, tab);
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
    await this.command("POST", "/actions", { actions: [{ type: "key", id: "keys", actions: [...down, ...up] }] });
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
    const gone = new Promise((resolve) => { this.driver.once("exit", resolve); });
    await Promise.race([this.command("DELETE", ""), pause(10_000)]).catch(() => {});
    this.kill();
    await gone;
  }

  kill() {
    try {
      process.kill(-this.driver.pid, "SIGKILL");
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
    await this.command("POST", "/url", { url });
  }

  /** Runs a function in the page, with arguments that JSON can hold. */
  run(work, ...args) {
    return this.in(() => this.browser.script(called(work, args)));
  }

  async find(selector) {
    const found = await this.browser.command("POST", "/element", { using: "css selector", value: selector });
    return `/element/${found[ELEMENT]}`;
  }

  click(selector) {
    return this.in(async () => this.browser.command("POST", `${await this.find(selector)}/click`));
  }

  type(selector, text) {
    return this.in(async () => {
      const field = await this.find(selector);
      await this.browser.command("POST", `${field}/clear`);
      await this.browser.command("POST", `${field}/value`, { text: text + KEYS.Tab });
    });
  }

  key(key) {
    return this.in(() => this.browser.keys([key]));
  }

  async point(x, y) {
    const moves = [[x + 3, y], [x, y]].map(([left, top]) => ({ type: "pointerMove", duration: 0, x: Math.round(left), y: Math.round(top) }));
    await this.command("POST", "/actions", { actions: [{ type: "pointer", id: "mouse", actions: moves }] });
  }

  async picture(file) {
    fs.writeFileSync(file, Buffer.from(await this.command("GET", "/screenshot"), "base64"));
  }

  async size(width, height) {
    await this.command("POST", "/window/rect", { width, height });
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
    await until("the browser asks whether the folder is meant", () => this.command("POST", "/alert/accept").then(() => true));
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
    return this.command("DELETE", "/window");
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
