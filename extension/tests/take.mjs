// What is taken along is what the command line makes of the same pages.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { becomes, until } from "./wait.mjs";

const DEMO = path.resolve(import.meta.dirname, "../../demo");
const PAGES = [["harbour-shop", "lamps.html"], ["petromyra-museum", "fakos.html"], ["fieldnotes", "2025/05/counting-swifts.html"]];

/** Finds the frame of a page of a demo site. */
async function found(scene, name, path) {
  const site = await scene.demo(name);
  const url = `${site.origin}/${path}`;
  const page = await scene.open(url);
  const panel = await scene.panel(page);
  const job = await panel.find();
  assert.equal(job.state, "done", job.error);
  return { site, url, page, panel, job, source: fs.readFileSync(`${DEMO}/${name}/pages/${path}`) };
}

/** The clipboard after a copy, which needs a click of a real pointer. */
async function copy(panel, what) {
  await panel.page.copied(`#copy-${what}`);
  await until("it is copied", async () => {
    const line = await panel.text("take-line");
    if (/^Copied, [\d,]+ characters\.$/.test(line)) return true;
    throw new Error(line);
  });
  return panel.page.run(() => navigator.clipboard.readText());
}

export const tests = PAGES.map(([name, path]) => ({
  name: `what is taken of ${name} is what the command line writes`,
  async run(scene) {
    const { site, url, panel, job, source } = await found(scene, name, path);
    const page = scene.file("page.html", source);

    // The state, as a file.
    const state = await panel.page.saved("#save-state");
    assert.match(state.name, /^127\.0\.0\.1-\d+\.unframe$/);
    scene.file("saved.unframe", state.bytes);
    const { site: known } = await panel.status();
    const told = await scene.unframe("state", "show", "saved.unframe");
    assert.ok(told.includes(site.host) && told.includes(`${known.pages}`), told);
    await scene.unframe("state", "check", "saved.unframe");

    // The content, by that state.
    for (const what of ["markdown", "text", "html"]) {
      fs.copyFileSync(scene.file("saved.unframe"), scene.file("state.unframe"));
      await scene.unframe("clean", page, "--url", url, "--state", "state.unframe", "--format", what, "-o", `out-${what}`, "-q");
      const written = fs.readdirSync(scene.file(`out-${what}`), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      assert.equal(written.length, 1);
      const bytes = fs.readFileSync(`${written[0].parentPath}/${written[0].name}`);
      // HTML is written in the bytes of the page, and the clipboard has letters.
      const charset = what === "html" ? /charset=["']?([\w-]+)/i.exec(source.toString("latin1"))?.[1] ?? "utf-8" : "utf-8";
      // Node takes windows-1252 for latin1; browsers know better.
      const expected = await panel.page.run((charset, base64) => {
        return new TextDecoder(charset).decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
      }, charset, bytes.toString("base64"));
      const taken = await panel.ask("take", { what });
      assert.equal(taken.text.trimEnd(), expected.trimEnd(), what);
      assert.ok(taken.text.length > 200, taken.text);
      if (what === "markdown") assert.equal(await copy(panel, what), taken.text);
    }

    // The template, by the same pages.
    const template = await panel.page.saved("#save-template");
    assert.match(template.name, /^127\.0\.0\.1-\d+-template\.html$/);
    const live = ["--allow-private", "--contact", "test@unframe.example", "--delay", "0.1"];
    const votes = JSON.parse(await scene.unframe("template", url, ...live, "--json", "-o", "template.html", "-q"));
    assert.deepEqual(job.summary.restsOn, votes.rests_on.map((one) => one.url));
    assert.equal(template.bytes.toString(), fs.readFileSync(scene.file("template.html"), "utf8"));
    assert.ok(template.bytes.includes("data-unframe-slot"));

    // The rules.
    const rules = await panel.page.saved("#save-rules");
    assert.match(rules.name, /^127\.0\.0\.1-\d+\.rules$/);
    scene.file("saved.rules", rules.bytes);
    assert.match(rules.bytes.toString(), /(keep|remove) \{/);
    const text = await scene.unframe("clean", page, "--url", url, "--rules", "saved.rules", "--format", "text", "-q");
    const own = (await panel.ask("take", { what: "text" })).text;
    const [first] = own.split("\n").filter((line) => line.length > 60);
    assert.ok(text.includes(first), `${first}\nis not in\n${text}\nby\n${rules.bytes}`);
  },
}));

tests.push({
  name: "what is copied can be read from the screen, and before a search only what needs none is taken",
  async run(scene) {
    const site = await scene.demo("harbour-shop");
    const page = await scene.open(`${site.origin}/lamps.html`);
    const panel = await scene.panel(page);
    for (const what of ["template", "rules", "state"]) {
      await panel.page.run(() => { document.getElementById("take-line").textContent = ""; });
      await panel.press(`save-${what}`);
      await becomes("it is refused", () => panel.text("take-line"), "Find the frame first.");
    }
    await page.run(() => {
      const [made] = document.getElementsByTagName("p");
      made.textContent = "A paragraph that a script has made after the page was loaded, of some length, so that it is content.";
    });
    const words = "that a script has made";
    assert.ok(!(await panel.ask("take", { what: "text" })).text.includes(words));
    await scene.browser.ask("set", { settings: { read: "screen", favor: "recall" } });
    assert.ok((await panel.ask("take", { what: "text" })).text.includes(words));
    // Not what a view has made of it.
    const plain = (await panel.ask("take", { what: "html" })).text;
    for (const view of ["content", "template", "tint"]) {
      await panel.view(view);
      assert.equal((await panel.ask("take", { what: "html" })).text, plain, view);
    }
  },
});
