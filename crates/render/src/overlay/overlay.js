"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const data = JSON.parse(document.querySelector("script#unframe-regions").textContent);
  const root = document.documentElement;
  const make = (tag, text, parent) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (parent) parent.append(element);
    return element;
  };
  const percent = (share) => Math.round(100 * share) + " %";

  const legend = make("div");
  legend.id = "unframe-legend";
  make("b", "unframe", legend);
  legend.append(" ");
  if (data.sure) {
    legend.append("content");
    make("span", "", legend).className = "bar";
    legend.append("frame");
  } else {
    for (const [name, colour] of [["content", "hsla(140, 80%, 40%, .5)"], ["frame", "hsla(356, 95%, 56%, .65)"]]) {
      const box = make("span", "", legend);
      box.className = "box";
      box.style.background = colour;
      legend.append(name);
    }
  }
  make("span", "click a text for the reasons", legend).className = "hint";
  const label = make("label", undefined, legend);
  const tint = make("input", undefined, label);
  tint.type = "checkbox";
  tint.checked = true;
  label.append(" tint");
  tint.addEventListener("change", () => {
    root.classList.toggle("unframe-off", !tint.checked);
    if (!tint.checked) close();
  });
  for (const note of data.notes) make("div", note, legend).className = "note";
  legend.title = data.name;
  root.append(legend);

  const close = () => {
    document.querySelectorAll(".unframe-open").forEach((text) => text.classList.remove("unframe-open"));
    document.getElementById("unframe-panel")?.remove();
  };

  const open = (number) => {
    close();
    const region = data.regions[number];
    const texts = [...document.querySelectorAll(`unframe-text[r="${number}"]`)];
    texts.forEach((text) => text.classList.add("unframe-open"));
    const panel = make("div");
    panel.id = "unframe-panel";
    panel.setAttribute("role", "dialog");
    panel.setAttribute("aria-label", "Why this text got its label");
    const frame = region.frame;
    make("h2", `${frame ? "Frame" : "Content"} (region ${number})`, panel);
    const button = make("button", "×", panel);
    button.title = "close (Esc)";
    button.addEventListener("click", close);
    const quoted = texts.map((text) => text.textContent).join(" ");
    make("blockquote", quoted.length > 200 ? quoted.slice(0, 200) + "…" : quoted, panel);
    const list = make("dl", undefined, panel);
    const row = (name, value) => {
      make("dt", name, list);
      const cell = make("dd", undefined, list);
      cell.append(value);
      return cell;
    };
    row("rule", data.rules[region.rule]);
    if (region.votes) {
      const { texts, alone, with: units } = region.votes;
      const others = units.map(([unit, count]) => `, ${count} with the ${unit}`).join("");
      const single = alone ? "by itself" : `with the ${units[0][0]}`;
      row(frame ? "removed" : "kept", texts === 1 ? single : `${alone} of ${texts} texts by themselves${others}`);
    }
    for (const kind of ["template", "boilerplate"]) {
      if (region[kind] === undefined) continue;
      const cell = row(kind, percent(region[kind]));
      const meter = make("span", "", cell);
      meter.className = "meter";
      meter.style.width = percent(region[kind]).replace(" ", "");
      meter.style.background = `hsl(${Math.round(140 * (1 - region[kind]))}, 80%, 42%)`;
    }
    if (region.seen) row("seen on", `${region.seen[0]} of ${region.seen[1]} other pages`);
    if (region.design) row("design", `of ${region.design[0]} of ${region.design[1]} other pages`);
    if (region.cluster !== undefined) row("cluster", String(region.cluster));
    if (region.slot) {
      const slot = region.slot;
      row("place", `on ${slot.pages} of ${slot.of} pages; ${percent(slot.repeats)} of its texts repeat, ` +
        `${percent(slot.linked)} is linked, ${slot.words.toFixed(1)} words on average`);
    }
    for (const [name, weight] of region.evidence ?? []) {
      row(data.evidence[name], `${weight > 0 ? "+" : "−"}${Math.abs(weight).toFixed(2)} ${weight > 0 ? "frame" : "content"}`);
    }
    row("bytes", region.bytes.join("–"));
    row("CSS", make("code", region.css));
    root.append(panel);
  };

  document.addEventListener("click", (event) => {
    // Links lead nowhere, and `#` would lead to the top.
    if (event.target.closest?.('a[href="#"]')) event.preventDefault();
    const text = event.target.closest?.("unframe-text");
    if (!text || !tint.checked) return;
    event.preventDefault();
    event.stopPropagation();
    open(Number(text.getAttribute("r")));
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  // A link to `#unframe-open=3` opens the page with the reasons of region 3.
  const asked = /^#unframe-open=(\d+)$/.exec(location.hash);
  const text = asked && document.querySelector(`unframe-text[r="${asked[1]}"]`);
  if (text) {
    text.scrollIntoView({ block: "center" });
    text.click();
  }
});
