// Views: what is to be seen in each, and that the page is exactly what it was afterwards.

import assert from "node:assert/strict";
import { differences, placeOf, remember, tinted, visible } from "./dom.mjs";
import { stories } from "./site.mjs";
import { until } from "./wait.mjs";

const CONTENT = "This is told in part 2 of story 0.";
const FRAME = ["The Gazette of Nowhere in Particular", "Story number 3", "all rights reserved by somebody"];

/** What must be visible in each view of a story. */
export async function check(page, view) {
  const text = await page.run(visible);
  const has = (words) => text.includes(words);
  const isFull = view === "original" || view === "tint";
  assert.equal(has(CONTENT), isFull || view === "content", `${view}: the content is${has(CONTENT) ? "" : " not"} visible`);
  for (const words of FRAME) {
    assert.equal(has(words), isFull || view === "template", `${view}: ${words} is${has(words) ? "" : " not"} visible`);
  }
  const highlights = await page.run(() => CSS.highlights.size);
  assert.equal(highlights > 0, view === "tint", `${view}: ${highlights} highlights`);
}

/** From each view to each other. */
const WALK = ["content", "template", "content", "tint", "content", "original", "template", "tint", "template", "original", "tint", "original"];

export const tests = [
  {
    name: "reasons are told above dialogs, and from left to right; what is kept behind a summary can be opened",
    async run(scene) {
      const answer = stories({ frame: { bottom: "<dialog><p>Choose the country that you are in</p></dialog>" } });
      const site = await scene.site((request) => {
        const given = answer(request);
        const details = `<details><summary>More of the Gazette</summary><p>A detail of ${request.path} that is told nowhere else.</p></details>`;
        return given && { ...given, body: given.body.replace("</h1>", `</h1>${details}`) };
      });
      await scene.browser.ask("set", { settings: { decide: "links" } });
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      assert.equal((await panel.find()).state, "done");
      await panel.view("content");
      const shows = await page.run(() => {
        const [summary, text] = document.querySelectorAll("details > *");
        return { summary: summary.checkVisibility(), isKept: text.textContent !== "" && text.closest("[unframe-mark=hidden]") === null };
      });
      assert.deepEqual(shows, { summary: true, isKept: true });
      await panel.view("original");
      await page.run(() => { document.documentElement.dir = "rtl"; document.querySelector("dialog").showModal(); });
      await panel.view("tint");
      const { x, y } = await page.run(placeOf, "Choose the country");
      await page.point(x, y);
      const shown = await until("a reason is shown", () => page.run(() => {
        const tip = document.querySelector("unframe-tip");
        return tip && { isAbove: tip.matches(":popover-open"), direction: getComputedStyle(tip).direction, display: getComputedStyle(tip).display };
      }));
      assert.deepEqual(shown, { isAbove: true, direction: "ltr", display: "block" });
      await panel.view("original");
    },
  },
  {
    name: "views that are asked for at the same time follow each other",
    async run(scene) {
      const site = await scene.site(stories());
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      assert.equal((await panel.find()).state, "done");
      await page.run(remember);
      const views = ["content", "template", "tint", "content", "original", "template", "content"];
      await Promise.all(views.map((view) => panel.ask("view", { view })));
      assert.equal((await panel.status()).view, "content");
      await check(page, "content");
      await panel.ask("view", { view: "original" });
      assert.deepEqual(await page.run(differences), []);
    },
  },
  {
    name: "each view shows what it is to show, and from each there is a way to every other",
    async run(scene) {
      const site = await scene.site(stories());
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      assert.equal((await panel.find()).state, "done");
      await page.run(remember);
      await check(page, "original");
      for (const view of WALK) {
        const line = await panel.view(view);
        await check(page, view);
        if (view === "original") assert.deepEqual(await page.run(differences), []);
        else assert.match(line, /^\d+ % of the text is frame/);
      }
    },
  },
  {
    name: "views of the demo sites are those of their pages, and go by votes if the user wants",
    async run(scene) {
      const sites = [
        ["harbour-shop", "/lamps.html", "Gimballed cabin lamp", "Barometer Hospital"],
        ["petromyra-museum", "/fakos.html", "ξίδι, εφημερίδα και σιωπή", "Οι φαροφύλακες"],
      ];
      for (const [name, path, content, frame] of sites) {
        const site = await scene.demo(name);
        const page = await scene.open(site.origin + path);
        const panel = await scene.panel(page);
        assert.equal((await panel.find()).state, "done");
        await page.run(remember);
        const whole = await page.run(visible);
        assert.ok(whole.includes(content) && whole.includes(frame), whole);
        for (const decide of ["auto", "links"]) {
          await scene.browser.ask("set", { settings: { decide } });
          await panel.view("content");
          const kept = await page.run(visible);
          assert.ok(kept.includes(content) && !kept.includes(frame), `${name}, ${decide}: ${kept}`);
          await panel.view("template");
          const left = await page.run(visible);
          assert.ok(!left.includes(content) && left.includes(frame), `${name}, ${decide}: ${left}`);
          await panel.view("original");
          assert.deepEqual(await page.run(differences), []);
        }
      }
    },
  },
  {
    name: "the tint tells its reason under the pointer",
    async run(scene) {
      const site = await scene.site(stories());
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      assert.equal((await panel.find()).state, "done");
      await page.run(remember);
      await panel.view("tint");
      const all = await page.run(tinted);
      assert.deepEqual(Object.keys(all).sort(), [0, 1, 2, 3, 4].map((shade) => `unframe-${shade}`));
      const of = (words) => Object.entries(all).find(([, texts]) => texts.some((text) => text.includes(words)))?.[0];
      assert.equal(of("Story number 3"), "unframe-4");
      assert.equal(of(CONTENT), "unframe-0");

      const tip = () => page.run(() => document.querySelector("unframe-tip")?.innerText ?? "");
      for (const [words, kind] of [["Story number 3", /frame/i], [CONTENT, /content/i]]) {
        const { x, y } = await page.run(placeOf, words);
        await page.point(x, y);
        const text = await until(`a reason is shown for ${words}`, async () => {
          const told = await tip();
          if (kind.test(told.split("\n")[0])) return told;
          throw new Error(told);
        });
        assert.ok(text.split("\n").length >= 2, text);
        const box = await page.run(() => {
          const { left, top, right, bottom, width, height } = document.querySelector("unframe-tip").getBoundingClientRect();
          return { isInside: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight, width, height };
        });
        assert.ok(box.isInside && box.width > 50 && box.height > 20, JSON.stringify(box));
      }
      await page.picture(scene.file("tint.png"));
      // Beside the texts there is none.
      await page.point(2, 2);
      await until("the reason is gone", async () => !(await tip()));
      const { x, y } = await page.run(placeOf, "Story number 3");
      await page.point(x, y);
      await until("a reason is shown", tip);
      await panel.view("original");
      assert.deepEqual(await page.run(differences), []);
    },
  },
  {
    name: "what the user has typed, chosen and scrolled to stays, and listeners still hear",
    async run(scene) {
      const form = `<form><input id="name" value="old"><input id="box" type="checkbox"><textarea id="words">old words</textarea>
        <select id="one"><option>a<option>b</select><div id="free" contenteditable>Write <b>here</b></div>
        <input type="radio" name="attributes"><input name="parentNode"><input name="firstChild"></form>
        <details id="more"><summary>More</summary>Details of the thing</details>
        <div id="pane" style="height:60px;overflow:auto"><p style="height:600px">A pane that scrolls</p></div>`;
      const frame = { head: "<style>body { margin-bottom: 4000px }</style>", top: form };
      const site = await scene.site(stories({ frame }));
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      await page.run(() => {
        const get = (id) => document.getElementById(id);
        get("name").value = "new";
        get("box").checked = true;
        get("words").value = "new words";
        get("one").selectedIndex = 1;
        get("free").append("more");
        get("more").open = true;
        scrollTo(0, 700);
        get("name").focus({ preventScroll: true });
        window.heard = [];
        document.querySelector("nav a").addEventListener("click", (event) => { event.preventDefault(); window.heard.push("a link"); });
        document.querySelector("main").addEventListener("click", () => { window.heard.push("the content"); });
      });
      // Frames of forms hide what the page is asked for, if it is not asked well.
      assert.equal(await page.run(() => document.forms[0].attributes instanceof HTMLInputElement), true);
      await page.run(remember);
      for (const view of ["tint", "template", "original", "content", "original"]) {
        await panel.view(view);
        if (view !== "original") continue;
        const found = (await page.run(differences)).filter((line) => !/^focus was/.test(line));
        assert.deepEqual(found, []);
      }
      await page.run(() => {
        document.querySelector("nav a").click();
        document.querySelector("main p").click();
      });
      assert.deepEqual(await page.run(() => window.heard), ["a link", "the content"]);
    },
  },
  {
    name: "what the page changes while a view is on stays changed",
    async run(scene) {
      const site = await scene.site(stories());
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      assert.equal((await panel.find()).state, "done");
      for (const view of ["content", "template", "tint"]) {
        await page.go(`${site.origin}/story/0`);
        await panel.view(view);
        await page.run(() => {
          document.querySelector("footer").remove();
          document.querySelector("main p").textContent = "Changed by the page";
          const copy = document.querySelector("header").cloneNode(true);
          copy.id = "copy";
          document.body.append(copy, "A new text");
          document.querySelector("h1").setAttribute("class", "changed");
          document.querySelector("nav li").replaceChildren("Another link");
        });
        await panel.view(view === "tint" ? "content" : "tint");
        await panel.view("original");
        const { html, text } = await page.run(() => ({ html: document.documentElement.outerHTML, text: document.body.innerText }));
        assert.ok(!html.includes("unframe"), html);
        for (const words of ["Changed by the page", "A new text", "Another link", "Story number 4"]) assert.ok(text.includes(words), `${view}: ${text}`);
        assert.ok(!text.includes("all rights reserved"));
        assert.equal(await page.run(() => document.querySelector("h1").className), "changed");
      }
    },
  },
];
