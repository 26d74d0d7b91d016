//! The style sheet of the page, light and dark.

pub const STYLE: &str = "
:root { color-scheme: light dark; --ground: #fbfaf8; --card: #fff; --ink: #23211e; --soft: #6b665e;
  --line: #e3dfd8; --bad: #b4471c; }
@media (prefers-color-scheme: dark) { :root { --ground: #191817; --card: #232120; --ink: #e9e5df;
  --soft: #a39c92; --line: #3a3734; --bad: #f09a68; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 50rem; background: var(--ground);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .4rem; }
h3 { font-size: 1rem; margin: .6rem 0 .3rem; }
p { margin: .3rem 0 .8rem; max-width: 42rem; }
code { font-size: .9em; overflow-wrap: anywhere; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: .7rem;
  margin-top: 1.2rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .7rem .9rem; }
.name, .note { color: var(--soft); font-size: .85rem; }
.number { font-size: 1.2rem; font-weight: 600; }
figure { margin: 1rem 0; }
figcaption { color: var(--soft); font-size: .85rem; margin-bottom: .4rem; }
svg { display: block; max-width: 100%; height: auto; }
svg text { fill: var(--ink); }
.narrow { display: none; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .5rem; border-bottom: 1px solid var(--line); text-align: right; }
thead th { color: var(--soft); font-weight: 500; vertical-align: bottom; }
thead th[colspan] { text-align: center; }
tbody th { font-weight: 500; }
.queries tbody th { min-width: 8rem; }
.queries tbody th, .two tbody th { overflow-wrap: anywhere; }
td { white-space: nowrap; }
tr > th:first-child { text-align: left; }
thead tr + tr > th:first-child { text-align: right; }
.bad { color: var(--bad); font-weight: 600; }
.of { color: var(--soft); font-weight: 400; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2rem; }
@media (max-width: 48rem) { .two { grid-template-columns: 1fr; } .wide { display: none; }
  .narrow { display: block; } th, td { padding: .25rem .35rem; } }
";
