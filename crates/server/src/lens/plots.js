// Drawings: the clusters of a site as a map, and the share of frame over time.

const SVG = "http://www.w3.org/2000/svg";

function draw(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (parent) parent.append(element);
  return element;
}

function titled(element, text) {
  draw("title", {}, element).textContent = text;
  return element;
}

// Where the nth of some points in a circle is, evenly spread.
function spread(n, radius) {
  const angle = n * Math.PI * (3 - Math.sqrt(5));
  const distance = n === 0 ? 0 : radius * Math.sqrt(n + 0.5);
  return [distance * Math.cos(angle), distance * Math.sin(angle)];
}

/// Groups as circles with a dot for each page. `open` is called with the URL of a page.
export function drawClusters(into, map, now, open) {
  into.replaceChildren();
  const dot = 7;
  const width = 900;
  const circles = map.groups.map((group) => ({ group, radius: Math.max(26, dot * 1.9 * Math.sqrt(group.pages.length) + 12) }));
  let x = 10, y = 10, tallest = 0;
  for (const circle of circles) {
    const wide = Math.max(2 * circle.radius, 150);
    if (x + wide > width) [x, y, tallest] = [10, y + tallest + 12, 0];
    [circle.x, circle.y] = [x + wide / 2, y + circle.radius];
    x += wide + 12;
    tallest = Math.max(tallest, 2 * circle.radius + 34);
  }
  const svg = draw("svg", { viewBox: `0 0 ${width} ${y + tallest + 8}`, role: "group", "aria-label": `${map.pages} pages in ${map.groups.length} groups` }, into);
  for (const { group, radius, x, y } of circles) {
    const place = draw("g", { transform: `translate(${x} ${y})`, role: "group", "aria-label": `${group.pattern}, ${group.pages.length} pages` }, svg);
    titled(draw("circle", { r: radius, class: "group" }, place), `${group.shared} shared paths`);
    const label = draw("text", { y: radius + 15, "text-anchor": "middle" }, place);
    label.textContent = group.pattern.length > 26 ? group.pattern.slice(0, 25) + "…" : group.pattern;
    const count = draw("text", { y: radius + 28, "text-anchor": "middle" }, place);
    count.textContent = `${group.pages.length} ${group.pages.length === 1 ? "page" : "pages"}`;
    group.pages.forEach((url, n) => {
      const [left, top] = spread(n, dot * 1.5);
      const page = draw("circle", { cx: left, cy: top, r: dot / 1.4, class: url === now ? "page now" : "page", tabindex: 0, role: "button", "aria-label": url }, place);
      titled(page, url);
      page.addEventListener("click", () => open(url));
      page.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); open(url); }
      });
    });
  }
}

/// The share of frame of pages in the order in which they were learned.
export function drawDrift(into, points, versions) {
  into.replaceChildren();
  if (points.length === 0) {
    const none = document.createElement("p");
    none.textContent = "No page was learned since the service was started.";
    into.append(none);
    return;
  }
  const [width, height, left, bottom] = [900, 300, 46, 30];
  const most = Math.max(points.length - 1, 1);
  const x = (n) => left + (width - left - 12) * n / most;
  const y = (share) => 10 + (height - bottom - 10) * (1 - share);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Share of frame of the last ${points.length} pages` }, into);
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    draw("line", { x1: left, x2: width - 12, y1: y(share), y2: y(share), class: "axis" }, svg);
    const label = draw("text", { x: left - 6, y: y(share) + 4, "text-anchor": "end" }, svg);
    label.textContent = `${Math.round(100 * share)} %`;
  }
  const time = (at) => new Date(1000 * at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  for (const [n, anchor] of [[0, "start"], [points.length - 1, "end"]]) {
    if (n === 0 || n !== points.length - 1 || points.length > 1) {
      const label = draw("text", { x: x(n), y: height - 8, "text-anchor": anchor }, svg);
      label.textContent = time(points[n].at);
    }
  }
  const line = points.map((point, n) => `${x(n)},${y(point.template_share)}`).join(" ");
  draw("polyline", { points: line, class: "line" }, svg);
  const firsts = new Set(versions.slice(1).map((version) => version.first));
  points.forEach((point, n) => {
    const dot = draw("circle", { cx: x(n), cy: y(point.template_share), r: 3.5, class: point.drift ? "point odd" : "point" }, svg);
    titled(dot, `${point.url}: ${Math.round(100 * point.template_share)} % frame${point.drift ? ", another layout" : ""}`);
    if (firsts.has(point.url)) draw("line", { x1: x(n), x2: x(n), y1: 10, y2: height - bottom, class: "axis" }, svg);
  });
}
