// What is wanted on a site while it is browsed: learning, and a view.

import assert from "node:assert/strict";
import { visible } from "./dom.mjs";
import { stories } from "./site.mjs";
import { until } from "./wait.mjs";

const CONTENT = /This is told in part 2/;
const FRAME = /all rights reserved/;

const pages = (panel, count) => until(`${count} pages are learned`, async () => {
  const { site } = await panel.status();
  if ((site?.pages ?? 0) === count) return true;
  throw new Error(JSON.stringify(site));
});

export const tests = [
  {
    name: "pages that are opened are learned if the user wants, and forgotten on demand",
    async run(scene) {
      const site = await scene.site(stories());
      const other = await scene.site(stories());
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      assert.equal(await panel.text("stored-line"), "Nothing is stored.");
      await panel.page.click("#keep-learning");
      await until("it is kept", async () => (await panel.status()).site?.learn);
      for (const at of [1, 2, 3]) {
        await page.go(`${site.origin}/story/${at}`);
        await pages(panel, at);
      }
      await until("the panel shows it", async () => /^3 pages learned, [\d.]+ [kM]B stored\.$/.test(await panel.text("stored-line")));
      // A page once more is no other page.
      await page.go(`${site.origin}/story/3`);
      // The page itself comes from the cache; and nothing else is asked for.
      assert.deepEqual(site.loads(), []);

      // The other site is not learned.
      const elsewhere = await scene.open(`${other.origin}/story/0`);
      await elsewhere.go(`${other.origin}/story/1`);
      const { sites } = await scene.browser.ask("sites");
      assert.deepEqual(sites.map(({ origin, pages, learn }) => [origin, pages, learn]), [[site.origin, 3, true]]);
      assert.ok(sites[0].bytes > 500);

      await panel.press("forget");
      await until("it is forgotten", async () => (await panel.text("stored-line")) === "Nothing is stored.");
      assert.deepEqual((await scene.browser.ask("sites")).sites, []);
      // A page of the other site, which is learned now, comes after one of this.
      await scene.browser.ask("keep", { tab: elsewhere.tab, learn: true });
      await page.go(`${site.origin}/story/4`);
      await elsewhere.go(`${other.origin}/story/2`);
      await until("the other site is learned", async () => (await scene.browser.ask("sites")).sites.some(({ pages }) => pages > 0));
      assert.deepEqual((await scene.browser.ask("sites")).sites.map(({ origin }) => origin), [other.origin]);
    },
  },
  {
    name: "pages that no cache may hold are learned without another request, and pages that are missing are not learned",
    async run(scene) {
      const answer = stories({ more: ({ path }) => (path === "/gone" ? { status: 404, body: "<p>There is no such story, and there never was." } : undefined) });
      const site = await scene.site((request) => {
        const given = answer(request);
        return given && { ...given, headers: { ...given.headers, "Cache-Control": "no-store" } };
      });
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      await panel.page.click("#keep-learning");
      await until("it is kept", async () => (await panel.status()).site?.learn);
      await page.go(`${site.origin}/story/1`);
      await pages(panel, 1);
      await page.go(`${site.origin}/gone`);
      await page.go(`${site.origin}/story/2`);
      await pages(panel, 2);
      // An address that a script has made up is not asked for.
      await page.run(() => history.pushState(null, "", "/made-up"));
      await pages(panel, 3);
      assert.deepEqual(site.log.filter(({ path }) => path !== "/favicon.ico").map(({ path }) => path), ["/story/0", "/story/1", "/gone", "/story/2"]);
      assert.deepEqual(site.loads(), []);
    },
  },
  {
    name: "a link within the page brings no remembered view back",
    async run(scene) {
      const site = await scene.site(stories());
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      await panel.view("content");
      await until("it can be remembered", () => panel.page.run(() => !document.getElementById("keep-view").disabled));
      await panel.page.click("#keep-view");
      await until("it is remembered", async () => (await panel.status()).site?.view === "content");
      await page.go(`${site.origin}/story/1`);
      await until("the content is shown", async () => (await panel.status()).view === "content");
      await panel.view("original");
      await page.run(() => { location.hash = "part"; });
      await page.run(() => history.pushState(null, "", "?page=2"));
      // Another page that comes later shows when it would be back.
      const second = await scene.open(`${site.origin}/story/3`);
      await until("the content is shown in another tab", async () => (await scene.browser.ask("status", { tab: second.tab })).view === "content");
      assert.equal((await panel.status()).view, "original");
      await page.go(`${site.origin}/story/2`);
      await until("the content is shown again", async () => (await panel.status()).view === "content");
    },
  },
  {
    name: "a remembered view is shown on the next page of its site, and on no other site",
    async run(scene) {
      const site = await scene.site(stories());
      const other = await scene.site(stories());
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      assert.equal((await panel.find()).state, "done");
      await panel.view("content");
      await until("it can be remembered", () => panel.page.run(() => !document.getElementById("keep-view").disabled));
      await panel.page.click("#keep-view");
      await until("it is remembered", async () => (await panel.status()).site?.view === "content");
      const isShown = async (page, view) => {
        const text = await page.run(visible);
        return CONTENT.test(text) === (view !== "template") && FRAME.test(text) === (view !== "content");
      };
      await page.go(`${site.origin}/story/5`);
      await until("the content is shown", () => isShown(page, "content"));
      const elsewhere = await scene.open(`${other.origin}/story/1`);
      const second = await scene.open(`${site.origin}/story/4`);
      await until("the content is shown in another tab", () => isShown(second, "content"));
      assert.ok(await isShown(elsewhere, "original"));

      // Another view takes its place; a look at the original does not.
      await until("the panel has the view", async () => (await panel.page.run(() => document.querySelector("input[name=view]:checked").value)) === "content");
      await panel.view("template");
      await panel.view("original");
      await page.go(`${site.origin}/story/2`);
      await until("the template is shown", () => isShown(page, "template"));
      await until("the panel has it", async () => (await panel.page.run(() => document.querySelector("input[name=view]:checked").value)) === "template");
      await panel.page.click("#keep-view");
      await until("it is not remembered", async () => !(await panel.status()).site?.view);
      // A page of the other site, where a view is remembered now, comes after one of this.
      await scene.browser.ask("keep", { tab: elsewhere.tab, view: "content" });
      await page.go(`${site.origin}/story/3`);
      await elsewhere.go(`${other.origin}/story/2`);
      await until("the content of the other site is shown", async () => (await scene.browser.ask("status", { tab: elsewhere.tab })).view === "content");
      assert.ok(await isShown(page, "original"));
    },
  },
];
