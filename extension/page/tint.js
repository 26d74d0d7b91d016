// Tints texts by the probability that they are frame, and tells the reason under the pointer. Nothing in the page is changed
// but for one element, which is there while a reason is shown.

globalThis.unframePage.tint ??= (() => {
  const { parent, append, root, create, setAttribute, showPopover, listen, unlisten, textNear } = globalThis.unframePage.dom;
  const { plan: { rowsOf }, t } = globalThis.unframePage;

  /** As many as `tint.css` has colours. */
  const SHADES = 5;
  const TIP = "unframe-tip";
  /** Between the pointer and the tip, in pixels. */
  const GAP = 14;

  const EVENTS = [["pointermove", point], ["pointerleave", hide], ["scroll", hide]];

  let tinted = null;
  let tip = null;
  let told = null;

  /** By the probability; but what was decided otherwise, by rules, is not shown on the other side. */
  function shadeOf([, , template, percent]) {
    const shade = percent < 0 ? template * SHADES : Math.floor((percent * SHADES) / 100);
    const middle = (SHADES - 1) / 2;
    return template ? Math.min(SHADES - 1, Math.max(shade, middle)) : Math.min(shade, middle);
  }
  const name = (shade) => `unframe-${shade}`;

  function show(snapshot, labels) {
    const ranges = Array.from({ length: SHADES }, () => []);
    const rows = new Map();
    for (const [number, row] of rowsOf(snapshot, labels.texts)) {
      const text = snapshot.nodes[number];
      if (text.data === "" || !/\S/.test(text.data)) continue;
      rows.set(text, row);
      ranges[shadeOf(row)].push(new StaticRange({
        startContainer: text, startOffset: 0, endContainer: text, endOffset: text.data.length,
      }));
    }
    ranges.forEach((its, shade) => {
      const highlight = new Highlight();
      for (const range of its) highlight.add(range);
      CSS.highlights.set(name(shade), highlight);
    });
    tinted = { rows, reasons: labels.reasons };
    for (const [event, hear] of EVENTS) listen(document, event, hear, { capture: true, passive: true });
  }

  function clear() {
    if (!tinted) return;
    for (const [event, hear] of EVENTS) unlisten(document, event, hear, { capture: true });
    for (let shade = 0; shade < SHADES; shade += 1) CSS.highlights.delete(name(shade));
    hide();
    tinted = null;
  }

  function hide() {
    if (!tip) return;
    tip.remove();
    tip = told = null;
  }

  /** The text under a point; not one that is only near. */
  function textAt(x, y) {
    const text = textNear(document, x, y);
    if (!text || !tinted.rows.has(text)) return null;
    const range = new Range();
    range.selectNodeContents(text);
    const isOn = ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom;
    return [...range.getClientRects()].some(isOn) ? text : null;
  }

  function point({ clientX: x, clientY: y, target }) {
    if (tip && target === tip) return;
    const text = textAt(x, y);
    if (!text) return hide();
    if (text !== told) tell(text);
    place(x, y);
  }

  function tell(text) {
    const [, , template, percent, reason, evidence] = tinted.rows.get(text);
    const lines = [reason, ...evidence].map((number) => tinted.reasons[number]);
    if (percent >= 0 && !lines[0].includes(`${percent} %`)) lines.unshift(t("tipProbability", percent));
    hide();
    told = text;
    tip = create(document, TIP);
    setAttribute(tip, "kind", template ? "frame" : "content");
    setAttribute(tip, "popover", "manual");
    for (const line of [t(template ? "tipFrame" : "tipContent"), ...lines]) {
      const part = create(document, `${TIP}-line`);
      part.textContent = line;
      append(tip, part);
    }
    append(root(document), tip);
    // Dialogs cover everything but that.
    showPopover(tip);
  }

  /** Beside the pointer, and within the window. */
  function place(x, y) {
    if (!tip || !parent(tip)) return;
    const { width, height } = tip.getBoundingClientRect();
    const left = Math.max(0, Math.min(x + GAP, innerWidth - width - GAP));
    const below = y + GAP;
    const top = below + height > innerHeight ? Math.max(0, y - GAP - height) : below;
    tip.style.setProperty("--unframe-left", `${left}px`);
    tip.style.setProperty("--unframe-top", `${top}px`);
  }

  return { show, clear, element: () => tip };
})();
