// Uses every control of the lens in a real browser, with pages that attack it. Fails on errors in the console,
// on requests to another origin, and if a script of a page runs.
//
//   node lens.mjs PROGRAM CHROMIUM WORK_FOLDER
//
// playwright-core is expected in NODE_TOOLS [default: target/node-tools].

import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { createRequire } from "node:module";

const [program, browser, work] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, "../..");
const tools = path.resolve(process.env.NODE_TOOLS ?? path.join(root, "target/node-tools"));
const { chromium } = createRequire(path.join(tools, "package.json"))("playwright-core");
/** Against what hangs, and nothing else: no check depends on how fast the machine is. In milliseconds. */
const LONGEST = 300_000;
let passed = 0;

function check(what, is) {
  if (!is) throw new Error(`not so: ${what}`);
  passed += 1;
}

/** Waits until what `look` returns is as expected: a value, a pattern, or what a function says of it. */
async function until(what, look, expected = Boolean) {
  const isRight = (seen) => {
    if (typeof expected === "function") return expected(seen);
    return expected instanceof RegExp ? expected.test(seen) : seen === expected;
  };
  const end = performance.now() + LONGEST;
  for (;;) {
    let seen;
    try {
      seen = await look();
      if (isRight(seen)) {
        passed += 1;
        return seen;
      }
    } catch (error) {
      seen = error.message;
    }
    if (performance.now() > end) throw new Error(`not so: ${what}; instead: ${JSON.stringify(seen)?.slice(0, 1000)}`);
    await new Promise((resolve) => { setTimeout(resolve, 25); });
  }
}

// A server that must see nothing of the attacking pages, and one site to fetch.
const seen = [];
const site = http.createServer((request, response) => {
  if (request.url.startsWith("/site/") || request.url === "/robots.txt") {
    const number = request.url.split("/").pop();
    response.setHeader("Content-Type", request.url === "/robots.txt" ? "text/plain" : "text/html");
    response.end(request.url === "/robots.txt" ? "User-agent: *\nAllow: /\n" : story(number));
    return;
  }
  seen.push(request.url);
  response.end();
});

function story(number) {
  return `<!doctype html><title>Story ${number}</title><nav><a href="/site/1">One</a> <a href="/site/2">Two</a>
    <a href="/site/3">Three</a> <a href="/site/4">Four</a></nav><main><h1>Story ${number}</h1>
    <p>${`The story of number ${number} is told by the harbour wall, where lamps are lit. `.repeat(5)}</p></main>
    <footer>All rights reserved by the company of story tellers</footer>`;
}

function attack() {
  const text = "<p>" + "Some words that make this a page with a text of its own. ".repeat(8) + "</p>";
  return {
    "<img src=x onerror=\"fetch('URL/title')\">": text,
    "script": `<script>fetch('URL/script')</script>${text}<img src=x onerror="fetch('URL/onerror')">`,
    "</script><script>fetch('URL/title-script')</script>": text,
    "frames": `${text}<iframe srcdoc="<script>fetch('URL/srcdoc')</script>"></iframe><iframe src="URL/frame"></iframe>
      <object data="URL/object"></object><embed src="URL/embed">`,
    "links": `${text}<a href="javascript:fetch('URL/javascript')" id="bad">click</a><a href="URL/link">out</a>`,
    "loads": `${text}<link rel=stylesheet href="URL/style"><style>@import 'URL/import'; body{background:url(URL/back)}</style>
      <meta http-equiv=refresh content="0;url=URL/refresh"><img src="URL/img" srcset="URL/srcset 2x"><base href="URL/base/">
      <form action="URL/form"><button autofocus onfocus="fetch('URL/focus')">b</button></form>
      <svg onload="fetch('URL/svg')"><image href="URL/image"/></svg>`,
  };
}

