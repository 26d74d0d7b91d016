// The extension as it is shipped: it may look into no site until its button is pressed. Chromium has a command for drivers
// that presses the button; in Firefox the button itself is clicked, and the shortcuts are typed. No driver can type the
// shortcuts of Chromium, nor answer the question with which it gives access to a site.

import assert from "node:assert/strict";
import { visible } from "./dom.mjs";
import { Panel } from "./panel.mjs";
import { stories } from "./site.mjs";
import { until } from "./wait.mjs";

export const tests = [
  {
    name: "the browser gives every view its shortcut",
    async run(scene) {
      const given = await scene.browser.home.run(async () => {
        const commands = await (globalThis.browser ?? globalThis.chrome).commands.getAll();
        return Object.fromEntries(commands.map(({ name, shortcut }) => [name, shortcut.replace(/[^A-Z]/g, "").slice(-1)]));
      });
      assert.deepEqual(given, { _execute_action: "U", content: "K", template: "M", tint: "L", original: "" });
    },
  },
  {
    name: "without a press of the button nothing can be done, and with it everything",
    async run(scene) {
      const site = await scene.site(stories());
      const other = await scene.site(stories(), { host: "localhost" });
      const browser = await scene.start({ isReal: true });
      const page = await browser.open(`${site.origin}/story/0`);
      const panel = await Panel.open(browser, page.tab, { isClosed: true });
      await browser.ask("set", { settings: {} });
      await browser.hurry();
      const isClosed = async () => /Press the unframe button/.test(await panel.text("empty"));
      assert.ok(await isClosed());
      for (const [what, rest] of [["view", { view: "content" }], ["find"], ["take", { what: "text" }], ["keep", { learn: true }]]) {
        await assert.rejects(panel.ask(what, rest), /cannot look into this page\. Press its button/, what);
      }
      assert.deepEqual(site.loads(), []);
      assert.equal(await page.run(() => document.querySelector("html").outerHTML.includes("unframe")), false);

      await page.front();
      await browser.press(page);
      await until("the panel opens beside the page", () => browser.hasPanel(page));
      await until("the page is open to the panel", () => panel.page.run(() => !document.getElementById("work").hidden));
      const job = await panel.find();
      assert.equal(job.state, "done", job.error);
      await panel.view("content");
      assert.ok(!(await page.run(visible)).includes("all rights reserved"));
      // What would work without a press needs more.
      await assert.rejects(panel.ask("keep", { view: "content" }), /Allow unframe on 127\.0\.0\.1:\d+ first/);

      // Another site is closed again.
      await page.go(`${other.origin}/story/0`);
      await until("the next site is closed", isClosed);
      await assert.rejects(panel.ask("view", { view: "content" }), /cannot look into this page/);
      assert.deepEqual(other.loads(), []);
    },
  },
  {
    name: "shortcuts lead to a view and back",
    browsers: ["firefox"],
    async run(scene) {
      const site = await scene.site(stories());
      const browser = await scene.start({ isReal: true });
      const page = await browser.open(`${site.origin}/story/0`);
      const status = () => browser.ask("status", { tab: page.tab });
      for (const [key, view] of [["k", "content"], ["m", "template"], ["l", "tint"], ["l", "original"]]) {
        await browser.shortcut(page, "Alt", "Shift", key);
        await until(`the view is ${view}`, async () => (await status()).view === view);
      }
    },
  },
  {
    name: "access to a site is asked for when it is needed, and can be withdrawn",
    browsers: ["firefox"],
    async run(scene) {
      const site = await scene.site(stories());
      const browser = await scene.start({ isReal: true });
      const page = await browser.open(`${site.origin}/story/0`);
      const panel = await Panel.open(browser, page.tab, { isClosed: true });
      await page.front();
      await browser.press(page);
      await until("the page is open to the panel", () => panel.page.run(() => !document.getElementById("work").hidden));
      await panel.page.click("#keep-learning");
      await until("learning is kept", async () => (await panel.status()).site?.learn);
      await page.go(`${site.origin}/story/1`);
      await until("the page is learned", async () => (await panel.status()).site.pages === 1);

      const options = await browser.openOwn("options/options.html");
      const hosts = () => options.run(() => [...document.querySelectorAll("#hosts code")].map((item) => item.textContent));
      await until("the host is listed", async () => (await hosts()).join() === "http://127.0.0.1/*");
      await options.click("button.withdraw");
      await until("it is withdrawn", async () => (await hosts()).length === 0);
      await until("the page is closed to the panel", async () => /Press the unframe button/.test(await panel.text("empty")));
      await page.go(`${site.origin}/story/2`);
      await until("the panel is about it", async () => /Story 2|Press/.test(await panel.text("empty")));
      assert.equal((await browser.ask("sites")).sites[0].pages, 1);
    },
  },
];
