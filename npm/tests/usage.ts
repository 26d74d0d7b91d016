// Uses all of the types. It is checked, and not run.

import { Page, Robots, RuleFinder, Site, TemplateFinder, extract, reset, version } from "unframe";
import type { Flag, Kind, Link, PageRecord, Region, SiteOptions, Text } from "unframe";
import init, { initSync } from "unframe/init";

const bytes = new Uint8Array(3);
const options: SiteOptions = { remove: "template", favor: "recall", protect: ["main"], comments: null };

using page: Page = extract("<p>One", { url: new URL("https://a.example/"), ...options });
const strings: string[] = [page.text, page.html, page.title, page.contentHash, version()];
const numbers: number[] = [page.removedShare, page.statePages, page.nodes, page.confidence ?? 0];
const kind: Kind | undefined = page.kind;
const flags: Flag[] = page.flags;
const links: Link[] = [...page.links.own, ...page.links.frame];
const region: Region | undefined = page.regions[0];
const text: Text | undefined = page.texts().texts[0];
const record: PageRecord = page.record(["url", "text"]);
page.markdown({ links: false, images: true });
page.template({ absoluteLinks: true, showSlots: true, scripts: false, assets: false });
page.body().htmlBytes().byteLength;
page.metadata.author?.length;
page.parts.captions?.join();
page.comments.map(({ author, text }) => `${author ?? "?"}: ${text}`);

const site = Site.fromBytes(new Site(options).toBytes(), { watchDrift: true });
const isNew: boolean = site.learn(bytes, { url: "https://a.example/1", charset: "windows-1252" });
site.clean(bytes.buffer).free();
site.label("<p>Two").free();
site.why(new DataView(bytes.buffer)).free();
site.merge(site.toBytes());
site.stateFile("a.example");

const finder = new TemplateFinder("<p>One", { url: "https://a.example/", n: 3, t: 2, preset: "modern", maxLoads: 9 });
const next: string | undefined = finder.next();
finder.give("<p>Two", { url: next ?? "" });
finder.fail("failed", "no connection");
finder.votes().map(({ start, end, votes }) => [start, end, votes]);
finder.template(null);
finder.summary().restsOn.join();

const rules = new RuleFinder();
rules.add(page, { url: "https://a.example/" });
rules.write("css", { site: "a.example" });
new Robots(bytes).allows(new URL("https://a.example/"));
reset();

await init(new URL("https://a.example/unframe_bg.wasm"));
initSync(bytes);

// @ts-expect-error pages are not made with `new`
new Page();
// @ts-expect-error no such option
extract("", { ulr: "" });
// @ts-expect-error no such value
new Site({ favor: "speed" });
// @ts-expect-error it needs an address
new TemplateFinder("");
// @ts-expect-error a page is text or bytes
site.learn(5);

export { flags, isNew, kind, links, numbers, record, region, strings, text };
