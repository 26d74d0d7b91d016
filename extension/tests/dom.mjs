// Functions that run in a page, in the world of its own scripts. Each stands alone.

/** Writes down the document: every node, and what the user sees and has typed. */
export function remember() {
  // A form hides its properties behind its fields, so they are asked of their prototypes.
  const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
  const childNodes = getter(Node, "childNodes");
  const parentNode = getter(Node, "parentNode");
  const attributes = getter(Element, "attributes");
  const children = (node) => [...childNodes.call(node)];
  const facts = (node) => {
    const all = {
      data: node.data ?? null, parent: parentNode.call(node), children: children(node),
      attributes: node instanceof Element ? [...attributes.call(node)].map((one) => JSON.stringify([one.namespaceURI, one.name, one.value])) : [],
    };
    if (node instanceof HTMLFormElement) return all;
    for (const name of ["value", "checked", "selected", "open", "scrollTop"]) if (name in node) all[`its ${name}`] = node[name];
    return all;
  };
  const look = () => {
    const found = new Map();
    const visit = (node) => {
      found.set(node, facts(node));
      children(node).forEach(visit);
      if (node instanceof HTMLTemplateElement) visit(node.content);
      const shadow = node instanceof Element && getter(Element, "shadowRoot").call(node);
      if (shadow) visit(shadow);
    };
    visit(document);
    return found;
  };
  const rest = () => ({
    html: document.querySelector("html").outerHTML,
    sheets: document.styleSheets.length,
    adopted: document.adoptedStyleSheets?.length,
    highlights: CSS.highlights ? [...CSS.highlights.keys()].join(" ") : "",
    x: scrollX,
    y: scrollY,
    focus: getter(Document, "activeElement").call(document),
    selection: getSelection().toString(),
    globals: Object.keys(window).filter((name) => /unframe/i.test(name)).join(" "),
  });
  // In Firefox, a function that a driver has brought does not outlive its call; a property of the window does.
  window.remembered = { look, rest, nodes: look(), others: rest() };
}

/** How the document differs from what was written down. */
export function differences() {
  const { look, rest, nodes, others } = window.remembered;
  const now = look();
  const found = [];
  const name = (node) => `${node.nodeName}${node.id ? `#${node.id}` : ""} ${JSON.stringify((node.data ?? "").slice(0, 40))}`;
  const same = (a, b) => (Array.isArray(a) ? a.length === b.length && a.every((one, at) => one === b[at]) : a === b);
  for (const [node, before] of nodes) {
    const after = now.get(node);
    if (!after) found.push(`gone: ${name(node)}`);
    else for (const [fact, value] of Object.entries(before)) {
      if (!same(value, after[fact])) found.push(`${name(node)}: ${fact} was ${String(value).slice(0, 200)}, is ${String(after[fact]).slice(0, 200)}`);
    }
  }
  for (const node of now.keys()) if (!nodes.has(node)) found.push(`new: ${name(node)}`);
  const since = rest();
  for (const [fact, value] of Object.entries(others)) if (value !== since[fact]) found.push(`${fact} was ${value}, is ${since[fact]}`);
  return found.slice(0, 20);
}

/** What can be read on the screen. */
export const visible = () => document.querySelector("body, frameset").innerText;

/** What is tinted: the text of each highlight. */
export function tinted() {
  const text = ({ startContainer, startOffset, endOffset }) => startContainer.data.slice(startOffset, endOffset).trim();
  return Object.fromEntries([...CSS.highlights].map(([name, ranges]) => [name, [...ranges].map(text)]));
}

/** The middle of the first line of the first text that has these words. */
export function placeOf(words) {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const at = walker.currentNode.data.indexOf(words);
    if (at < 0) continue;
    const range = new Range();
    range.setStart(walker.currentNode, at);
    range.setEnd(walker.currentNode, at + words.length);
    const { left, top, width, height } = range.getClientRects()[0];
    return { x: left + width / 2, y: top + height / 2 };
  }
  return null;
}
