// Finding the frame.

import assert from "node:assert/strict";
import { stories } from "./site.mjs";
import { becomes } from "./wait.mjs";

export const tests = [
  {
    name: "a page that is made by scripts is taken from the screen, and cannot be searched",
    async run(scene) {
      const made = `<!doctype html><title>Made</title><div id="root"></div><script>
        document.getElementById("root").innerHTML = "<h1>A page by a script</h1>" + "<p>It has no text before that script has run, but some after it.</p>".repeat(3);
      </script>`;
      const site = await scene.site(({ path }) => (path === "/" ? { body: made } : path === "/empty" ? { body: "<!doctype html><title>Empty</title>" } : null));
      const page = await scene.open(`${site.origin}/`);
      const panel = await scene.panel(page);
      assert.match((await panel.ask("take", { what: "markdown" })).text, /^# A page by a script\n/);
      const job = await panel.find();
      assert.equal(job.state, "failed");
      assert.match(await panel.text("job-line"), /^Not found\. There is no page to compare this one with: it has no link to its own site/);
      await page.go(`${site.origin}/empty`);
      await assert.rejects(panel.ask("take", { what: "text" }), /This page has no text of its own\./);
    },
  },
  {
    name: "the frame of pages of two sites is found, and the sites are not mixed",
    async run(scene) {
      const shop = await scene.demo("harbour-shop", { robots: "User-agent: *\nDisallow:\n" });
      const museum = await scene.demo("petromyra-museum");
      assert.notEqual(shop.origin, museum.origin);
      for (const [site, path] of [[shop, "/lamps.html"], [museum, "/istoria.html"]]) {
        const page = await scene.open(site.origin + path);
        const panel = await scene.panel(page);
        const before = site.log.length;
        const job = await panel.find();
        assert.equal(job.state, "done", job.error);
        assert.equal(job.summary.restsOn.length, 3);
        assert.match(await panel.text("job-line"), /^Found, by comparing with 3 pages\.$/);

        // What the panel lists is what the site was asked for, after its robots.txt.
        const asked = site.loads(before).map((request) => request.path);
        assert.equal(asked.filter((one) => one === "/robots.txt").length, 1);
        const shown = await panel.loads();
        const loaded = shown.filter(({ state }) => state === "loaded" || state === "failed").map((load) => load.path);
        const others = asked.filter((one) => one !== path);
        assert.deepEqual(others, ["/robots.txt", ...loaded]);
        assert.ok(shown.filter(({ state }) => state === "loaded").length >= 3, JSON.stringify(shown));
        assert.match(await panel.text("number-compared"), /^3 of 3/);
        for (const id of ["number-template", "number-nodes", "time-load", "time-compare", "time-learn"]) {
          assert.match(await panel.text(id), /^\d/);
        }
      }
      const { sites } = await scene.browser.ask("sites");
      assert.deepEqual(sites.map(({ origin }) => origin).sort(), [shop.origin, museum.origin].sort());
      for (const { pages } of sites) assert.ok(pages >= 4, `${pages} pages were learned`);
      assert.deepEqual(shop.log.filter(({ path }) => /ekth|istoria|nea/.test(path)), []);
      assert.deepEqual(museum.log.filter(({ path }) => /lamps|brass|notices/.test(path)), []);
    },
  },
  {
    name: "n and t are taken from the panel, and what makes no sense is refused there",
    async run(scene) {
      const site = await scene.site(stories({ count: 5 }));
      const panel = await scene.panel(await scene.open(`${site.origin}/story/0`));
      await panel.press("compare");
      await panel.page.run(() => { document.getElementById("compare").open = true; });
      await panel.page.type("#n", "1");
      await becomes("it is refused", () => panel.text("compare-line"), /more votes than pages/);
      await panel.page.type("#t", "1");
      await becomes("it is taken", () => panel.text("compare-line"), "");
      const job = await panel.find();
      assert.equal(job.state, "done", job.error);
      assert.equal(job.summary.n, 1);
      assert.equal(job.summary.restsOn.length, 1);
    },
  },
  {
    name: "what was loaded is not loaded again in the next search",
    async run(scene) {
      const site = await scene.site(stories());
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      assert.equal((await panel.find()).state, "done");
      const before = site.log.length;
      const job = await panel.find();
      assert.equal(job.state, "done");
      assert.equal(job.pagesLoaded, 0);
      assert.ok(job.loads.every(({ state }) => state === "kept"), JSON.stringify(job.loads));
      assert.deepEqual(site.loads(before).map(({ path }) => path).filter((path) => path !== "/story/0"), ["/robots.txt"]);
    },
  },
  {
    name: "a page without links to its site says so",
    async run(scene) {
      const site = await scene.site(() => ({ body: "<title>Alone</title><p>There is nothing but this one sentence." }));
      const panel = await scene.panel(await scene.open(`${site.origin}/`));
      const job = await panel.find();
      assert.equal(job.state, "failed");
      assert.match(await panel.text("job-line"), /^Not found\. There is no page to compare this one with/);
    },
  },
];
