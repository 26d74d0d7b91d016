// Pages that mean harm, or are too much.

import assert from "node:assert/strict";
import { differences, placeOf, remember, tinted, visible } from "./dom.mjs";
import { stories } from "./site.mjs";
import { becomes, until } from "./wait.mjs";
import { check } from "./views.mjs";

const PAYLOADS = ['<img src=/hacked onerror="window.hacked=1">', '"><script>window.hacked=1</script>', "'-window.hacked=1-'", "<svg/onload=window.hacked=1>",
  "</title></style></textarea><script>window.hacked=1</script>", "javascript:window.hacked=1"];
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const isHacked = (page) => page.run(() => "hacked" in window);

/** Pages of nodes: each part has four. */
const PARTS = 250_000;

export const tests = [
  {
    name: "markup in titles, addresses, texts and headers is shown as text, and never runs",
    async run(scene) {
      const all = PAYLOADS.map(escaped).join(" ");
      const links = PAYLOADS.map((payload, at) => `<a href="/story/${encodeURIComponent(payload)}?${at}=${encodeURIComponent(payload)}" title="${escaped(payload).replace(/"/g, "&quot;")}">${escaped(payload)}</a>`);
      const plain = stories({ count: 3, frame: { top: links.join(" "), bottom: `<p>${all}</p>` } });
      const site = await scene.site((request) => {
        if (request.url.startsWith("/story/%")) return { status: 200, type: `text/${"x"}; <img src=/hacked onerror=window.hacked=1>`, body: PAYLOADS.join("") };
        const given = plain(request);
        if (!given?.body) return given;
        return { ...given, body: given.body.replace(/<title>.*?<\/title>/, `<title>${all}</title>`).replace(/<h1>/, `<h1>${all} `) };
      });
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      const job = await panel.find();
      assert.equal(job.state, "done", job.error);
      for (const view of ["content", "template", "tint"]) await panel.view(view);
      const words = "Story number 1";
      const { x, y } = await page.run(placeOf, words);
      await page.point(x, y);
      await until("a reason is shown", () => page.run(() => document.querySelector("unframe-tip")?.innerText));
      await page.point(2, 2);
      await until("the reason is gone", () => page.run(() => !document.querySelector("unframe-tip")));
      const frame = await page.run(placeOf, PAYLOADS[2]);
      await page.point(frame.x, frame.y);
      await until("a reason is shown for the markup", () => page.run(() => document.querySelector("unframe-tip")?.innerText));
      await becomes("the title is shown", () => panel.text("page-title"), PAYLOADS.join(" "));
      const shown = await panel.page.run(() => document.getElementById("loads").innerText);
      assert.ok(shown.includes("text/x; <img src=/hacked onerror=window.hacked=1>"), shown);
      const foreign = await panel.page.run(() => document.querySelectorAll("main img, main svg, script:not([src])").length);
      assert.equal(foreign, 0);
      const { text } = await panel.ask("take", { what: "template" });
      const options = await scene.openOwn("options/options.html");
      await until("sites are listed", () => options.run(() => document.querySelectorAll("#sites tbody tr").length > 0));
      // The template of such a site, opened as a page of some other.
      const home = await scene.site(() => ({ body: text }));
      const opened = await scene.open(`${home.origin}/`);
      for (const one of [page, panel.page, options, opened, scene.browser.home]) assert.equal(await isHacked(one), false);
      assert.ok(![...site.log, ...home.log].some(({ path }) => path === "/hacked"));
    },
  },
  {
    name: "a page of a million nodes is shown in views, or it is said why not, and the tab survives",
    async run(scene) {
      const part = (at) => `<p>w${at} <b>x</b></p>`;
      const body = `<!doctype html><title>Many</title><header><p>Head of the page</p></header><main>${Array.from({ length: PARTS }, (_, at) => part(at)).join("")}</main>`;
      const site = await scene.site(({ path }) => (path === "/" ? { body } : null));
      const page = await scene.open(`${site.origin}/`);
      const panel = await scene.panel(page);
      const state = () => page.run(() => {
        let sum = 0;
        for (const letter of document.documentElement.outerHTML) sum = (sum * 31 + letter.charCodeAt(0)) | 0;
        return [document.querySelectorAll("*").length, sum, document.querySelectorAll("[unframe-mark]").length];
      });
      const before = await state();
      assert.ok(before[0] > 500_000);
      // The tint is told the most.
      const outcome = await panel.view("tint").catch((error) => error.message);
      assert.match(outcome, /^\d+ % of the text is frame|cannot be (read|shown)|more memory/);
      await panel.view("original");
      assert.deepEqual(await state(), before);
    },
  },
  {
    name: "a page that is too large for a view says so",
    async run(scene) {
      const site = await scene.site(() => ({ body: `<title>Large</title><p hidden>${"Many words are on this page. ".repeat(900_000)}` }));
      const page = await scene.open(`${site.origin}/`);
      const panel = await scene.panel(page);
      await assert.rejects(panel.view("content"), /cannot be read: .*24/);
      assert.equal((await panel.status()).view, "original");
      assert.equal(await page.run(() => document.querySelectorAll("p").length), 1);
    },
  },
  {
    name: "a page that allows itself nothing is searched and shown",
    async run(scene) {
      const answer = stories();
      const strict = { "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        "X-Frame-Options": "DENY", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "X-Content-Type-Options": "nosniff",
        "Permissions-Policy": "clipboard-write=()", "Referrer-Policy": "no-referrer" };
      const site = await scene.site((request) => {
        const given = answer(request);
        return given && { ...given, headers: { ...given.headers, ...strict } };
      });
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      const job = await panel.find();
      if (scene.browser.name === "firefox") {
        // There, what the page forbids its own scripts to load is forbidden to those beside it. The page alone is judged then.
        assert.equal(job.state, "failed");
        assert.match(await panel.text("job-line"), /^Not found\. The page’s security policy forbids loading/);
      } else {
        assert.equal(job.state, "done", job.error);
      }
      await page.run(remember);
      for (const view of ["content", "template", "tint"]) {
        await panel.view(view);
        if (scene.browser.name !== "firefox") await check(page, view);
      }
      const { x, y } = await page.run(placeOf, "Story number 3");
      await page.point(x, y);
      // Its looks come from a style sheet of the user, which no policy of the page forbids.
      const box = await until("a reason is shown", () => page.run(() => {
        const tip = document.querySelector("unframe-tip");
        return tip && { position: getComputedStyle(tip).position, left: tip.getBoundingClientRect().left };
      }));
      assert.equal(box.position, "fixed");
      assert.ok(box.left > 5, `${box.left}`);
      await panel.view("original");
      assert.deepEqual(await page.run(differences), []);
    },
  },
  {
    name: "a page in a sandbox is shown, and a search there ends",
    async run(scene) {
      const answer = stories();
      const site = await scene.site((request) => {
        const given = answer(request);
        return given && { ...given, headers: { "Content-Security-Policy": "default-src 'none'; sandbox" } };
      });
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      const job = await panel.find();
      assert.ok(["done", "failed"].includes(job.state));
      if (job.state === "failed") assert.match(await panel.text("job-line"), /^Not found\. .{20}/);
      await panel.view("content");
      await panel.view("original");
      assert.equal((await panel.status()).view, "original");
    },
  },
  {
    name: "a page that breaks what scripts rely on breaks only itself",
    async run(scene) {
      const hostile = `<script>addEventListener("load", () => {
        const no = () => { throw new Error("hostile"); };
        for (const type of [Array, Map, Set, WeakMap, Node, Element, Document, Text, CharacterData, EventTarget, Range, CSSStyleDeclaration, HTMLElement]) {
          for (const name of Object.getOwnPropertyNames(type.prototype)) {
            if (name === "constructor") continue;
            try { Object.defineProperty(type.prototype, name, { get: no, set: no, configurable: true }); } catch {}
          }
        }
        for (const name of ["fetch", "Promise", "Highlight", "StaticRange", "NodeFilter", "URL", "performance", "btoa", "unframePage", "chrome", "browser", "getComputedStyle"]) {
          try { Object.defineProperty(window, name, { get: no, configurable: true }); } catch {}
        }
        Object.prototype.toJSON = no;
      });</script>`;
      const site = await scene.site(stories({ frame: { head: hostile } }));
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      const job = await panel.find();
      assert.equal(job.state, "done", job.error);
      for (const view of ["content", "template", "tint", "original"]) await panel.view(view);
      assert.ok((await panel.ask("take", { what: "text" })).text.includes("This is told in part 2 of story 0."));
    },
  },
  {
    name: "a page that fights a view is not fought, and gets all of its own back",
    async run(scene) {
      const script = `<script>addEventListener("load", () => {
        window.turns = 0;
        new MutationObserver((changes) => {
          window.turns += 1;
          for (const { target, attributeName } of changes) if (attributeName) target.removeAttribute(attributeName);
        }).observe(document, { subtree: true, attributes: true });
        new MutationObserver((changes) => {
          for (const { target, oldValue } of changes) if (target.data === "") target.data = oldValue;
        }).observe(document, { subtree: true, characterData: true, characterDataOldValue: true });
      });</script>`;
      const site = await scene.site(stories({ frame: { bottom: `<div id="frame">Text of the frame <b>in bold</b> and more</div>${script}` } }));
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      assert.equal((await panel.find()).state, "done");
      await page.run(remember);
      for (const view of ["content", "template", "tint", "original"]) {
        await panel.view(view);
        // Whoever fights goes on after each turn of the other.
        await until("the page rests", () => page.run(async () => {
          const before = window.turns;
          await new Promise((resolve) => { setTimeout(resolve); });
          return window.turns === before;
        }));
      }
      assert.deepEqual(await page.run(differences), []);
      const turns = await page.run(() => window.turns);
      assert.ok(turns > 0 && turns < 100, `${turns} turns`);
    },
  },
  {
    name: "huge attributes, long texts, deep trees and elements that the page removes do no harm",
    async run(scene) {
      const script = `<script>
        let at = document.getElementById("deep");
        for (let depth = 0; depth < 700; depth++) at = at.appendChild(document.createElement("div"));
        at.append("Bottom of the tree");
        const many = document.getElementById("many");
        for (let number = 0; number < 3000; number++) many.setAttribute("data-" + number, "v".repeat(50));
        document.getElementById("huge").setAttribute("data-huge", "<&\\"".repeat(1e6));
      </script>`;
      const body = `<div id="deep"></div><div id="many">Many attributes</div><div id="huge" style="background: url(data:image/png;base64,${"A".repeat(1e6)})">Huge</div>
        <p id="long">${"word".repeat(300_000)}</p>${script}`;
      const answer = stories();
      const site = await scene.site((request) => {
        const given = answer(request);
        return request.path === "/story/0" ? { ...given, body: given.body.replace("</main>", `${body}</main>`) } : given;
      });
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      assert.equal((await panel.find()).state, "done");
      await page.run(remember);
      for (const view of ["content", "template", "tint", "original"]) await panel.view(view);
      assert.deepEqual(await page.run(differences), []);
      await panel.view("tint");
      await page.run(() => document.getElementById("deep").remove());
      await panel.view("content");
      await page.run(() => document.body.replaceChildren("Nothing is left"));
      await panel.view("original");
      assert.equal(await page.run(visible), "Nothing is left");
      assert.deepEqual(await page.run(tinted), {});
    },
  },
  {
    name: "a page that goes elsewhere in the middle of a search ends it",
    async run(scene) {
      // So many pages, so slowly, that the search is not over before the page has gone.
      const site = await scene.site(stories({ count: 25, robots: "User-agent: *\nCrawl-delay: 3\n" }));
      const other = await scene.site(stories());
      await scene.browser.ask("set", { settings: { n: 20 } });
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      await panel.press("find");
      await until("it has begun", () => site.loads().some(({ path }) => path === "/robots.txt"));
      await page.go(`${other.origin}/story/1`);
      await until("the panel is about the new page", async () => (await panel.text("site")) === other.host);
      await until("no search is shown", async () => (await panel.text("job-line")) === "" && !(await panel.loads()).length);
      const asked = site.loads().length;
      await page.go(`${site.origin}/story/1`);
      const { error } = await panel.ended();
      assert.match(error, /was left/);
      assert.equal(site.loads().length, asked);
      assert.deepEqual(other.loads(), []);
      await page.go(`${other.origin}/story/1`);
      await scene.browser.ask("set", { settings: { n: 3 } });
      assert.equal((await panel.find()).state, "done");
    },
  },
  {
    name: "a page cannot see or ask the extension",
    async run(scene) {
      const site = await scene.site(stories());
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      await panel.view("content");
      const seen = await page.run(async (own) => {
        const loaded = await Promise.all(["icons/16.png", "panel/panel.html", "page/views.css"].map((file) => fetch(own + file).then(() => file, () => null)));
        const framed = document.createElement("iframe");
        framed.src = `${own}panel/panel.html`;
        document.body.append(framed);
        let answer;
        try { answer = await globalThis.chrome.runtime.sendMessage(new URL(own).host, { do: "sites" }); } catch { answer = null; }
        let inside;
        try { inside = framed.contentDocument?.body?.innerText ?? null; } catch { inside = null; }
        dispatchEvent(new MessageEvent("message", { data: { to: "unframe-page", do: "show", view: "original" } }));
        postMessage({ to: "unframe-page", do: "show", view: "original" });
        return { loaded, answer: answer ?? null, inside, isSeen: "unframePage" in globalThis };
      }, scene.browser.own);
      assert.deepEqual(seen.loaded, [null, null, null]);
      assert.equal(seen.answer, null);
      assert.ok(!seen.inside, seen.inside);
      assert.equal(seen.isSeen, false);
      assert.equal((await panel.status()).view, "content");
    },
  },
];
