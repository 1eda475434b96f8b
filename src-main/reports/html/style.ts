/** The one style of a report: light and dark by what the reader's system says, light on paper. No font is fetched. */
export const style = `
:root { color-scheme: light dark; --page: #f7f7f8; --panel: #fff; --ink: #1e1f23; --dim: #5c5f68; --line: #dfe0e4;
  --good: #1a6b45; --warn: #855200; --bad: #b3261e; --c8: #1e1f23;
  --c1: #0072b2; --c2: #d55e00; --c3: #009e73; --c4: #cc79a7; --c5: #e69f00; --c6: #56b4e9; --c7: #b5a900; }
@media (prefers-color-scheme: dark) { :root { --page: #17181b; --panel: #1f2024; --ink: #eeeff1; --dim: #a5a8b1; --line: #3a3c43;
  --good: #6fcf9b; --warn: #f0b95a; --bad: #ff8a80; --c8: #eeeff1; --c1: #4ea5dd; --c7: #f0e442; } }
@media print { :root { color-scheme: light; --page: #fff; --panel: #fff; --ink: #000; --dim: #444; --line: #bbb;
  --good: #1a6b45; --warn: #855200; --bad: #b3261e; --c8: #000; --c1: #0072b2; --c7: #b5a900; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 1120px; margin: 0 auto; padding: 32px 24px 48px; }
h1 { margin: 0 0 4px; font-size: 26px; line-height: 1.25; font-weight: 650; overflow-wrap: anywhere; }
h2 { margin: 32px 0 8px; font-size: 18px; font-weight: 650; }
h3 { margin: 0 0 4px; font-size: 14px; font-weight: 600; overflow-wrap: anywhere; }
p { margin: 4px 0; overflow-wrap: anywhere; }
.dim, figcaption, .unit { color: var(--dim); }
.lead { margin: 12px 0 4px; font-size: 20px; line-height: 1.4; }
.notes { white-space: pre-wrap; border-left: 3px solid var(--line); padding-left: 12px; margin: 12px 0; }
section.box, figure, .wide { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 12px 16px; margin: 0 0 16px; }
.wide { overflow-x: auto; }
.badge { display: inline-block; border: 1px solid currentColor; border-radius: 999px; padding: 0 10px; font-weight: 600; font-size: 13px; }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
caption { text-align: left; font-weight: 600; padding-bottom: 6px; overflow-wrap: anywhere; }
th, td { padding: 4px 8px; text-align: right; vertical-align: top; border-top: 1px solid var(--line); white-space: nowrap; }
thead th { border-top: 0; color: var(--dim); font-weight: 500; }
th:first-child, td:first-child { text-align: left; white-space: normal; overflow-wrap: anywhere; }
tbody th { font-weight: 500; }
.texts td, .texts th { text-align: left; white-space: normal; overflow-wrap: anywhere; }
td small { display: block; color: var(--dim); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(440px, 1fr)); gap: 16px; }
figure { margin: 0; break-inside: avoid; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--dim); font-size: 11px; }
.grid { stroke: var(--line); stroke-width: 1; } .axis { stroke: var(--dim); stroke-width: 1; }
.band { fill: var(--c1); opacity: 0.13; } .band.held { fill: var(--bad); }
.line { fill: none; stroke-width: 1.6; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.d1 { stroke-dasharray: 6 3; } .d2 { stroke-dasharray: 2 3; } .d3 { stroke-dasharray: 10 3 2 3; }
.k1 { stroke: var(--c1); } .k2 { stroke: var(--c2); } .k3 { stroke: var(--c3); } .k4 { stroke: var(--c4); }
.k5 { stroke: var(--c5); } .k6 { stroke: var(--c6); } .k7 { stroke: var(--c7); } .k8 { stroke: var(--c8); }
.dot { stroke: none; } .dot.k1 { fill: var(--c1); } .dot.k2 { fill: var(--c2); } .dot.k3 { fill: var(--c3); } .dot.k4 { fill: var(--c4); }
.dot.k5 { fill: var(--c5); } .dot.k6 { fill: var(--c6); } .dot.k7 { fill: var(--c7); } .dot.k8 { fill: var(--c8); }
.key { display: inline-flex; align-items: center; gap: 6px; margin-right: 14px; font-size: 12px; overflow-wrap: anywhere; }
.key svg { width: 24px; height: 8px; flex: none; }
pre { margin: 0; overflow-x: auto; font: 12.5px/1.5 ui-monospace, "SF Mono", Consolas, monospace; }
footer { margin-top: 32px; color: var(--dim); font-size: 13px; }
@media (max-width: 620px) { .charts { grid-template-columns: 1fr; } main { padding: 16px; } dl { grid-template-columns: 1fr; } dd { margin-bottom: 6px; } }
@media print { main { max-width: none; padding: 0; } section.box, figure, .wide, tr { break-inside: avoid; } h2 { break-after: avoid; } .wide { overflow: visible; } }
`;
