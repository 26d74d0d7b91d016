// The page as it is on the screen, written as HTML. Where each node is in that text is remembered, so that what the
// engine says of the text can be shown on the nodes.

globalThis.unframePage.snapshot ??= (() => {
  const { MARK, ELEMENT, TEXT, CDATA, HTML, kind, firstChild, nextSibling, name, namespace, attributes, root, contentType,
    compatMode } = globalThis.unframePage.dom;
  const { t } = globalThis.unframePage;

  /** Browsers carry at most 64 MiB from the page to the engine. */
  const MOST_CHARACTERS = 24e6;
  const MOST_BYTES = 48e6;
  /** Longer values are images and other data, which says nothing of the page. */
  const LONGEST_VALUE = 1 << 16;

  const VOID = new Set(["area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen",
    "link", "meta", "param", "source", "track", "wbr"]);
  /** What is in them is not on the screen, or of another document. */
  const EMPTIED = new Set(["script", "style", "noscript", "template", "iframe", "noembed", "noframes"]);
  /** The parser drops a line feed at their start. */
  const LINE_FIRST = new Set(["pre", "textarea", "listing"]);
  /** These cannot be closed, or know no entities. */
  const RENAMED = new Map([["plaintext", "pre"], ["xmp", "pre"]]);

  const PLAIN_NAME = /^[a-z][^\s/>\0]*$/i;
  const ODD_ATTRIBUTE = /[\s"'<>/=\0]/;
  const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\u00a0": "&nbsp;" };
  const escaped = (text) => text.replace(/[&<>\u00a0]/g, (letter) => ENTITIES[letter]);
  const quoted = (text) => text.replace(/[&<>"\u00a0]/g, (letter) => ENTITIES[letter]);

  const isHtml = (element) => namespace(element) === HTML;
  const isData = (element) => name(element) === "script" && /^application\/ld\+json$/i.test(valueOf(element, "type"));

  function valueOf(element, wanted) {
    return attributes(element).getNamedItem(wanted)?.value ?? "";
  }

  function startTag(element, tag, marks) {
    let text = `<${tag}`;
    for (const { name, value } of attributes(element)) {
      const its = name === MARK && marks.has(element) ? marks.get(element) : value;
      if (its === null || ODD_ATTRIBUTE.test(name)) continue;
      text += ` ${name}="${quoted(its.length > LONGEST_VALUE ? its.slice(0, LONGEST_VALUE) : its)}"`;
    }
    return `${text}>`;
  }

  function tagOf(element) {
    const own = name(element);
    if (!PLAIN_NAME.test(own)) return "span";
    return (isHtml(element) && RENAMED.get(own)) || own;
  }

  /**
   * Writes the document as it would be without a view: `marks` has the former values of our attribute, `blanks` the former
   * texts, and `own` is an element of ours. The nodes are in document order; for each, `starts` and `ends` are its place in
   * `html`, and `after` is the number of the first node behind it.
   */
  function snapshot(document, { marks, blanks, own }) {
    const top = root(document);
    if (!top || !isHtml(top)) return { ok: false, why: t("notHtml", contentType(document)) };
    const parts = [];
    const nodes = [];
    const starts = [];
    const ends = [];
    const after = [];
    let at = 0;
    const write = (text) => {
      parts.push(text);
      at += text.length;
    };

    function writeText(node) {
      starts[nodes.length] = at;
      write(escaped(node.data === "" ? (blanks.get(node) ?? "") : node.data));
      ends[nodes.length] = at;
      after[nodes.length] = nodes.length + 1;
      nodes.push(node);
    }

    /** Elements that are not closed yet. */
    const open = [];
    const close = () => {
      const { number, tag } = open.pop();
      if (tag) write(`</${tag}>`);
      ends[number] = at;
      after[number] = nodes.length;
    };

    /** Returns the first child, if what is in the element is to be written. */
    function writeStart(element) {
      const tag = tagOf(element);
      const html = isHtml(element);
      const isVoid = html && VOID.has(tag);
      open.push({ element, number: nodes.length, tag: isVoid ? null : tag });
      starts[nodes.length] = at;
      nodes.push(element);
      write(startTag(element, tag, marks));
      if (html && LINE_FIRST.has(tag)) write("\n");
      return isVoid || (EMPTIED.has(tag) && !isData(element)) ? null : firstChild(element);
    }

    if (compatMode(document) !== "BackCompat") write("<!DOCTYPE html>");
    let next = top;
    for (;;) {
      if (next && next !== own) {
        const its = kind(next);
        if (its === ELEMENT) {
          const child = writeStart(next);
          if (child) {
            next = child;
            continue;
          }
          close();
        } else if (its === TEXT || its === CDATA) {
          // Data of a script ends where its tag ends.
          const isRaw = open.at(-1).tag === "script";
          if (isRaw) write(next.data.replace(/<(?=\/script|!--)/gi, "\\u003c"));
          else writeText(next);
        }
      }
      if (at > MOST_CHARACTERS) return tooLarge();
      while (open.length > 0 && !nextSibling(next)) {
        next = open.at(-1).element;
        close();
      }
      if (open.length === 0) break;
      next = nextSibling(next);
    }
    const html = parts.join("");
    if (new Blob([html]).size > MOST_BYTES) return tooLarge();
    return { ok: true, html, nodes, starts, ends, after };

    function tooLarge() {
      return { ok: false, why: t("tooLarge", MOST_CHARACTERS / 1e6) };
    }
  }

  return snapshot;
})();
