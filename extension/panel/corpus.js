// Which labelled sites a folder has, by the paths of its files.

/**
 * The sites of a folder that the user has chosen: each with its name, what to call it, and its files. `otherwise` is
 * the folder as one site, for the case that none of `sites` has labels; `skipped` are folders that cannot be sites.
 */
export function sitesIn(files) {
  const all = files.map((file) => {
    const [top, ...parts] = file.webkitRelativePath.split("/");
    return { file, top, parts };
  });
  const depth = DEPTHS.find((deep) => all.some(({ parts }) => isGold(parts, deep)));
  return depth === undefined ? byElements(all) : byTexts(all, depth);
}

/** One site, a set of sites, a folder of sets. */
const DEPTHS = [0, 1, 2];

const isPage = (parts, depth) => parts[depth] === "pages" && parts.length > depth + 1;
const isGold = (parts, depth) => parts[depth] === "gold" && parts.length > depth + 1 && parts.at(-1).endsWith(".json");

/** Sites with `pages/` and `gold/`. */
function byTexts(all, depth) {
  const sites = [];
  const skipped = [];
  for (const site of folders(all, depth)) {
    const has = (isIt) => site.files.some(({ path }) => isIt(path.split("/"), 0));
    if (has(isPage) && has(isGold)) sites.push(site);
    else skipped.push(site.label);
  }
  return { sites, otherwise: null, skipped };
}

/** Sites with a key page. Which pages are key pages is only known when they are read. */
function byElements(all) {
  const [otherwise = null] = folders(all, 0);
  return { sites: folders(all, 1), otherwise, skipped: [] };
}

/** The folders at a depth, by name, with the files below them. */
function folders(all, depth) {
  const found = new Map();
  for (const { file, top, parts } of all) {
    if (parts.length <= depth) continue;
    const label = parts.slice(0, depth).join("/") || top;
    if (!found.has(label)) found.set(label, { label, name: label.split("/").at(-1), files: [] });
    found.get(label).files.push({ path: parts.slice(depth).join("/"), file });
  }
  return [...found.values()].sort((a, b) => (a.label < b.label ? -1 : 1));
}
