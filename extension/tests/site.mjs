// Sites on loopback that write down what they are asked for.

import fs from "node:fs";
import http from "node:http";
import path from "node:path";

/** One site. `answer(request)` returns `{status, headers, type, body}`, or a function that gets the response. */
export class Site {
  constructor(server, host) {
    this.server = server;
    this.origin = `http://${host}:${server.address().port}`;
    this.host = new URL(this.origin).host;
    /** Requests: `{method, path, dest, cookie, referrer, at, isDone, cut}`. */
    this.log = [];
  }

  static async start(answer, { host = "127.0.0.1" } = {}) {
    const server = http.createServer((request, response) => site.handle(request, response, answer));
    await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
    const site = new Site(server, host);
    return site;
  }

  handle(request, response, answer) {
    const { method, url, headers } = request;
    const entry = {
      method, path: url, dest: headers["sec-fetch-dest"] ?? "", cookie: headers.cookie ?? "", referrer: headers.referer ?? "",
      at: Date.now(), isDone: false, cut: null,
    };
    this.log.push(entry);
    response.on("finish", () => { entry.isDone = true; });
    response.on("close", () => { if (!entry.isDone) entry.cut = Date.now(); });
    const given = answer({ method, path: url.replace(/\?.*/s, ""), url, headers }) ?? { status: 404, body: "no such page" };
    if (typeof given === "function") return given(response);
    const { status = 200, type = "text/html", headers: more = {}, body = "" } = given;
    response.writeHead(status, { ...(type && { "Content-Type": type }), ...more });
    response.end(method === "HEAD" ? undefined : body);
  }

  /** What scripts have asked for since then: the extension's requests, in pages that have none of their own. */
  loads(since = 0) {
    return this.log.slice(since).filter(({ dest }) => dest === "empty");
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** The pages of a folder, as a plain server would send them. Pages may be replaced by their path. */
export function folder(root, { robots, replaced = {}, headers = {} } = {}) {
  return ({ path: asked }) => {
    if (asked in replaced) return typeof replaced[asked] === "function" ? replaced[asked]() : replaced[asked];
    if (asked === "/robots.txt") return robots === undefined ? { status: 404, body: "" } : { type: "text/plain", body: robots };
    const file = path.join(root, decodeURIComponent(asked), asked.endsWith("/") ? "index.html" : "");
    if (!file.startsWith(root) || !fs.existsSync(file) || fs.statSync(file).isDirectory()) return null;
    return { headers: { "Cache-Control": "max-age=600", ...headers }, body: fs.readFileSync(file) };
  };
}

/** A site of stories that all link to each other, in a frame. */
export function stories({ count = 6, frame = {}, robots, more = () => undefined } = {}) {
  const { head = "", top = "", bottom = "" } = frame;
  const links = Array.from({ length: count }, (_, at) => `<li><a href="/story/${at}">Story number ${at}</a></li>`).join("");
  const page = (at) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Story ${at}</title>${head}</head><body>
<header><p>The Gazette of Nowhere in Particular</p><nav><ul>${links}</ul></nav>${top}</header>
<main><h1>Story of the number ${at}</h1>
${Array.from({ length: 4 }, (_, part) => `<p>${SENTENCES[(at + part) % SENTENCES.length]} This is told in part ${part} of story ${at}.</p>`).join("\n")}
</main><footer><p>Printed by the company of story tellers, all rights reserved by somebody</p>${bottom}</footer></body></html>`;
  return (request) => {
    const own = more(request);
    if (own !== undefined) return own;
    if (request.path === "/robots.txt") return robots === undefined ? null : { type: "text/plain", body: robots };
    const at = /^\/story\/(\d+)$/.exec(request.path)?.[1];
    return at !== undefined && Number(at) < count ? { body: page(Number(at)), headers: { "Cache-Control": "max-age=600" } } : null;
  };
}

const SENTENCES = [
  "A lamp was lit on the harbour wall, and nobody had asked for it to be lit at noon.",
  "The baker counted forty loaves and sold forty-one, which troubled her for a week.",
  "When the tide went out it left a piano behind, and the children would not come home.",
  "He wrote to the council about the bench, and the council wrote back about the pigeons.",
  "Seven gulls sat on the roof of the post office as if they were waiting for a parcel.",
  "The clock in the square had stopped so long ago that two o'clock felt like a place.",
  "Nobody believed the almanac, but everybody carried an umbrella on that Tuesday.",
];
