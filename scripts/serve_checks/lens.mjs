// Uses every control of the lens in a real browser, with pages that attack it. Fails on errors in the console,
// on requests to another origin, and if a script of a page runs.
//
//   node lens.mjs PROGRAM CHROMIUM WORK_FOLDER

import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { createRequire } from "node:module";

const [program, browser, work] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(work), "package.json"));
const { chromium } = require("playwright-core");
const root = path.resolve(import.meta.dirname, "../..");
let passed = 0;

function check(what, is) {
  if (!is) throw new Error(`not so: ${what}`);
  passed += 1;
}

async function until(what, test) {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await test()) return check(what, true);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  check(what, false);
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

function attack(url) {
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

await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
const target = `http://127.0.0.1:${site.address().port}`;
const token = "a-token-for-this-test-0123456789";
fs.writeFileSync(path.join(work, "token"), token);
for (const name of ["lens.unframe", "lens.unframe.marks"]) fs.rmSync(path.join(work, name), { force: true });
const service = spawn(program, ["serve", "--state", path.join(work, "lens.unframe"), "--listen", "127.0.0.1:0", "--token-file",
  path.join(work, "token"), "--allow-fetch", "--allow-private", "--delay", "0.01"], { stdio: ["ignore", "inherit", "pipe"] });
process.on("exit", () => service.kill("SIGKILL"));
process.on("uncaughtException", (error) => { console.error(error); process.exit(1); });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
let log = "";
service.stderr.on("data", (data) => { log += data; });
await until("the service starts", () => /http:\/\/[\d.:]+\//.test(log));
const origin = log.match(/http:\/\/[\d.:]+/)[0];

const post = (url, html) => fetch(`${origin}/v1/clean?url=${encodeURIComponent(url)}`, {
  method: "POST", body: html, headers: { "Content-Type": "text/html", Authorization: `Bearer ${token}` },
}).then((response) => check(`${url} is posted`, response.ok));
const pages = path.join(root, "demo/harbour-shop/pages");
const htmlFiles = fs.readdirSync(pages).filter((name) => name.endsWith(".html"));
for (const name of htmlFiles) await post(`https://shop.example/${name}`, fs.readFileSync(path.join(pages, name)));
for (const [title, html] of Object.entries(attack(target))) {
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

// The token.
await page.waitForSelector("#token-box[open]");
// The browser reports the refused request itself.
check("the only error is the missing token", errors.length === 1 && errors[0].includes("401"));
errors.length = 0;
await page.fill("#token", token);
await page.click("#token-send");
await until("the sites are listed", async () => (await page.locator("#site option").count()) > 3);

// A site and its pages.
await page.selectOption("#site", { label: "shop.example (8 pages)" });
await page.waitForSelector("#work:not([hidden])");
const lamps = "https://shop.example/lamps.html";
await page.selectOption("#page", lamps);
const tinted = page.frameLocator("#tinted");
await tinted.locator("unframe-text").first().waitFor();
check("some of the page is frame", (await tinted.locator("unframe-text[f]").count()) > 5);
check("the page itself is there", (await tinted.locator("body").textContent()).includes("harbour wall"));
check("regions are listed", (await page.locator("#regions button").count()) > 5);
await shot("page");

// The threshold.
const removed = async () => Number((await page.textContent("#removed")).split(" ")[0]);
const byMethod = await removed();
const slide = (value) => page.locator("#threshold").evaluate((slider, value) => {
  slider.value = value;
  slider.dispatchEvent(new Event("input"));
}, value);
await slide("0");
const regions = await page.locator("#regions button").count();
check("everything is removed at 0 %", (await removed()) === regions);
check("no word is kept at 0 %", (await page.textContent("#words")).startsWith("0 of "));
await slide("100");
check("nearly nothing is removed at 100 %", (await removed()) < byMethod);
check("the tint follows", (await tinted.locator("unframe-text[f]").count()) < 20);
await page.focus("#threshold");
await page.keyboard.press("ArrowLeft");
check("the slider has keys", (await page.textContent("#threshold-value")) === "99 %");
await page.check("#own");
check("the method decides again", (await removed()) === byMethod);
await page.check("#only-frame");
check("only the frame is listed", (await page.locator("#regions li:visible").count()) === byMethod);
await page.uncheck("#only-frame");

// Hover and click in the page.
const heading = tinted.locator("unframe-text", { hasText: "If it floats" }).first();
await heading.hover();
await until("a hover shows the reasons", async () => /frame/.test(await page.textContent("#hint")) && page.locator("#hint").isVisible());
await shot("hover");
await heading.click();
await until("a click shows the region", () => page.locator("#chosen").isVisible());
check("with its selector", (await page.textContent("#chosen-css")).length > 3);
check("with evidence", (await page.locator("#evidence tr").count()) > 0);

// Marks.
const text = () => page.textContent("#text");
const protectedText = await page.textContent("#chosen-text");
check("it is removed at first", !(await text()).includes("If it floats"));
await page.click("#protect");
await until("it is kept after that", async () => (await text()).includes("If it floats"));
await until("the mark is listed", async () => (await page.textContent("#marks")).startsWith("kept "));
check("the reason says so", (await page.textContent("#chosen-rule")).includes("protected"));
check("the mark is on disk", fs.readFileSync(path.join(work, "lens.unframe.marks"), "utf8").includes("@site shop.example;"));
await page.click("#drop");
await until("it is removed by the other mark", async () => !(await text()).includes("If it floats") && (await page.textContent("#marks")).startsWith("removed "));
await page.click("#marks button");
await until("the mark can be forgotten", async () => (await page.textContent("#marks")).startsWith("None.") && (await page.textContent("#status")) === "The marks are written.");

// Regions by keyboard.
await page.locator("#regions button").first().focus();
await page.keyboard.press("Enter");
await until("a region is chosen by keys", async () => (await page.getAttribute("#regions button >> nth=0", "aria-current")) === "true");

// The views, by mouse and by keys.
await page.click("#tab-beside");
const after = page.frameLocator("#after");
await until("after: the content is there", async () => (await after.locator("body").textContent()).includes("harbour wall"));
check("after: the frame is gone", !(await after.locator("body").textContent()).includes("If it floats"));
check("before: the frame is there", (await page.frameLocator("#before").locator("body").textContent()).includes("If it floats"));
await shot("beside");
await page.focus("#tab-beside");
await page.keyboard.press("ArrowRight");
check("the text is shown by keys", await page.locator("#text").isVisible());
check("it has the content", (await text()).includes("harbour wall"));
await page.keyboard.press("ArrowRight");
check("the Markdown is shown", (await page.textContent("#markdown")).includes("## "));
await shot("markdown");
await page.keyboard.press("ArrowRight");
await until("the template has slots", async () => /^[1-9]\d* slots? /.test(await page.textContent("#slots")));
await until("the template is the frame", async () => (await page.frameLocator("#template").locator("body").textContent()).includes("If it floats"));
await shot("template");
await page.keyboard.press("ArrowRight");
await until("the clusters are drawn", async () => (await page.locator("#clusters .page").count()) === 8);
await shot("clusters");
await page.locator("#clusters .page").nth(3).focus();
await page.keyboard.press("Enter");
await until("a page of the map is opened", () => page.locator("#tinted").isVisible());
await page.click("#tab-drift");
await until("the drift is plotted", async () => (await page.locator("#drift .point").count()) === 8);
check("designs are listed", (await page.locator("#designs tbody tr").count()) === 1);
await shot("drift");
await page.keyboard.press("Home");
check("the first view is a key away", await page.locator("#tinted").isVisible());

// What is removed, and what is favored.
await page.selectOption("#page", lamps);
await until("the page is chosen", async () => (await page.inputValue("#page")) === lamps);
await page.selectOption("#favor", "recall");
await page.selectOption("#remove", "template");
await until("another answer is shown", async () => (await page.textContent("#status")).includes(lamps));
await page.selectOption("#favor", "precision");
await page.selectOption("#remove", "boilerplate");
await page.selectOption("#favor", "balance");

// Attacks: every page of the hostile site in every view.
await page.locator("#site option", { hasText: "evil.example" }).first().evaluate((option) => {
  option.parentElement.parentElement.value = option.value;
  option.parentElement.parentElement.dispatchEvent(new Event("change"));
});
await until("the hostile site is open", async () => (await page.locator("#page option").count()) === 6);
for (const url of await page.locator("#page option").evaluateAll((options) => options.map((option) => option.value))) {
  await page.click("#tab-page");
  await page.selectOption("#page", url);
  await until("its page is shown", async () => (await page.textContent("#status")).includes(url));
  await tinted.locator("body").waitFor();
  for (const link of await tinted.locator("a").all()) await link.click({ force: true, timeout: 2000 }).catch(() => {});
  for (const tab of ["beside", "template", "clusters", "drift"]) {
    await page.click(`#tab-${tab}`);
    await page.waitForTimeout(80);
  }
}

check(`only what the policy forbids is an error: ${errors.join(" | ")}`, errors.length === 0);

// Files, a folder, and what is no page.
await page.setInputFiles("#files", htmlFiles.map((name) => path.join(pages, name)));
await until("files are learned", async () => (await page.textContent("#status")).includes("8 pages of 1 site"));
const archive = path.join(work, "pages.jsonl");
fs.writeFileSync(archive, [1, 2, 3].map((n) => JSON.stringify({ url: `https://lines.example/${n}`, html: story(n) })).join("\n"));
await page.setInputFiles("#files", [archive]);
await until("lines of JSON are learned", async () => (await page.textContent("#status")).includes("3 pages of 1 site"));
const warc = path.join(work, "pages.warc");
const record = (n) => {
  const body = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${story(n)}`;
  return `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://archive.example/${n}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n`
    + `WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-00000000000${n}>\r\nContent-Type: application/http; msgtype=response\r\n`
    + `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}\r\n\r\n`;
};
fs.writeFileSync(warc, [1, 2, 3, 4].map(record).join(""));
await page.setInputFiles("#files", [warc]);
await until("an archive is learned", async () => (await page.textContent("#status")).includes("4 pages of 1 site"));
await page.setInputFiles("#folder", path.join(root, "demo/harbour-shop"));
await until("a folder is learned", async () => /^\d+ pages of 1 site/.test(await page.textContent("#status")) && (await page.inputValue("#site")).includes("harbour-shop"));
fs.writeFileSync(path.join(work, "noise.bin"), Buffer.alloc(5000, "\u0000\u0001\u0002ab"));
await page.setInputFiles("#files", [path.join(work, "noise.bin")]);
await until("what is no page is said", async () => (await page.textContent("#status")).includes("No page"));

// Dropped onto the page.
await page.evaluate(async (html) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([html], "dropped.html", { type: "text/html" }));
  document.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
}, story(9));
await until("a drop is learned", async () => (await page.textContent("#status")).includes("1 page of 1 site"));

// A URL.
await page.fill("#address", `${target}/site/1`);
await page.click("#fetch");
await until("a URL is fetched with pages that it links to", async () => (await page.textContent("#status")).includes("/site/1") && (await page.locator("#page option").count()) >= 4);
await shot("fetched");
await page.fill("#address", "ftp://127.0.0.1/");
await page.click("#fetch");
await until("a bad URL is refused in words", async () => (await page.getAttribute("#status", "class")) === "bad");
// The browser reports the refused request itself.
check(`the only error is the bad URL: ${errors.join(" | ")}`, errors.length === 1);
errors.length = 0;
await page.click("#clear");
await until("what was dropped is forgotten", async () => (await page.textContent("#site")).includes("shop.example") && !(await page.textContent("#site")).includes("harbour-shop"));

// Dark, and on a small screen.
const dark = await open("dark");
await dark.waitForSelector("#token-box[open]");
errors.length = 0;
await dark.fill("#token", token);
await dark.keyboard.press("Enter");
await until("sites are listed in the dark", async () => (await dark.locator("#site option").count()) > 3);
await dark.selectOption("#site", { label: "shop.example (8 pages)" });
await dark.waitForSelector("#work:not([hidden])");
await dark.frameLocator("#tinted").locator("unframe-text").first().waitFor();
const back = await dark.evaluate(() => getComputedStyle(document.body).backgroundColor);
check("the dark is dark", back.match(/\d+/g).every((value) => Number(value) < 60));
await dark.screenshot({ path: path.join(work, "dark.png") });
await dark.setViewportSize({ width: 420, height: 800 });
check("nothing is cut off on a small screen", await dark.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
await dark.screenshot({ path: path.join(work, "small.png"), fullPage: true });

// For screen readers: everything that can be used has a name.
const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, select, iframe, [role=tab]")]
  .filter((element) => !(element.ariaLabel || element.title || element.textContent.trim() || element.labels?.length || element.getAttribute("aria-label")))
  .map((element) => element.outerHTML.slice(0, 80)));
check(`everything has a name: ${unnamed}`, unnamed.length === 0);

await page.goto(`${origin}/docs`);
check("the interface is described", (await page.textContent("main")).includes("/v1/clean/batch"));
await shot("docs");

check(`no errors in the console: ${errors.join(" | ")}`, errors.length === 0);
check("the policy was needed", kept.length > 0);
check(`no request to another origin: ${foreign.join(" ")}`, foreign.length === 0);
check(`no script of a page has run, and nothing was loaded: ${seen.join(" ")}`, seen.length === 0);
check("no panic and no page in the log", !/panicked|harbour wall|evil\.example/.test(log));
await chrome.close();
service.kill("SIGTERM");
const [code] = await once(service, "exit");
check("the service ends well", code === 0);
site.close();
site.closeAllConnections();
console.log(`lens: ${passed} passed, 0 failed`);
