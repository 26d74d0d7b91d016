// Our own pages: in a narrow window, and for those who do not use a mouse.

import assert from "node:assert/strict";
import { stories } from "./site.mjs";
import { becomes, until } from "./wait.mjs";

const NARROW = 320;

/** Opens one of our pages in a frame of that width: no window of a browser is as narrow as its panel. */
async function narrow(page, file) {
  await page.run((file, width) => {
    const frame = document.createElement("iframe");
    frame.style.cssText = `position: fixed; inset: 0 auto auto 0; width: ${width}px; height: 800px; border: 0; z-index: 9; background: white`;
    frame.src = file;
    document.body.append(frame);
  }, file, NARROW);
  await until("the narrow page is filled as the wide one is", () => page.run(() => {
    const text = (of) => of.getElementById("main").textContent.replace(/\s+/g, " ");
    const [own, framed] = [document, document.querySelector("iframe").contentDocument].map(text);
    if (own !== framed) throw new Error(`${framed}\n${own}`);
    return true;
  }));
  return page.run((width) => {
    const inside = document.querySelector("iframe").contentDocument;
    const wide = inside.documentElement.scrollWidth;
    const outside = [...inside.querySelectorAll("body *")].filter((element) => {
      const { right, width: its } = element.getBoundingClientRect();
      const scrolls = element.closest(".scrolls, #loads");
      return its > 0 && right > width + 1 && !scrolls;
    }).map((element) => element.outerHTML.slice(0, 100));
    return { wide, outside };
  }, NARROW);
}

/** Controls that have no name, or no visible sign that they have the focus. */
const nameless = (page) => page.run(() => {
  const named = (element) => {
    const by = (element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent).join(" ").trim();
    const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(" ").trim();
    const own = /^(button|a|summary)$/i.test(element.localName) ? element.textContent.trim() : "";
    return element.getAttribute("aria-label")?.trim() || by || labels || own;
  };
  const all = [...document.querySelectorAll("button, input, select, textarea, summary, a[href], progress, [tabindex]")];
  return { count: all.length, without: all.filter((element) => element.checkVisibility() && !named(element)).map((element) => element.outerHTML) };
});

const untranslated = (page) => page.run(() => [...document.querySelectorAll("[data-i18n]")]
  .filter((element) => !element.textContent.trim() || element.textContent === element.dataset.i18n).map((element) => element.outerHTML));

/** The ids of what has the focus after each press of a key. */
async function walk(page, count) {
  const ids = [];
  for (let at = 0; at < count; at += 1) {
    await page.key("Tab");
    ids.push(await page.run(() => document.activeElement.id || document.activeElement.localName));
  }
  return ids;
}

export const tests = [
  {
    name: "the panel, the settings and the benchmarks fit into a narrow window, and each control has a name",
    async run(scene) {
      const site = await scene.site(stories({ count: 4, frame: { head: `<title>${"A long title without end ".repeat(20)}${"x".repeat(300)}</title>` } }));
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      assert.equal((await panel.find()).state, "done");
      await panel.view("tint");
      // With what is there when they are filled.
      const files = [[`panel/panel.html?tab=${page.tab}`, "#work:not([hidden])"], ["options/options.html", "#hosts > li"],
        [`panel/benchmarks.html?tab=${page.tab}`, "#page-numbers > dd"]];
      for (const [file, last] of files) {
        const own = await scene.openOwn(file);
        await until(`${last} is in ${file}`, () => own.run((last) => document.querySelector(last) !== null, last));
        await becomes("all is translated", async () => (await untranslated(own)).join(), "");
        const { count, without } = await nameless(own);
        assert.ok(count > 3);
        assert.deepEqual(without, [], file);
        assert.ok(await own.run(() => document.title.startsWith("unframe") && document.documentElement.lang === "en"));
        const { wide, outside } = await narrow(own, `/${file}`);
        assert.deepEqual(outside, [], file);
        assert.ok(wide <= NARROW, `${file} is ${wide} pixels wide`);
        await own.picture(scene.file(`${file.replace(/\W+/g, "-")}.png`));
      }
    },
  },
  {
    name: "the panel and the settings are used with the keyboard alone",
    async run(scene) {
      const site = await scene.site(stories());
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      await panel.page.front();
      const ids = await walk(panel.page, 12);
      const expected = ["find", "summary", "view-original", "keep-learning", "copy-markdown", "copy-text", "copy-html", "save-template", "save-rules", "save-state", "open-benchmarks", "open-options"];
      assert.deepEqual(ids, expected);
      const outline = await panel.page.run(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        return `${outlineStyle} ${outlineWidth}`;
      });
      assert.match(outline, /^solid [1-9]/);

      await panel.page.run(() => document.getElementById("view-original").focus());
      await panel.page.key("ArrowRight");
      await until("the arrow shows the content", async () => (await panel.status()).view === "content");
      await panel.page.run(() => document.getElementById("find").focus());
      await panel.page.key("Enter");
      assert.equal((await panel.ended()).state, "done");
      // The button that has gone hands its focus on, and gets it back.
      await until("the focus is on the button", () => panel.page.run(() => document.activeElement.id === "find"));

      const options = await scene.openOwn("options/options.html");
      await options.front();
      await until("the settings are there", () => options.run(() => document.getElementById("n").value === "3"));
      assert.deepEqual(await walk(options, 10), ["n", "t", "maxLoads", "delay", "credentials", "decide", "remove", "favor", "comments", "read"]);
    },
  },
];