await new Promise((resolve) => { site.listen(0, "127.0.0.1", resolve); });
const target = `http://127.0.0.1:${site.address().port}`;
const token = "a-token-for-this-test-0123456789";
fs.writeFileSync(path.join(work, "token"), token);
for (const name of ["lens.unframe", "lens.unframe.marks"]) fs.rmSync(path.join(work, name), { force: true });
const service = spawn(program, ["serve", "--state", path.join(work, "lens.unframe"), "--listen", "127.0.0.1:0", "--token-file",
  path.join(work, "token"), "--allow-fetch", "--allow-private", "--delay", "0.01"], { stdio: ["ignore", "inherit", "pipe"] });
process.on("exit", () => service.kill("SIGKILL"));
process.on("uncaughtException", (error) => {
  console.log(error);
  console.log(`lens: ${passed} passed, 1 failed`);
  process.exit(1);
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
let log = "";
service.stderr.on("data", (data) => { log += data; });
await until("the service starts", () => log, /http:\/\/[\d.:]+\//);
const origin = log.match(/http:\/\/[\d.:]+/)[0];

const post = (url, html) => fetch(`${origin}/v1/clean?url=${encodeURIComponent(url)}`, {
  method: "POST", body: html, headers: { "Content-Type": "text/html", Authorization: `Bearer ${token}` },
}).then((response) => check(`${url} is posted: ${response.status}`, response.ok));
const pages = path.join(root, "demo/harbour-shop/pages");
const htmlFiles = fs.readdirSync(pages).filter((name) => name.endsWith(".html"));
for (const name of htmlFiles) await post(`https://shop.example/${name}`, fs.readFileSync(path.join(pages, name)));
for (const [title, html] of Object.entries(attack())) {
  const page = `<title>${title.replaceAll("URL", target)}</title><nav>Home</nav>${html.replaceAll("URL", target)}`;
  await post(`https://evil.example/"><script>fetch('${target}/url')</script>?${encodeURIComponent(title)}`, page);
}
await fetch(`${origin}/v1/learn?url=https://a.example/&site=${encodeURIComponent(`<img src=x onerror=fetch('${target}/site')>`)}`, {
  method: "POST", body: story(1), headers: { "Content-Type": "text/html", Authorization: `Bearer ${token}` },
});

const chrome = await chromium.launch({ executablePath: browser, args: ["--no-sandbox", "--disable-gpu", "--disable-quic",
  "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"] });
const errors = [];
// What the policy has kept a hostile page from loading; browsers call that an error, too.
const kept = [];
const foreign = [];

async function open(scheme) {
  const context = await chrome.newContext({ viewport: { width: 1400, height: 900 }, colorScheme: scheme });
  context.setDefaultTimeout(LONGEST);
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    const isKept = message.text().includes(target) && message.text().includes("violates the following Content Security Policy");
    (isKept ? kept : errors).push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  // A request that the policy has refused is reported, too; the server of the attacks says whether it was sent.
  const isForeign = (request) => !request.url().startsWith(`${origin}/`) && !request.url().startsWith("data:");
  page.on("response", (response) => { if (isForeign(response.request())) foreign.push(response.url()); });
  page.on("requestfailed", (request) => {
    if (isForeign(request) && request.failure().errorText !== "csp") foreign.push(`${request.url()} ${request.failure().errorText}`);
  });
  await page.goto(`${origin}/`);
  return page;
}

const page = await open("light");
const shot = (name) => page.screenshot({ path: path.join(work, `${name}.png`) });
const textOf = (selector) => () => page.textContent(selector);
const status = textOf("#status");
const isVisible = (selector) => () => page.locator(selector).isVisible();
const countOf = (selector) => () => page.locator(selector).count();

/** Does something that asks the service, and returns its answer. */
async function answered(path, work) {
  const [response] = await Promise.all([page.waitForResponse((response) => new URL(response.url()).pathname === path), work()]);
  return response.json();
}

/** Does something that opens a page, and waits until it is there, in its frame, too. */
async function opened(work) {
  const view = await answered("/lens/view", work);
  await until("the page is shown", textOf("#text"), view.text);
  await inFrame("tinted", view.before);
  return view;
}

/** Waits until a frame has a document, with all that belongs to it. */
const inFrame = (id, document) => until(`${document} is in the frame ${id}`, () => page.locator(`#${id}`).evaluate((frame) => {
  const { location, document: { readyState } } = frame.contentWindow;
  return `${location.pathname}${location.search} ${readyState}`;
}), `${document} complete`);

// The token.
await page.waitForSelector("#token-box[open]");
// The browser reports the refused request itself.
await until("the only error is the missing token", () => errors, (seen) => seen.length === 1 && seen[0].includes("401"));
errors.length = 0;
await page.fill("#token", token);
await page.click("#token-send");
await until("the sites are listed", countOf("#site option"), (count) => count > 3);

// A site and its pages.
await opened(() => page.selectOption("#site", { label: "shop.example (8 pages)" }));
await page.waitForSelector("#work:not([hidden])");
const lamps = "https://shop.example/lamps.html";
await opened(() => page.selectOption("#page", lamps));
await until("the line says so", status, `shop.example: ${lamps}`);
const tinted = page.frameLocator("#tinted");
const frameTexts = () => tinted.locator("unframe-text[f]").count();
await until("some of the page is frame", frameTexts, (count) => count > 5);
await until("the page itself is there", () => tinted.locator("body").textContent(), /harbour wall/);
const regions = await until("regions are listed", countOf("#regions button"), (count) => count > 5);
await shot("page");

// The threshold.
const removed = async () => Number((await page.textContent("#removed")).split(" ")[0]);
const byMethod = await removed();
const slide = (value) => page.locator("#threshold").evaluate((slider, value) => {
  slider.value = value;
  slider.dispatchEvent(new Event("input"));
}, value);
await slide("0");
await until("everything is removed at 0 %", removed, regions);
await until("no word is kept at 0 %", textOf("#words"), /^0 of /);
await slide("100");
await until("nearly nothing is removed at 100 %", removed, (count) => count < byMethod);
await until("the tint follows", frameTexts, (count) => count < 20);
await page.focus("#threshold");
await page.keyboard.press("ArrowLeft");
await until("the slider has keys", textOf("#threshold-value"), "99 %");
await page.check("#own");
await until("the method decides again", removed, byMethod);
await page.check("#only-frame");
await until("only the frame is listed", countOf("#regions li:visible"), byMethod);
await page.uncheck("#only-frame");
await until("all regions are listed again", countOf("#regions li:visible"), regions);

// Hover and click in the page.
const heading = tinted.locator("unframe-text", { hasText: "If it floats" }).first();
await heading.hover();
await until("a hover shows the reasons", textOf("#hint"), /frame/);
await until("beside the pointer", isVisible("#hint"));
await shot("hover");
await heading.click();
await until("a click shows the region", isVisible("#chosen"));
await until("with its selector", textOf("#chosen-css"), /.{4}/);
await until("with evidence", countOf("#evidence tr"), (count) => count > 0);

// Marks.
const text = textOf("#text");
const isWithout = (words) => (seen) => !seen.includes(words);
const isWritten = () => until("the marks are written", status, "The marks are written.");
await until("it is removed at first", text, isWithout("If it floats"));
await page.click("#protect");
await isWritten();
await until("it is kept after that", text, /If it floats/);
await until("the mark is listed", textOf("#marks"), /^kept /);
await until("the reason says so", textOf("#chosen-rule"), /protected/);
const marks = fs.readFileSync(path.join(work, "lens.unframe.marks"), "utf8");
check(`the mark is on disk: ${marks}`, marks.includes("@site shop.example;"));
await page.click("#drop");
await isWritten();
await until("it is removed by the other mark", text, isWithout("If it floats"));
await until("the other mark is listed", textOf("#marks"), /^removed /);
await page.click("#marks button");
await isWritten();
await until("the mark can be forgotten", textOf("#marks"), /^None\./);

// Regions by keyboard.
await page.locator("#regions button").first().focus();
await page.keyboard.press("Enter");
await until("a region is chosen by keys", () => page.getAttribute("#regions button >> nth=0", "aria-current"), "true");

// The views, by mouse and by keys.
await page.click("#tab-beside");
const bodyOf = (id) => () => page.frameLocator(`#${id}`).locator("body").textContent();
await until("after: the content is there", bodyOf("after"), /harbour wall/);
await until("after: the frame is gone", bodyOf("after"), isWithout("If it floats"));
await until("before: the frame is there", bodyOf("before"), /If it floats/);
await shot("beside");
await page.focus("#tab-beside");
await page.keyboard.press("ArrowRight");
await until("the text is shown by keys", isVisible("#text"));
await until("it has the content", text, /harbour wall/);
await page.keyboard.press("ArrowRight");
await until("the Markdown is shown", isVisible("#markdown"));
await until("it is Markdown", textOf("#markdown"), /## /);
await shot("markdown");
await page.keyboard.press("ArrowRight");
await until("the template has slots", textOf("#slots"), /^[1-9]\d* slots? /);
await until("the template is the frame", bodyOf("template"), /If it floats/);
await shot("template");
await page.keyboard.press("ArrowRight");
await until("the clusters are drawn", countOf("#clusters .page"), 8);
await shot("clusters");
await opened(async () => {
  await page.locator("#clusters .page").nth(3).focus();
  await page.keyboard.press("Enter");
});
await until("a page of the map is opened", isVisible("#tinted"));
await page.click("#tab-drift");
await until("the drift is plotted", countOf("#drift .point"), 8);
await until("designs are listed", countOf("#designs tbody tr"), 1);
await shot("drift");
await page.keyboard.press("Home");
await until("the first view is a key away", isVisible("#tinted"));

// What is removed, and what is favored.
await opened(() => page.selectOption("#page", lamps));
const usual = await text();
await opened(() => page.selectOption("#favor", "recall"));
const generous = await opened(() => page.selectOption("#remove", "template"));
check(`another answer is shown: ${generous.text}`, generous.text !== usual);
await opened(() => page.selectOption("#favor", "precision"));
await opened(() => page.selectOption("#remove", "boilerplate"));
await opened(() => page.selectOption("#favor", "balance"));
await until("the first answer is shown again", text, usual);

// Attacks: every page of the hostile site in every view.
await opened(() => page.locator("#site option", { hasText: "evil.example" }).first().evaluate((option) => {
  option.parentElement.parentElement.value = option.value;
  option.parentElement.parentElement.dispatchEvent(new Event("change"));
}));
await until("the hostile site is open", countOf("#page option"), 6);
for (const url of await page.locator("#page option").evaluateAll((options) => options.map((option) => option.value))) {
  await page.click("#tab-page");
  const view = await opened(() => page.selectOption("#page", url));
  await until("the line says so", status, (line) => line.includes(url));
  for (const link of await tinted.locator("a").all()) await link.click();
  await page.click("#tab-beside");
  await inFrame("before", view.before);
  await inFrame("after", view.after);
  const template = await answered("/lens/template", () => page.click("#tab-template"));
  await inFrame("template", template.document);
  const { pages } = await answered("/lens/clusters", () => page.click("#tab-clusters"));
  await until("the clusters are drawn", countOf("#clusters .page"), pages);
  await page.click("#tab-drift");
  await until("the drift is plotted", countOf("#drift .point"), (count) => count > 0);
}

check(`only what the policy forbids is an error: ${errors.join(" | ")}`, errors.length === 0);

// Files, a folder, and what is no page.
await page.setInputFiles("#files", htmlFiles.map((name) => path.join(pages, name)));
await until("files are learned", status, /^8 pages of 1 site/);
const archive = path.join(work, "pages.jsonl");
fs.writeFileSync(archive, [1, 2, 3].map((n) => JSON.stringify({ url: `https://lines.example/${n}`, html: story(n) })).join("\n"));
await page.setInputFiles("#files", [archive]);
await until("lines of JSON are learned", status, /^3 pages of 1 site/);
const warc = path.join(work, "pages.warc");
const record = (n) => {
  const body = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${story(n)}`;
  return `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://archive.example/${n}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n`
    + `WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-00000000000${n}>\r\nContent-Type: application/http; msgtype=response\r\n`
    + `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}\r\n\r\n`;
};
fs.writeFileSync(warc, [1, 2, 3, 4].map(record).join(""));
await page.setInputFiles("#files", [warc]);
await until("an archive is learned", status, /^4 pages of 1 site/);
await page.setInputFiles("#folder", path.join(root, "demo/harbour-shop"));
await until("the site of a folder is opened", () => page.inputValue("#site"), /harbour-shop/);
await until("a folder is learned", status, /^\d+ pages of 1 site/);
fs.writeFileSync(path.join(work, "noise.bin"), Buffer.alloc(5000, "\u0000\u0001\u0002ab"));
await page.setInputFiles("#files", [path.join(work, "noise.bin")]);
await until("what is no page is said", status, /No page/);

// Dropped onto the page.
await page.evaluate(async (html) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([html], "dropped.html", { type: "text/html" }));
  document.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
}, story(9));
await until("a drop is learned", status, /^1 page of 1 site/);

// A URL.
await page.fill("#address", `${target}/site/1`);
await page.click("#fetch");
await until("a URL is fetched", status, /: http.*\/site\/1$/);
await until("with pages that it links to", countOf("#page option"), (count) => count >= 4);
await shot("fetched");
await page.fill("#address", "ftp://127.0.0.1/");
await page.click("#fetch");
await until("a bad URL is refused in words", () => page.getAttribute("#status", "class"), "bad");
// The browser reports the refused request itself.
await until("the only error is the bad URL", () => errors, (seen) => seen.length === 1);
errors.length = 0;
await page.click("#clear");
await until("what was dropped is forgotten", textOf("#site"), (sites) => sites.includes("shop.example") && !sites.includes("harbour-shop"));

// Dark, and on a small screen.
const dark = await open("dark");
await dark.waitForSelector("#token-box[open]");
await until("the only error is the missing token in the dark", () => errors, (seen) => seen.length === 1 && seen[0].includes("401"));
errors.length = 0;
await dark.fill("#token", token);
await dark.keyboard.press("Enter");
await until("sites are listed in the dark", () => dark.locator("#site option").count(), (count) => count > 3);
await dark.selectOption("#site", { label: "shop.example (8 pages)" });
await dark.waitForSelector("#work:not([hidden])");
await dark.frameLocator("#tinted").locator("unframe-text").first().waitFor();
const back = await dark.evaluate(() => getComputedStyle(document.body).backgroundColor);
check(`the dark is dark: ${back}`, back.match(/\d+/g).every((value) => Number(value) < 60));
await dark.screenshot({ path: path.join(work, "dark.png") });
await dark.setViewportSize({ width: 420, height: 800 });
const widths = () => dark.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
await until("nothing is cut off on a small screen", widths, ([page, screen]) => page <= screen && screen === 420);
await dark.screenshot({ path: path.join(work, "small.png"), fullPage: true });

// For screen readers: everything that can be used has a name.
const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, select, iframe, [role=tab]")]
  .filter((element) => !(element.ariaLabel || element.title || element.textContent.trim() || element.labels?.length || element.getAttribute("aria-label")))
  .map((element) => element.outerHTML.slice(0, 80)));
check(`everything has a name: ${unnamed}`, unnamed.length === 0);

await page.goto(`${origin}/docs`);
await until("the interface is described", textOf("main"), /\/v1\/clean\/batch/);
await shot("docs");

check(`no errors in the console: ${errors.join(" | ")}`, errors.length === 0);
check("the policy was needed", kept.length > 0);
check(`no request to another origin: ${foreign.join(" ")}`, foreign.length === 0);
check(`no script of a page has run, and nothing was loaded: ${seen.join(" ")}`, seen.length === 0);
check(`no panic and no page in the log: ${log}`, !/panicked|harbour wall|evil\.example/.test(log));
await chrome.close();
service.kill("SIGTERM");
const [code] = await once(service, "exit");
check(`the service ends well: ${code}`, code === 0);
site.close();
site.closeAllConnections();
console.log(`lens: ${passed} passed, 0 failed`);
