// Pages whose document is odd: in each view they are as they were afterwards, to the last node.

import assert from "node:assert/strict";
import { differences, remember, visible } from "./dom.mjs";
import { stories } from "./site.mjs";
import { until } from "./wait.mjs";

const BODIES = {
  "texts that are split or empty, and comments": `<div id="split">One </div><!-- a comment --><p>Two<!---->three<!-- --></p>
    <script>
      const split = document.getElementById("split");
      split.append("two ", "", "three ", document.createTextNode(""), "four");
      split.firstChild.splitText(1);
      document.body.append("", document.createComment("last"), "");
      document.documentElement.append(document.createTextNode(" after the body "));
    </script>`,
  "attributes with odd names and of our own": `<p @click="a" :key='b' (tap)="c" [x]=d v-on:x.y="e" 1a="f" a,b="g" é="h" data-="i">Odd attributes</p>
    <p unframe-mark="hidden" id="own">Hidden by nobody</p><p unframe-mark="">Also</p><div unframe-mark="slot"><b>Slot of the page</b></div>
    <unframe-tip>A tip of the page</unframe-tip>
    <p id="strange">Strange</p>
    <script>
      const strange = document.getElementById("strange");
      strange.setAttributeNS("urn:a", "p:href", "x");
      strange.setAttributeNS("urn:b", "q:href", "y");
      const made = document.createRange().createContextualFragment('<i "quoted"=1 <=2 a"b=3>made</i>');
      strange.append(made);
    </script>`,
  "hidden things and styles": `<p hidden>Hidden</p><p style="display: none">None</p><p style="color:RED;;  color : blue !important">Inline</p>
    <p style="not css at all {">Broken</p><p style="">Empty</p><dialog open>Open dialog</dialog><div inert>Inert</div><p class="">No class</p>
    <div style="content-visibility: hidden">Skipped</div><div popover>Popover</div>`,
  "templates, drawings and formulas": `<template><p>In a template <b>deep</b></p></template>
    <svg viewBox="0 0 10 10" width="40" height="40"><title>Drawing</title><text x="1" y="8">svg</text><foreignObject width="9" height="9"><p xmlns="http://www.w3.org/1999/xhtml">Foreign</p></foreignObject><style>text { fill: red }</style></svg>
    <math><mi>x</mi><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><annotation-xml encoding="text/html"><p>Annotated</p></annotation-xml></math>
    <canvas width="9" height="9">Fallback</canvas><object>Object</object><noscript><p>No script</p></noscript><video controls>No video</video>`,
  "shadow trees and frames": `<div id="host">Light <b slot="s">slotted</b></div><div><template shadowrootmode="open"><p>Declared shadow</p><slot></slot></template>Lit</div>
    <iframe srcdoc="<p>Framed words</p>" id="frame"></iframe><iframe src="/frame"></iframe>
    <closed-box>Outside</closed-box>
    <script>
      const shadow = document.getElementById("host").attachShadow({ mode: "open" });
      shadow.innerHTML = "<style>p { color: green }</style><p>Shadow words</p><slot></slot><slot name=s></slot>";
      customElements.define("closed-box", class extends HTMLElement {
        constructor() { super(); this.attachShadow({ mode: "closed" }).innerHTML = "<p>Closed words</p><slot></slot>"; }
        static observedAttributes = ["class", "hidden", "style", "unframe-mark"];
        attributeChangedCallback(name) { (window.changes ??= []).push(name); }
      });
    </script>`,
  "forms and what is edited": `<form><textarea>
 first line</textarea><input value="a&quot;b" disabled><button name="innerHTML">Press</button><input name="childNodes"><input name="nodeType">
    <fieldset disabled><legend>Legend</legend><select><optgroup label="g"><option selected>x</option></optgroup></select></fieldset>
    <output>Out</output><meter value=".5">half</meter><datalist><option value="d"></datalist></form>
    <div contenteditable="true">Edited <i>text</i> here</div><div contenteditable="plaintext-only">Plain</div>
    <img name="getElementById" alt=""><img name="body" alt=""><img name="addEventListener" alt=""><img name="removeEventListener" alt=""><img name="caretPositionFromPoint" alt=""><form name="documentElement"></form><a id="toString"></a>`,
  "markup that a parser mends": `<p>One<div>Two</p>Three<table>Stray<tr><td>Cell<b>Bold<p>Par</table></b>after<li>item<dd>dd
    <pre>

 two lines</pre><listing>
x</listing><xmp><b>not bold</b></xmp><font><center><marquee>Moving</marquee></center></font><a href=1>A<a href=2>B</a>
    <table><caption>Cap<colgroup><col><tbody><tr><th>H</table><ruby>漢<rt>kan</ruby>&nbsp;&amp;&lt;&#0;&#x80;&notit;<svg><p>out of it</p></svg>`,
};

