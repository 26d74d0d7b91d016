// What the user takes along: the content, the template, the rules, what was learned.

import { t, Told } from "./api.js";
import { encoded, onScreen, ownSource } from "./page.js";
import { nameOf, sources, withSite } from "./sites.js";

/** The content of the page in a tab, in a form: as its server sends it, or as it is on the screen. */
export async function contentIn(tab, url, { origin, isPrivate }, { read }, what) {
  const own = read === "source" ? await ownSource(tab, url) : null;
  // A page that is made by scripts has no text before they have run.
  const first = own && (await content(origin, isPrivate, own, what));
  const answer = first ?? (await content(origin, isPrivate, await onScreen(tab, url), what));
  if (!answer) throw new Told("nothingToTake");
  return answer;
}

const FORMS = {
  markdown: { ending: "md", type: "text/markdown", of: (page) => page.markdown() },
  text: { ending: "txt", type: "text/plain", of: (page) => page.text },
  html: { ending: "html", type: "text/html", of: (page) => page.html },
};

/** The content of a page in a form; nothing if it has none. */
function content(origin, isPrivate, source, what) {
  const { ending, type, of } = FORMS[what];
  return withSite(origin, isPrivate, (site, engine, keep) => {
    const page = keep(site.label(source.bytes, source.url, source.charset));
    if (page.text.trim() === "") return null;
    return { name: `${slug(page.title || source.url)}.${ending}`, type, text: of(page) };
  });
}

export function template(origin, found) {
  if (!found) throw new Told("findFirst");
  return { name: `${slug(nameOf(origin))}-template.html`, type: "text/html", text: found.template };
}

/** Selectors of the frame, from the pages whose sources are kept. */
export async function rules(origin, isPrivate) {
  const pages = await sources(origin, isPrivate);
  if (pages.length === 0) throw new Told("findFirst");
  return withSite(origin, isPrivate, (site, engine, keep) => {
    const finder = keep(new engine.RuleFinder());
    for (const { url, bytes, charset } of pages) {
      const page = site.label(bytes, url, charset);
      finder.add(page, url);
      page.free();
    }
    const name = nameOf(origin);
    // Firefox would name a file of the type text/css .css.
    return { name: `${slug(name)}.rules`, type: "application/octet-stream", text: finder.write("css", name) };
  });
}

/** What was learned, as a state file that the command line reads. */
export function state(origin, isPrivate) {
  return withSite(origin, isPrivate, (site) => {
    if (site.pages === 0) throw new Told("findFirst");
    const name = nameOf(origin);
    const base64 = encoded(site.stateFile(name));
    return { name: `${slug(name)}.unframe`, type: "application/octet-stream", base64 };
  });
}

/** A name for a file. */
function slug(text) {
  const words = text.normalize("NFKC").replace(/^https?:\/\//, "").replace(/[^\p{L}\p{N}.]+/gu, "-");
  return words.replace(/^[-.]+|[-.]+$/g, "").slice(0, 60) || t("page");
}
