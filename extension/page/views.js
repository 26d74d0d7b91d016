// Shows the page in a view, and puts it back: the same nodes, attributes and texts.

globalThis.unframePage.views ??= (() => {
  const { MARK, attribute, setAttribute, removeAttribute, all } = globalThis.unframePage.dom;
  const { plan, tint, snapshot: take, t } = globalThis.unframePage;

  /** Not that of another document, whose labels may be under way. */
  const name = `${Date.now()}-${Math.random()}`;
  let view = "original";
  /** Whether somebody has chosen a view of this document. */
  let isChosen = false;
  /** What our attribute was on the elements that have it now; mostly nothing. */
  const marks = new Map();
  /** What the texts were that are empty now. */
  const blanks = new Map();
  let scrolled = null;
  let taken = null;
  let count = 0;

  function snapshot() {
    const found = take(document, { marks, blanks, own: tint.element() });
    if (!found.ok) return found;
    count += 1;
    taken = { id: `${name}-${count}`, ...found };
    return { ok: true, id: taken.id, html: found.html, url: location.href };
  }

  function show({ view: wanted, id, labels }) {
    isChosen = true;
    if (wanted === "original") {
      restore();
      if (scrolled && view !== "original") scrollTo({ ...scrolled, behavior: "instant" });
      view = wanted;
      return { ok: true };
    }
    if (taken?.id !== id) return { ok: false, why: t("pageChanged") };
    const snapshot = taken;
    taken = null;
    if (view === "original") scrolled = { left: scrollX, top: scrollY };
    restore();
    if (wanted === "tint") tint.show(snapshot, labels);
    else apply(plan[wanted](snapshot, labels));
    view = wanted;
    return { ok: true };
  }

  function apply({ marks: wanted, blanks: texts }) {
    for (const [element, value] of wanted) mark(element, value);
    // Elements of the page that happen to have the attribute are not meant.
    for (const element of all(document, `[${MARK}]`)) if (!marks.has(element)) mark(element, "");
    for (const text of texts) {
      blanks.set(text, text.data);
      text.data = "";
    }
  }

  function mark(element, value) {
    marks.set(element, attribute(element, MARK));
    setAttribute(element, MARK, value);
  }

  /** What the page itself has changed in the meantime stays changed. */
  function restore() {
    tint.clear();
    for (const [text, data] of blanks) if (text.data === "") text.data = data;
    blanks.clear();
    const isOn = marks.size > 0;
    for (const [element, value] of marks) {
      if (value === null) removeAttribute(element, MARK);
      else setAttribute(element, MARK, value);
    }
    // Scripts of the page copy elements with all that they have.
    if (isOn) for (const element of all(document, `[${MARK}]`)) if (!marks.has(element)) removeAttribute(element, MARK);
    marks.clear();
  }

  return { name, snapshot, show, view: () => view, isChosen: () => isChosen };
})();
