// What outlives the background part, and the browser.

import assert from "node:assert/strict";
import { differences, remember, visible } from "./dom.mjs";
import { stories } from "./site.mjs";
import { until } from "./wait.mjs";

export const tests = [
  {
    name: "when the browser has stopped the background part, nothing is lost",
    async run(scene) {
      const site = await scene.site(stories());
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      assert.equal((await panel.find()).state, "done");
      const template = (await panel.ask("take", { what: "template" })).text;
      await page.run(remember);
      await panel.view("content");
      const shown = await page.run(visible);
      await scene.browser.stopBackground();

      // The panel listens again by itself.
      const status = await panel.status();
      assert.equal(status.view, "content");
      assert.ok(status.site.pages >= 4);
      assert.equal(status.found.restsOn.length, 3);
      assert.deepEqual([status.job.state, status.job.pagesLoaded, status.job.loads.length], ["done", 3, 3]);
      assert.equal(await page.run(visible), shown);
      assert.equal((await panel.ask("take", { what: "template" })).text, template);
      await panel.view("template");
      await scene.browser.stopBackground();
      await panel.view("original");
      assert.deepEqual(await page.run(differences), []);
      await scene.browser.stopBackground();
      const before = site.log.length;
      const job = await panel.find();
      assert.equal(job.state, "done");
      assert.equal(job.pagesLoaded, 0);
      assert.deepEqual(site.loads(before).map(({ path }) => path).filter((path) => path !== "/story/0"), ["/robots.txt"]);
      await until("the panel hears of it", async () => /^Found/.test(await panel.text("job-line")));
    },
  },
  {
    name: "what was learned and wanted outlives the browser",
    async run(scene) {
      const site = await scene.site(stories());
      const browser = await scene.start();
      const open = async () => {
        const page = await browser.open(`${site.origin}/story/0`);
        return { page, ask: (what, rest) => browser.ask(what, { tab: page.tab, ...rest }) };
      };
      const first = await open();
      await browser.ask("set", { settings: { n: 1, t: 1, favor: "recall" } });
      await browser.hurry();
      await first.ask("find");
      await until("it is found", async () => (await first.ask("status")).job?.state === "done");
      await first.ask("keep", { view: "template" });
      const { sites } = await browser.ask("sites");
      await browser.restart();
      assert.deepEqual((await browser.ask("sites")).sites, sites);
      assert.equal((await browser.ask("settings")).settings.favor, "recall");
      const { page } = await open();
      await until("the remembered view is shown", async () => {
        const text = await page.run(visible);
        return text.includes("all rights reserved") && !text.includes("This is told in part 2");
      });
    },
  },
];