/** The plaintext element swallows all that follows, so its page is of its own. */
const PLAIN = "<!doctype html><title>Plain</title><header><p>Head of the page</p></header><p>Some content that is worth it</p><plaintext>Raw <b>words</b> & so on\n";

const VIEWS = ["content", "template", "tint", "original", "tint", "content", "original", "template", "original"];

async function there(page, panel) {
  await page.run(remember);
  const before = await page.run(visible);
  const shown = {};
  for (const view of VIEWS) {
    await panel.view(view);
    if (view === "original") assert.deepEqual(await page.run(differences), []);
    else shown[view] = await page.run(visible);
  }
  assert.equal(await page.run(visible), before);
  return shown;
}

export const tests = [
  ...Object.entries(BODIES).map(([what, body]) => ({
    name: `an odd page is put back exactly: ${what}`,
    async run(scene) {
      // On all pages, so that it is frame; and on one, so that it is content.
      const inFrame = stories({ count: 4, frame: { bottom: body } });
      const site = await scene.site((request) => {
        if (request.path === "/frame") return { body: "<p>A frame of the site" };
        const given = inFrame(request);
        return request.url === "/story/0?own" ? { body: given.body.replace("</main>", `${body}</main>`) } : given;
      });
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      for (const at of [1, 2, 3]) {
        await panel.ask("keep", { learn: true });
        await page.go(`${site.origin}/story/${at}`);
        await learned(panel, at);
      }
      await panel.ask("keep", { learn: false });
      await page.go(`${site.origin}/story/0?own`);
      const shown = await there(page, panel);
      assert.ok(shown.content.includes("This is told in part 2 of story 0."), shown.content);
      assert.ok(!shown.content.includes("The Gazette of Nowhere"), shown.content);
      assert.ok(shown.template.includes("The Gazette of Nowhere"), shown.template);
      assert.ok(!shown.template.includes("This is told in part 2 of story 0."), shown.template);
    },
  })),
  {
    name: "an odd page is put back exactly: plaintext, no doctype, almost nothing",
    async run(scene) {
      const bodies = { "/plain": PLAIN, "/bare": "Only words", "/empty": "", "/frames": '<frameset cols="*,*"><frame src="/bare"><frame src="/plain"></frameset>' };
      const site = await scene.site(({ path }) => (path in bodies ? { body: bodies[path] } : null));
      for (const path of Object.keys(bodies)) {
        const page = await scene.open(site.origin + path);
        const panel = await scene.panel(page);
        await there(page, panel);
      }
    },
  },
  {
    name: "a document that is no HTML says so",
    async run(scene) {
      const site = await scene.site(() => ({ type: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg"><text y="20">Drawing</text></svg>' }));
      const panel = await scene.panel(await scene.open(`${site.origin}/`));
      await assert.rejects(panel.view("content"), /This page cannot be read/);
    },
  },
];

async function learned(panel, count) {
  await until(`${count} pages are learned`, async () => (await panel.status()).site?.pages >= count);
}
