// The settings.

import assert from "node:assert/strict";
import { stories } from "./site.mjs";
import { becomes, until } from "./wait.mjs";

const value = (options, id) => options.run((id) => document.getElementById(id).value, id);
const text = (options, id) => options.run((id) => document.getElementById(id).innerText, id);
const choose = (options, id, wanted) => options.run((id, wanted) => {
  const field = document.getElementById(id);
  field.value = wanted;
  field.dispatchEvent(new Event("change"));
}, id, wanted);
const says = (options, line) => becomes("the page says how it went", () => text(options, "line"), line);

/** Opens the settings, and waits until all of them are there: what is said of a change is wiped away before that. */
async function open(scene) {
  const options = await scene.openOwn("options/options.html");
  await until("the page is filled", () => options.run(() => {
    const get = (id) => document.getElementById(id);
    const isListed = get("sites-box").hidden !== get("no-sites").hidden;
    return get("n").value !== "" && isListed && get("hosts").children.length > 0 && get("shortcuts").children.length > 0;
  }));
  return options;
}

export const tests = [
  {
    name: "settings are saved, and those that make no sense are refused with the reason",
    async run(scene) {
      const settings = async () => (await scene.browser.ask("settings")).settings;
      await scene.browser.ask("set", { settings: { delay: 0.5 } });
      let options = await open(scene);
      assert.equal(await value(options, "n"), "3");
      await options.type("#n", "5");
      await says(options, "Saved.");
      await options.type("#t", "4");
      await until("it is saved", async () => (await settings()).t === 4);
      for (const [id, wanted] of [["credentials", "include"], ["decide", "links"], ["remove", "template"], ["favor", "recall"], ["comments", "keep"], ["read", "screen"]]) {
        await choose(options, id, wanted);
        await until(`${id} is saved`, async () => (await settings())[id] === wanted);
      }
      const saved = await settings();

      for (const [id, wrong, why] of [["n", "0", /whole number from 1 to 20/], ["n", "2.5", /whole number from 1 to 20/], ["t", "21", /whole number from 1 to 20/],
        ["maxLoads", "201", /whole number from 1 to 200/], ["delay", "0.1", /number from 0.5 to 60/], ["t", "6", /t = 6 of n = 5: more votes than pages/]]) {
        await options.type(`#${id}`, wrong);
        await until("it is refused", async () => why.test(await text(options, `${id}-problem`)));
        assert.equal(await options.run((id) => document.getElementById(id).getAttribute("aria-invalid"), id), "true");
        assert.deepEqual(await settings(), saved);
        await options.type(`#${id}`, String(saved[id]));
        await until("it is well again", async () => (await text(options, `${id}-problem`)) === "");
      }
      // What does not come from the page is judged, too.
      for (const wrong of [{ n: "many" }, { favor: "everything" }, { unknown: 1 }, { t: 9 }, { delay: "" }]) {
        await assert.rejects(scene.browser.ask("set", { settings: wrong }));
      }
      await options.close();
      options = await open(scene);
      assert.equal(await value(options, "n"), "5");
      assert.equal(await value(options, "favor"), "recall");
    },
  },
  {
    name: "one site or all are forgotten, and the hosts that are allowed are listed",
    async run(scene) {
      const sites = [await scene.site(stories()), await scene.site(stories()), await scene.site(stories(), { host: "localhost" })];
      await scene.browser.ask("set", { settings: { n: 1, t: 1 } });
      for (const site of sites) {
        const panel = await scene.panel(await scene.open(`${site.origin}/story/0`));
        assert.equal((await panel.find()).state, "done");
      }
      const options = await open(scene);
      const listed = () => options.run(() => [...document.querySelectorAll("#sites tbody tr")].map((row) => [...row.cells].map((cell) => cell.innerText)));
      const rows = await listed();
      assert.deepEqual(rows.map(([origin]) => origin).sort(), sites.map(({ origin }) => origin).sort());
      for (const [, pages, learned, kept] of rows) {
        assert.match(`${pages} ${learned} ${kept}`, /^\d+ [\d.]+ kB \d, [\d.]+ kB$/);
        assert.ok(Number(pages) >= 2);
      }
      assert.match(await text(options, "sites-total"), /^3 sites, [\d.]+ kB$/);
      assert.deepEqual(await options.run(() => [...document.querySelectorAll("#hosts code")].map((item) => item.textContent)), ["http://127.0.0.1/*", "http://localhost/*"]);

      await options.click(`button.forget[data-origin="${sites[1].origin}"]`);
      await says(options, `${sites[1].origin} is forgotten.`);
      assert.deepEqual((await scene.browser.ask("sites")).sites.map(({ origin }) => origin).sort(), [sites[0].origin, sites[2].origin].sort());
      await options.click("#forget-all");
      await options.click("#forget-all-no");
      assert.equal((await listed()).length, 2);
      await options.click("#forget-all");
      await options.click("#forget-all-yes");
      await says(options, "Everything is forgotten.");
      assert.deepEqual((await scene.browser.ask("sites")).sites, []);
      assert.equal(await options.run(() => document.getElementById("no-sites").hidden), false);
      const left = await options.run(() => new Promise((resolve, reject) => {
        const request = indexedDB.open("unframe");
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const stores = ["sites", "sources"];
          const transaction = request.result.transaction(stores);
          Promise.all(stores.map((store) => new Promise((count) => {
            transaction.objectStore(store).count().onsuccess = ({ target }) => count(target.result);
          }))).then((counts) => {
            request.result.close();
            resolve(counts);
          });
        };
      }));
      assert.deepEqual(left, [0, 0]);
    },
  },
];
