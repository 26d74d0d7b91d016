//! The style sheet of the page: light and dark, wide and narrow.

pub const STYLE: &str = "
:root { color-scheme: light dark; --ground: #f7f5f1; --card: #fff; --paper: #fffefc; --ink: #23211e;
  --soft: #6b665e; --line: #e2ddd4; --frame: #4f63c9; --own: #cf7526; --tint: 15%; --cell: 74%;
  --chroma: 52%; --label: #1d1b19; }
@media (prefers-color-scheme: dark) { :root { --ground: #161514; --card: #211f1e; --paper: #1a1918;
  --ink: #e9e5df; --soft: #a39c92; --line: #393633; --frame: #8e9df0; --own: #e9a05f; --tint: 20%;
  --cell: 36%; --chroma: 34%; --label: #f4f1ec; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0 auto; padding: 1.8rem 1.2rem 4rem; max-width: 69rem; background: var(--ground);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .3rem; }
h3 { font-size: 1rem; line-height: 1.35; margin: 0 0 .2rem; font-weight: 600; display: flex;
  align-items: baseline; }
p { margin: .2rem 0 .7rem; max-width: 46rem; }
a { color: inherit; }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--frame); outline-offset: 2px;
  border-radius: 3px; }
code { font: .92em ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, auto)); gap: .8rem;
  margin-top: 1.3rem; }
.card, article { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
.card { padding: .7rem 1rem; }
.name, .note, figcaption { color: var(--soft); font-size: .86rem; }
.number { font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; }
svg { display: block; width: 100%; height: auto; }
.narrow { display: none; }
.cell { fill: hsl(var(--h) var(--chroma) calc(var(--cell) + var(--l))); }
.map .rest { fill: var(--line); }
.map text { fill: var(--label); font: 600 11.5px system-ui, sans-serif; pointer-events: none; }
.map .pages { font-weight: 400; opacity: .8; }
.map .site { fill: var(--soft); font-weight: 500; }
.map .paper { fill: var(--paper); stroke: #0002; stroke-width: 1; }
.map a { outline: none; }
.map a:hover .cell, .map a:focus-visible .cell { stroke: var(--ink); stroke-width: 2; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr));
  gap: 0 2rem; align-items: start; }
figure { margin: 1.4rem 0 0; max-width: 34rem; min-width: 0; }
figcaption { margin-bottom: .4rem; }
.dendrogram text { fill: var(--ink); font: 11.5px system-ui, sans-serif; }
.dendrogram .soft { fill: var(--soft); text-anchor: middle; }
.dendrogram .end { text-anchor: end; }
.dendrogram .grid { stroke: var(--line); fill: none; }
.dendrogram .elbow { stroke: var(--soft); fill: none; stroke-width: 1.5; }
.dendrogram a:hover .cell, .dendrogram a:focus-visible .cell { stroke: var(--ink); stroke-width: 2; }
.curve text { fill: var(--ink); font: 600 12px system-ui, sans-serif; }
.curve .soft { fill: var(--soft); font-weight: 400; }
.curve .end { text-anchor: end; }
.curve .line { fill: none; stroke: var(--frame); stroke-width: 2; stroke-linejoin: round; }
.curve .area { fill: color-mix(in srgb, var(--frame) 14%, transparent); }
.curve circle { fill: var(--frame); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; color: var(--soft); font-size: .86rem;
  max-width: none; }
.legend span { display: inline-flex; align-items: center; gap: .4rem; }
.key { width: 1.1rem; height: .8rem; border-radius: 2px; }
.key.ft { background: var(--frame); height: .35rem; }
.key.ct { background: var(--own); height: .35rem; }
.key.fr { background: color-mix(in srgb, var(--frame) var(--tint), transparent); }
.key.sl { background: color-mix(in srgb, var(--own) var(--tint), transparent);
  border: 1px dashed var(--own); }
.key.im { background: color-mix(in srgb, var(--soft) 40%, transparent); }
.clusters { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(29rem, 100%), 1fr));
  gap: 1rem; margin-top: .8rem; }
article { display: grid; grid-template-columns: 10.5rem minmax(0, 1fr); gap: 1.1rem; padding: 1rem;
  scroll-margin-top: 1rem; border-top: 4px solid hsl(var(--h) var(--chroma) calc(var(--cell) + var(--l)));
  align-items: start; }
article:target, tr:target { box-shadow: 0 0 0 3px hsl(var(--h, 220) var(--chroma) calc(var(--cell) + var(--l, 0%))); }
.picture { background: var(--paper); border: 1px solid var(--line); border-radius: .3rem;
  padding: .2rem; }
.dot { flex: none; width: .7rem; height: .7rem; border-radius: 50%; margin-right: .45rem;
  background: hsl(var(--h) var(--chroma) calc(var(--cell) + var(--l))); }
.size { margin: 0 0 .2rem; }
.facts .note { margin: 0 0 .2rem; overflow-wrap: anywhere; }
.texts { margin: .5rem 0 .3rem; font-size: .8rem; line-height: 1.8; overflow-wrap: anywhere; }
details .texts { max-height: 12rem; overflow: auto; }
.texts span { background: color-mix(in srgb, var(--frame) 11%, transparent); border-radius: .3rem;
  padding: .08rem .35rem; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
path.fr { fill: color-mix(in srgb, var(--frame) var(--tint), transparent); }
path.sl { fill: color-mix(in srgb, var(--own) var(--tint), transparent); stroke: var(--own);
  stroke-width: .5; stroke-dasharray: 2 1.4; stroke-opacity: .6; }
path.ou { fill: none; stroke: var(--line); stroke-width: .5; }
path.im { fill: color-mix(in srgb, var(--soft) 40%, transparent); }
path.ft, path.fb { fill: var(--frame); fill-opacity: .85; }
path.ct, path.cb { fill: var(--own); fill-opacity: .85; }
path.fb, path.cb { fill-opacity: .5; }
details { font-size: .88rem; margin-top: .3rem; }
summary { cursor: pointer; color: var(--soft); }
details ul { margin: .3rem 0 0; padding-left: 1.1rem; max-height: 15rem; overflow: auto; }
details li { overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .5rem; border-bottom: 1px solid var(--line); text-align: right; }
thead th { color: var(--soft); font-weight: 500; }
tbody th { font-weight: 400; }
td { white-space: nowrap; }
tr > th:first-child { text-align: left; }
@media (max-width: 44rem) { .wide { display: none; } .narrow { display: block; }
  article { grid-template-columns: 7.5rem minmax(0, 1fr); gap: .8rem; padding: .8rem; }
  body { padding: 1.2rem .8rem 3rem; } }
@media print { article { break-inside: avoid; } }
";
