// What is asked of whom: the same origin only, as its robots.txt wants, no longer than the user wants, and without cookies.

import assert from "node:assert/strict";
import { stories } from "./site.mjs";
import { becomes, until } from "./wait.mjs";

const paths = (requests) => requests.map(({ path }) => path);

/** Only these paths are answered by `answers`. */
const except = (answers) => ({ path }) => answers[path];

async function searched(scene, answer) {
  const site = await scene.site(answer);
  const page = await scene.open(`${site.origin}/story/0`);
  const panel = await scene.panel(page);
  const before = site.log.length;
  const job = await panel.find();
  return { site, page, panel, job, asked: site.loads(before), line: await panel.text("job-line"), loads: await panel.loads() };
}

export const tests = [
  {
    name: "nothing is loaded from other origins",
    async run(scene) {
      const other = await scene.site(stories(), { host: "localhost" });
      const third = await scene.site(stories());
      const head = `<link rel="canonical" href="${other.origin}/story/1"><meta property="og:url" content="${other.origin}/">
        <link rel="alternate" href="${third.origin}/story/2">`;
      const links = [`${other.origin}/story/1`, `//${third.host}/story/2`, "/story/away", "/story/far"];
      const top = links.map((url) => `<a href="${url}">Elsewhere</a>`).join(" ");
      const site = await scene.site(stories({
        // Fewer pages than are wanted, so that every link is tried.
        count: 3,
        frame: { head, top, bottom: `<img src="${other.origin}/picture.png" alt="A picture of elsewhere">` },
        more: except({
          "/story/away": { status: 302, headers: { Location: `${other.origin}/story/3` } },
          "/story/far": { status: 301, headers: { Location: `http://${third.host}/story/3` } },
        }),
      }));
      const panel = await scene.panel(await scene.open(`${site.origin}/story/0`));
      await until("the page has its picture", () => other.log.length > 0);
      const before = other.log.length;
      const job = await panel.find();
      assert.equal(job.state, "done", job.error);
      const away = (await panel.loads()).filter(({ path }) => path === "/story/away" || path === "/story/far");
      assert.deepEqual(away.map(({ state, why }) => [state, why]), Array(2).fill(["failed", "it redirects to another site"]));
      for (const view of ["content", "template", "tint", "original"]) await panel.view(view);
      for (const what of ["markdown", "text", "html", "template", "rules", "state"]) await panel.ask("take", { what });
      await panel.ask("keep", { learn: true });
      assert.deepEqual(paths(other.log.slice(before)), []);
      assert.deepEqual(paths(third.log), []);

      // The saved template shows a picture of the other site, and does not load it.
      const { text } = await panel.ask("take", { what: "template" });
      assert.ok(text.includes(`${other.origin}/picture.png`));
      const home = await scene.site(() => ({ body: text }));
      const opened = await scene.open(`${home.origin}/`);
      assert.match(await opened.run(() => document.body.innerText), /all rights reserved/);
      assert.deepEqual(paths(other.log.slice(before)), []);
    },
  },
  {
    name: "a base of another origin leads nowhere",
    async run(scene) {
      const other = await scene.site(stories());
      const { job, loads } = await searched(scene, stories({ frame: { head: `<base href="${other.origin}/">` } }));
      assert.equal(job.state, "failed");
      assert.ok(loads.every(({ state }) => state === "skipped"), JSON.stringify(loads));
      assert.deepEqual(paths(other.log), []);
    },
  },
  {
    name: "cancel stops at once, and cuts the request that runs",
    async run(scene) {
      let isSlow = true;
      const never = () => {};
      const site = await scene.site(stories({
        more: ({ path, headers }) => (isSlow && headers["sec-fetch-dest"] === "empty" && path !== "/robots.txt" && path !== "/story/0" ? never : undefined),
      }));
      const panel = await scene.panel(await scene.open(`${site.origin}/story/0`));
      await panel.press("find");
      const request = await until("a page is asked for", () => site.loads().find(({ path }) => path !== "/robots.txt" && path !== "/story/0"));
      await until("it can be cancelled", () => panel.page.run(() => !document.getElementById("cancel").hidden));
      await panel.press("cancel");
      const job = await panel.ended();
      assert.equal(job.state, "cancelled");
      await until("the request is cut", () => request.cut);
      // Without that, the extension would have waited for half a minute.
      assert.ok(request.cut - request.at < 30_000, `it was cut after ${request.cut - request.at} ms`);
      await becomes("the panel says so", () => panel.text("job-line"), /^Cancelled\./);
      await becomes("the request is not shown any more", async () => (await panel.loads()).map(({ state }) => state).join(), "skipped");
      // It can be tried again, and nothing is asked for by a search but that.
      isSlow = false;
      const count = site.log.length;
      const { state, pagesLoaded } = await panel.find();
      assert.equal(state, "done");
      assert.equal(site.loads(count).filter(({ path }) => path !== "/story/0").length, pagesLoaded + 1, JSON.stringify(site.loads(count)));
    },
  },
  {
    name: "robots.txt is obeyed",
    async run(scene) {
      const robots = "User-agent: *\nDisallow: /story/1\nDisallow: /story/2\nCrawl-delay: 0.7\n";
      const { job, asked, loads } = await searched(scene, stories({ count: 5, robots }));
      assert.equal(job.state, "done", job.error);
      assert.ok(!paths(asked).some((path) => path === "/story/1" || path === "/story/2"), paths(asked).join(" "));
      const left = loads.filter(({ state }) => state === "skipped");
      assert.ok(left.length > 0 && left.every(({ why }) => why === "robots.txt does not allow it"), JSON.stringify(loads));
      const own = asked.filter(({ path }) => path !== "/story/0");
      // The pause begins when an answer has come, so that a machine that has much to do makes gaps only longer.
      const gaps = own.slice(1).map(({ at }, number) => at - own[number].at);
      assert.ok(gaps.length >= 2 && gaps.every((gap) => gap >= 680), gaps.join(" "));
    },
  },
  {
    name: "what a redirect leads to is not used if robots.txt forbids it",
    async run(scene) {
      const more = except({ "/story/1": { status: 302, headers: { Location: "/private/1" } }, "/private/1": { body: "<h1>A private story</h1>" } });
      const { job, loads } = await searched(scene, stories({ count: 6, robots: "User-agent: *\nDisallow: /private/\n", more }));
      assert.equal(job.state, "done", job.error);
      const its = loads.find(({ path }) => path === "/story/1");
      assert.deepEqual([its?.state, its?.why], ["skipped", "robots.txt does not allow it"], JSON.stringify(loads));
      assert.ok(job.summary.restsOn.every((url) => !url.includes("private")));
    },
  },
  {
    name: "a link within the page does not end a search",
    async run(scene) {
      const site = await scene.site(stories());
      await scene.browser.ask("set", { settings: { delay: 0.5 } });
      const page = await scene.open(`${site.origin}/story/0`);
      const panel = await scene.panel(page);
      await panel.press("find");
      await until("a page is asked for", async () => (await panel.status()).job?.loads.length);
      await page.run(() => { location.hash = "part"; });
      assert.equal((await panel.ended()).state, "done");
    },
  },
  {
    name: "two searches on a site ask no faster than one",
    async run(scene) {
      const site = await scene.site(stories({ count: 9 }));
      await scene.browser.ask("set", { settings: { delay: 0.5 } });
      const panels = [];
      for (const at of [0, 8]) panels.push(await scene.panel(await scene.open(`${site.origin}/story/${at}`)));
      const from = Date.now();
      await Promise.all(panels.map((panel) => panel.find()));
      const own = site.loads().filter(({ path }) => path !== "/story/0" && path !== "/story/8");
      // Single requests may be late on a machine that has much to do, but none is early: the last has waited for all before it.
      const took = own.at(-1).at - from;
      assert.ok(own.length >= 5 && took >= 490 * (own.length - 1), `${own.length} requests in ${took} ms`);
    },
  },
  {
    name: "a robots.txt that cannot be read forbids everything",
    async run(scene) {
      const { job, asked, line } = await searched(scene, stories({ more: except({ "/robots.txt": { status: 503 } }) }));
      assert.equal(job.state, "failed");
      assert.match(line, /robots\.txt cannot be read \(503\)/);
      assert.deepEqual(paths(asked).filter((path) => path !== "/story/0"), ["/robots.txt"]);
    },
  },
  {
    name: "a site that asks for fewer requests is left alone",
    async run(scene) {
      const more = ({ path, headers }) => (/story\/[1-9]/.test(path) && headers["sec-fetch-dest"] === "empty" ? { status: 429 } : undefined);
      const { job, asked, line } = await searched(scene, stories({ more }));
      assert.equal(job.state, "failed");
      assert.match(line, /asks for fewer requests \(it answered with status 429\)/);
      assert.equal(paths(asked).filter((path) => /story\/[1-9]/.test(path)).length, 1);
    },
  },
  {
    name: "pages that are missing do not stop a search, failures do",
    async run(scene) {
      const missing = await searched(scene, stories({ count: 7, more: except({ "/story/1": { status: 404 }, "/story/2": { status: 410 } }) }));
      assert.equal(missing.job.state, "done", missing.job.error);
      assert.equal(missing.job.summary.restsOn.length, 3);
      const gone = missing.loads.filter(({ state }) => state === "failed").map(({ why }) => why);
      assert.ok(gone.includes("the server answered with status 404"), JSON.stringify(missing.loads));

      const more = ({ path, headers }) => (/story\/[1-9]/.test(path) && headers["sec-fetch-dest"] === "empty" ? { status: 500 } : undefined);
      const broken = await searched(scene, stories({ more }));
      assert.equal(broken.job.state, "failed");
      assert.match(broken.line, /3 requests in a row have failed/);
      assert.equal(paths(broken.asked).filter((path) => /story\/[1-9]/.test(path)).length, 3);
    },
  },
  {
    name: "cookies are sent only if the user says so, and then links that may do something are left out",
    async run(scene) {
      const answer = stories({ count: 3, frame: { top: '<a href="/story/logout">Leave</a>' } });
      const withCookie = (request) => {
        const given = request.path === "/story/logout" ? { body: "<p>Bye" } : answer(request);
        return given && { ...given, headers: { "Set-Cookie": "who=me; Path=/", "Cache-Control": "no-store" } };
      };
      const first = await searched(scene, withCookie);
      assert.equal(first.job.state, "done", first.job.error);
      const others = first.asked.filter(({ path }) => path !== "/story/0");
      assert.ok(others.length >= 3);
      assert.deepEqual([...new Set(others.map(({ cookie }) => cookie))], [""]);
      assert.ok(paths(others).includes("/story/logout"));

      await scene.browser.ask("forget-all");
      await scene.browser.ask("set", { settings: { credentials: "include" } });
      const second = await searched(scene, withCookie);
      assert.equal(second.job.state, "done", second.job.error);
      const sent = second.asked.filter(({ path }) => /story\/[1-9]/.test(path));
      assert.ok(sent.length >= 2);
      assert.deepEqual([...new Set(sent.map(({ cookie }) => cookie))], ["who=me"]);
      assert.equal(second.asked.find(({ path }) => path === "/robots.txt").cookie, "");
      assert.ok(!paths(second.asked).includes("/story/logout"));
      const left = second.loads.find(({ path }) => path === "/story/logout");
      assert.equal(left.state, "skipped");
    },
  },
];
