// What is content and what is frame on the screen: labels of the texts of a snapshot, with reasons.

import { t, Told } from "./api.js";
import { using } from "./engine.js";
import { keptSource, withSite } from "./sites.js";

/** Evidence that weighs less is not told. */
const STRONG = 0.3;

/** By all that has been learned of the site. */
export function byLearning(origin, isPrivate, { html, url }, { withReasons }) {
  return withSite(origin, isPrivate, (site, engine, keep) => {
    const page = keep(withReasons ? site.why(html, url) : site.label(html, url));
    const { reasons, texts } = page.texts();
    // Many texts have the same evidence, and a message can only be so large.
    const known = new Map();
    const numberOf = (line) => {
      if (!known.has(line)) known.set(line, reasons.push(line) - 1);
      return known.get(line);
    };
    const rows = texts.flatMap(({ at, template, probability, reason, evidence }) => {
      const percent = probability === undefined ? -1 : Math.round(100 * probability);
      const strong = evidence?.filter(([, weight]) => Math.abs(weight) >= STRONG);
      const lines = strong?.map(([name, weight]) => numberOf(t(weight < 0 ? "evidenceContent" : "evidenceFrame", name, amount(weight))));
      return at.map(([start, end]) => [start, end, Number(template), percent, reason, lines ?? []]);
    });
    return {
      labels: { reasons, texts: sorted(rows), regions: sorted(page.regions.map(({ start, end }) => [start, end])) },
      numbers: { texts: texts.length, template: texts.filter((text) => text.template).length, nodes: page.nodes },
      share: page.removedShare,
      confidence: page.confidence ?? null,
      flags: page.flags,
    };
  });
}

/** By the pages that the page was compared with: what enough of them have is template. */
export function byVotes(origin, isPrivate, { html, url }, { n, t: votes, maxLoads }) {
  return using(async (engine, keep) => {
    const finder = keep(new engine.TemplateFinder(html, url, { n, t: votes, maxLoads }));
    await withKept(finder, origin, isPrivate);
    const summary = finder.summary();
    const compared = summary.restsOn.length;
    const all = finder.votes();
    const texts = all.filter((node) => node.text);
    const reasons = Array.from({ length: compared + 1 }, (_, has) => t("votes", has, compared, summary.needed));
    const rows = texts.map(({ start, end, votes: has, template }) => [
      start, end, Number(template), Math.round((100 * has) / compared), has, [],
    ]);
    const template = texts.filter((text) => text.template);
    const length = (of) => of.reduce((sum, { start, end }) => sum + end - start, 0);
    return {
      labels: { reasons, texts: sorted(rows), regions: sorted(wholeElements(all)) },
      numbers: { texts: texts.length, template: template.length, nodes: summary.nodes },
      share: length(template) / (length(texts) || 1),
      confidence: null,
      flags: [],
    };
  });
}

/** Runs the search again, with the pages that it had found. */
async function withKept(finder, origin, isPrivate) {
  for (;;) {
    let wanted;
    try {
      wanted = finder.next();
    } catch (error) {
      throw error instanceof WebAssembly.RuntimeError ? error : new Told("findFirst");
    }
    if (!wanted) return;
    const kept = await keptSource(origin, isPrivate, wanted, { oldest: Infinity });
    if (kept) finder.give(kept.bytes, kept.url, kept.charset);
    else finder.fail("failed", "not loaded");
  }
}

/** The elements that are template with all that is in them. Nodes are in document order. */
function wholeElements(nodes) {
  const whole = [];
  const open = [];
  const close = (before) => {
    while (open.length && open.at(-1).end <= before) {
      const { start, end, isWhole } = open.pop();
      if (isWhole) whole.push([start, end]);
      else if (open.length) open.at(-1).isWhole = false;
    }
  };
  for (const { start, end, template, text } of nodes) {
    close(start);
    if (!template && open.length) open.at(-1).isWhole = false;
    if (!text && end > start) open.push({ start, end, isWhole: template });
  }
  close(Infinity);
  return whole;
}

const sorted = (ranges) => ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
const amount = (weight) => Math.abs(weight).toFixed(1);
