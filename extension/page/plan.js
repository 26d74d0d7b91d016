// What a view hides: of the nodes of a snapshot, by the labels of its text.

globalThis.unframePage.plan ??= (() => {
  const { ELEMENT, HTML, kind, name, namespace, parent, isEdited, isVisible, box } = globalThis.unframePage.dom;

  /** They have no place on the screen. */
  const UNSEEN = new Set(["script", "style", "link", "meta", "noscript", "template", "base", "title", "head"]);
  const FIXED = new Set(["html", "head", "body"]);
  /** They show something of their own, not what is in them. */
  const REPLACED = new Set(["audio", "button", "canvas", "embed", "iframe", "img", "input", "meter", "object", "picture",
    "progress", "select", "svg", "textarea", "video"]);
  /** They show nothing by themselves. */
  const SLIGHT = new Set(["area", "br", "col", "colgroup", "hr", "map", "option", "source", "track", "wbr"]);
  /** Smaller ones keep others apart. In pixels. */
  const SEEN = 8;
  /** Their text is a value, which scripts and forms read. */
  const VALUES = new Set(["option", "script", "style", "textarea", "title"]);

  const isSpace = (text) => !/\S/.test(text);

  /** For each text its row in the labels; rows and nodes are in the same order. */
  function rowsOf({ nodes, starts, ends }, texts) {
    const rows = new Map();
    let row = 0;
    nodes.forEach((node, number) => {
      if (kind(node) === ELEMENT) return;
      while (row < texts.length && texts[row][1] <= starts[number]) row += 1;
      if (row < texts.length && texts[row][0] < ends[number]) rows.set(number, texts[row]);
    });
    return rows;
  }

  /** Which nodes lie within a region. */
  function within({ nodes, starts, ends }, regions) {
    let region = 0;
    let reach = -1;
    return nodes.map((_, number) => {
      while (region < regions.length && regions[region][0] <= starts[number]) {
        reach = Math.max(reach, regions[region][1]);
        region += 1;
      }
      return ends[number] <= reach;
    });
  }

  function isSeen(element) {
    const { width, height } = box(element);
    return width >= SEEN && height >= SEEN;
  }

  /** Tells of a node whether it, or a node in it, is wanted. */
  function counted({ nodes, after }, isWanted) {
    const before = [0];
    nodes.forEach((_, number) => before.push(before[number] + (isWanted(number) ? 1 : 0)));
    return (number) => before[after[number]] > before[number];
  }

  function canBlank(text) {
    const its = parent(text);
    return !isSpace(text.data) && kind(its) === ELEMENT && !VALUES.has(name(its)) && !isEdited(its);
  }

  const isFixed = (element) => FIXED.has(name(element)) && namespace(element) === HTML;

  /** The frame goes. */
  function content(snapshot, { texts, regions }) {
    const { nodes, after } = snapshot;
    const rows = rowsOf(snapshot, texts);
    const isFrame = within(snapshot, regions);
    const holdsKept = counted(snapshot, (number) => rows.get(number)?.[2] === 0 && !isFrame[number]);
    const marks = new Map();
    const blanks = [];
    // The number of the details that were passed last.
    let details = -1;
    for (let number = 0; number < nodes.length;) {
      const node = nodes[number];
      if (kind(node) !== ELEMENT) {
        if ((rows.get(number)?.[2] || isFrame[number]) && canBlank(node)) blanks.push(node);
        number += 1;
      } else if (UNSEEN.has(name(node))) {
        number = after[number];
      } else if (name(node) === "summary" && parent(node) === nodes[details] && holdsKept(details)) {
        // Nothing else opens what is kept behind it.
        number = after[number];
      } else if (isFrame[number] && !isFixed(node)) {
        marks.set(node, "hidden");
        number = after[number];
      } else {
        if (name(node) === "details") details = number;
        number += 1;
      }
    }
    return { marks, blanks };
  }

  /** The content goes, and leaves a slot in each place. */
  function template(snapshot, { texts, regions }) {
    const { nodes, after } = snapshot;
    const rows = rowsOf(snapshot, texts);
    const isFrame = within(snapshot, regions);
    const isText = (number) => kind(nodes[number]) !== ELEMENT;
    const holdsFrame = counted(snapshot, (number) =>
      isText(number) ? isFrame[number] || rows.get(number)?.[2] : isFrame[number] && !UNSEEN.has(name(nodes[number])));
    // The rest is space between other elements.
    const holdsContent = counted(snapshot, (number) =>
      isText(number) ? !isSpace(nodes[number].data) : REPLACED.has(name(nodes[number])) && isSeen(nodes[number]));
    const marks = new Map();
    const blanks = [];
    // The parent of the slot that is being passed.
    let inSlot = null;
    for (let number = 0; number < nodes.length;) {
      const node = nodes[number];
      if (kind(node) !== ELEMENT) {
        const label = rows.get(number)?.[2];
        if (label === 0 && !isFrame[number] && canBlank(node)) blanks.push(node);
        if (label) inSlot = null;
        number += 1;
      } else if (UNSEEN.has(name(node))) {
        number = after[number];
      } else if (isFrame[number] && !isFixed(node)) {
        inSlot = null;
        number = after[number];
      } else if (isFixed(node) || holdsFrame(number)) {
        inSlot = null;
        number += 1;
      } else {
        if (holdsContent(number) && isVisible(node)) {
          const canHold = !REPLACED.has(name(node)) && !SLIGHT.has(name(node)) && namespace(node) === HTML;
          const isFirst = canHold && inSlot !== parent(node);
          if (isFirst) inSlot = parent(node);
          marks.set(node, isFirst ? "slot" : "hidden");
        }
        number = after[number];
      }
    }
    return { marks, blanks };
  }

  return { content, template, rowsOf };
})();
