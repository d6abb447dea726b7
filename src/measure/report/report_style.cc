// The style sheet of pages, and the hatchings of their plots.

#include "measure/report/html_page.h"

namespace hashrange {

// Contrast with the ground is at least 4.5 : 1 for text and 3 : 1 for what plots draw, in both
// colour schemes. No text is smaller than 12 pixels.
const std::string_view kReportStyle = R"(
:root {
  color-scheme: light dark;
  --ground: #ffffff; --panel: #f5f6f7; --ink: #1b1f24; --muted: #59636e; --rule: #d5d9de;
  --grid: #e6e9ec; --read: #0b62a8; --write: #b4500b; --limit: #b3122d; --accent: #0b62a8;
  --c0: #44546a; --c1: #b4500b; --c2: #0b7a68; --c3: #8a3f97; --c4: #8a6d00; --c5: #0b62a8;
  --hatch: rgba(255, 255, 255, 0.5);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --panel: #1c2026; --ink: #e8eaed; --muted: #a3adb8; --rule: #3a424c;
    --grid: #2a3038; --read: #6cb4f5; --write: #f2a35e; --limit: #ff8090; --accent: #8ac4f8;
    --c0: #a7b4c6; --c1: #f2a35e; --c2: #4cc9b0; --c3: #d79be3; --c4: #d6bd4b; --c5: #6cb4f5;
    --hatch: rgba(0, 0, 0, 0.45);
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; max-width: 62rem; padding: 0 1.25rem 4rem; background: var(--ground);
  color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Inter, Roboto,
  "Helvetica Neue", Arial, sans-serif; font-variant-numeric: tabular-nums;
}
h1, h2, h3 { line-height: 1.2; text-wrap: balance; overflow-wrap: anywhere; }
h1 { margin: 0 0 0.5rem; font-size: 2rem; font-weight: 650; letter-spacing: -0.015em; }
h2 { margin: 0 0 0.5rem; font-size: 1.375rem; font-weight: 650; letter-spacing: -0.01em; }
h3 { margin: 2rem 0 0.5rem; font-size: 1.0625rem; font-weight: 650; }
p { margin: 0 0 0.75rem; max-width: 44rem; overflow-wrap: anywhere; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; padding: 0.5rem 1rem; background: var(--ground); }
.skip:focus { left: 0; }
header { padding: 2.5rem 0 0.5rem; }
section { margin-top: 2.5rem; border-top: 1px solid var(--rule); padding-top: 1.75rem; }
.eyebrow { margin: 0 0 0.25rem; color: var(--muted); font-size: 0.875rem; }
.period, .intro, .note { color: var(--muted); }
.period { margin: 0; font-size: 0.875rem; }
.note { margin: 0.125rem 0 0; font-size: 0.875rem; }
.tiles {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1.5rem 2rem;
  margin: 2rem 0 1rem;
}
.tiles dt { color: var(--muted); font-size: 0.875rem; }
.tiles dd { margin: 0; }
.tiles .big { font-size: 2rem; font-weight: 600; line-height: 1.2; letter-spacing: -0.02em; }
.tiles .under { color: var(--muted); font-size: 0.875rem; overflow-wrap: anywhere; }
.method {
  border: 1px solid var(--rule); border-radius: 3px; padding: 0 0.3em; color: var(--muted);
  font-size: 0.75rem; font-weight: 400; white-space: nowrap;
}
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 1.5rem 0 0; padding: 0; }
nav li { list-style: none; font-size: 0.875rem; }
figure { margin: 1.75rem 0 2.25rem; }
figcaption { margin-bottom: 0.75rem; }
.caption { font-weight: 600; overflow-wrap: anywhere; }
details { margin: 0.75rem 0; }
summary { color: var(--accent); cursor: pointer; font-size: 0.875rem; overflow-wrap: anywhere; }
.scroll {
  overflow-x: auto; margin: 1rem 0;
  /* A shadow at the side to which there is more. */
  background:
    linear-gradient(to right, var(--ground) 40%, transparent) left / 2.5rem 100% no-repeat local,
    linear-gradient(to left, var(--ground) 40%, transparent) right / 2.5rem 100% no-repeat local,
    linear-gradient(to right, var(--rule), transparent) left / 0.75rem 100% no-repeat scroll,
    linear-gradient(to left, var(--rule), transparent) right / 0.75rem 100% no-repeat scroll;
}
.sideways { display: none; }
table { border-collapse: collapse; min-width: 100%; font-size: 0.875rem; line-height: 1.4; }
caption { padding: 0 0 0.375rem; font-weight: 600; text-align: left; overflow-wrap: anywhere; }
th, td {
  border-bottom: 1px solid var(--grid); padding: 0.375rem 1rem 0.375rem 0; text-align: left;
  vertical-align: top;
}
th:last-child, td:last-child { padding-right: 0; }
thead th {
  border-bottom: 1px solid var(--muted); color: var(--muted); font-size: 0.8125rem;
  font-weight: 500; vertical-align: bottom;
}
tbody th { font-weight: 500; }
.words { min-width: 6rem; max-width: 24rem; overflow-wrap: break-word; }
.code { min-width: 10rem; max-width: 24rem; overflow-wrap: anywhere; }
td.words + .number, td.code + .number { padding-left: 0.5rem; }
thead .number { min-width: 4.5rem; }
.number { text-align: right; white-space: nowrap; }
thead .number { white-space: normal; }
td.code, tbody th.code {
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  font-size: 0.8125rem;
}
.findings { margin: 1rem 0; padding: 0; }
.finding {
  list-style: none; margin: 0 0 1.25rem; border-left: 4px solid var(--rule); padding-left: 1rem;
}
.finding.severe { border-left: 4px solid var(--limit); }
.finding.warning { border-left: 4px double var(--write); }
.finding.hint { border-left: 4px dotted var(--muted); }
.finding .what { margin: 0 0 0.25rem; font-weight: 600; }
.severity { margin-right: 0.5em; font-size: 0.875rem; }
.severe .severity { color: var(--limit); }
.warning .severity { color: var(--write); }
.hint .severity { color: var(--muted); }
.rule { color: var(--muted); font-size: 0.8125rem; font-weight: 400; white-space: nowrap; }
.request {
  margin: 0.5rem 0 0.75rem; padding: 0.5rem 0.75rem; background: var(--panel); overflow-x: auto;
  font: 0.8125rem/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
.reasons { margin: 0 0 0.5rem; padding-left: 1.25rem; max-width: 44rem; font-size: 0.9375rem; }
.reasons li { overflow-wrap: anywhere; }
.finding dl { display: grid; grid-template-columns: 3.5rem 1fr; gap: 0.125rem 0.75rem; margin: 0; }
.finding dt { color: var(--muted); font-size: 0.875rem; }
.finding dd { margin: 0; max-width: 42rem; font-size: 0.9375rem; overflow-wrap: anywhere; }
.assumptions { max-width: 46rem; padding-left: 1.25rem; font-size: 0.9375rem; }
.assumptions li { margin-bottom: 0.375rem; overflow-wrap: anywhere; }
.legend {
  display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0 0 0.5rem; padding: 0;
  font-size: 0.8125rem;
}
.legend li { display: flex; align-items: center; gap: 0.4rem; list-style: none;
  overflow-wrap: anywhere; }
.legend.heat { gap: 0.25rem 0.75rem; }
.swatch { flex: none; }
.plot { display: block; width: 100%; overflow: visible; }
.plot.gutter { margin-left: 3rem; width: calc(100% - 3rem); }
.plot text { fill: var(--ink); font-size: 13px; unicode-bidi: isolate; direction: ltr; }
.plot text.tick, .plot text.muted { fill: var(--muted); font-size: 12px; }
.plot text.value, .plot text.label {
  paint-order: stroke; stroke: var(--ground); stroke-width: 4px; stroke-linejoin: round;
}
.plot text.value { font-size: 12px; font-weight: 600; }
.plot text.limit { fill: var(--limit); font-size: 12px; font-weight: 600; stroke: none; }
.plot .middle { text-anchor: middle; }
.plot .end { text-anchor: end; }
.grid { stroke: var(--grid); }
.axis { stroke: var(--muted); }
line.limit { stroke: var(--limit); stroke-width: 1.5; stroke-dasharray: 5 3; }
.even { stroke: var(--ink); stroke-dasharray: 2 3; }
.whisker { stroke: var(--ink); stroke-width: 1.5; }
.dot { fill: var(--ground); stroke: var(--accent); stroke-width: 2.5; }
.dot.above { fill: var(--limit); stroke: var(--limit); }
.dot.full { fill: var(--accent); }
.ring { fill: none; stroke: var(--ink); stroke-width: 1.5; }
.joined { stroke: var(--accent); stroke-width: 1.5; stroke-opacity: 0.7; }
.ground { fill: var(--panel); }
.read { fill: var(--read); }
.write { fill: var(--write); }
.cell { shape-rendering: crispEdges; }
.h1 { fill-opacity: 0.1; } .h2 { fill-opacity: 0.2; } .h3 { fill-opacity: 0.32; }
.h4 { fill-opacity: 0.45; } .h5 { fill-opacity: 0.58; } .h6 { fill-opacity: 0.72; }
.h7 { fill-opacity: 0.86; } .h8 { fill-opacity: 1; }
.throttled { fill: var(--ink); }
.fork { fill: none; stroke: var(--ink); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.cut { fill: var(--ground); }
.line { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.l0 { stroke: var(--read); }
.l1 { stroke: var(--write); stroke-dasharray: 6 3; }
.l2 { stroke: var(--c2); stroke-dasharray: 2 2; }
.l3 { stroke: var(--c3); stroke-dasharray: 8 2 2 2; }
.l4 { stroke: var(--c4); stroke-dasharray: 10 4; }
.l5 { stroke: var(--c0); stroke-dasharray: 1 3; }
.s0 { fill: var(--c0); } .s1 { fill: var(--c1); } .s2 { fill: var(--c2); }
.s3 { fill: var(--c3); } .s4 { fill: var(--c4); } .s5 { fill: var(--c5); }
.p0 { fill: none; } .p1 { fill: url(#hatch1); } .p2 { fill: url(#hatch2); }
.p3 { fill: url(#hatch3); } .p4 { fill: url(#hatch4); } .p5 { fill: url(#hatch5); }
.hatching { stroke: var(--hatch); stroke-width: 1.5; fill: none; }
.hatchings { position: absolute; width: 0; height: 0; }
@media (max-width: 34rem) {
  body { padding: 0 1rem 3rem; }
  h1 { font-size: 1.5rem; }
  header { padding-top: 1.5rem; }
  .second { display: none; }
  .sideways { display: block; }
  .finding dl { grid-template-columns: 1fr; gap: 0; }
  .finding dt { margin-top: 0.25rem; }
}
@media print {
  :root {
    color-scheme: light;
    --ground: #ffffff; --panel: #f5f6f7; --ink: #000000; --muted: #444c56; --rule: #b8bec5;
    --grid: #dde1e5; --read: #0b62a8; --write: #b4500b; --limit: #b3122d; --accent: #000000;
    --c0: #44546a; --c1: #b4500b; --c2: #0b7a68; --c3: #8a3f97; --c4: #8a6d00; --c5: #0b62a8;
    --hatch: rgba(255, 255, 255, 0.5);
  }
  body { max-width: none; padding: 0; font-size: 12px; }
  nav, .skip, details:not([open]) { display: none; }
  figure, .finding, tr, p { break-inside: avoid; }
  h2, h3, .intro, caption, figcaption { break-after: avoid; }
  section { margin-top: 1.25rem; padding-top: 1rem; }
  .scroll { overflow: visible; background: none; }
  table { font-size: 12px; }
  .words { min-width: 4.5rem; }
  .code { min-width: 6.5rem; }
  thead .number { min-width: 0; }
  th, td { padding-right: 0.5rem; }
}
)";

const std::string_view kReportHatchings =
    R"svg(<svg class="hatchings" aria-hidden="true" focusable="false"><defs>
<pattern id="hatch1" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatching" d="M0 0V6"/></pattern>
<pattern id="hatch2" width="6" height="6" patternUnits="userSpaceOnUse"><path class="hatching" d="M0 3H6"/></pattern>
<pattern id="hatch3" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><path class="hatching" d="M0 0V6"/></pattern>
<pattern id="hatch4" width="5" height="5" patternUnits="userSpaceOnUse"><path class="hatching" d="M2.5 0V5"/></pattern>
<pattern id="hatch5" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatching" d="M0 0V7M0 0H7"/></pattern>
</defs></svg>
)svg";

}  // namespace hashrange
