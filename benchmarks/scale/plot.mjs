// Small multiples of log-log plots, as one SVG that follows the reader's light or dark scheme.
import { amount, count } from "./page.mjs";

const panel = { width: 300, height: 210, left: 62, right: 14, top: 44, bottom: 34 };
const columns = 3;

/** @param curves What was measured, of one area. */
export function plot(curves) {
  const rows = Math.ceil(curves.length / columns);
  const [width, height] = [Math.min(columns, curves.length) * panel.width, rows * panel.height];
  const panels = curves.map((curve, index) => {
    const [x, y] = [(index % columns) * panel.width, Math.floor(index / columns) * panel.height];
    return `<g transform="translate(${x} ${y})">${panelOf(curve)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>How these costs grow</title>
<style>
  svg { background: #fff; color: #1f2328; font: 11px system-ui, sans-serif }
  .line { fill: none; stroke: #0b62c4; stroke-width: 2 } .dot { fill: #0b62c4 }
  .grid { stroke: #8885; stroke-width: 1 } .slope { stroke: #8889; stroke-dasharray: 3 3 }
  text { fill: currentColor } .title { font-weight: 600 } .quiet { opacity: .75 }
  @media (prefers-color-scheme: dark) { svg { background: #0d1117; color: #e6edf3 } .line { stroke: #6cb2ff } .dot { fill: #6cb2ff } }
</style>
${panels.join("\n")}
</svg>
`;
}

function panelOf({ name, against, points, unit, growth, exponents }) {
  const inner = {
    width: panel.width - panel.left - panel.right,
    height: panel.height - panel.top - panel.bottom,
  };
  const values = points.map(({ value }) => value);
  const decades = (low, high) => [
    Math.floor(Math.log10(low)),
    Math.max(Math.ceil(Math.log10(high)), Math.floor(Math.log10(low)) + 2),
  ];
  const [fromX, toX] = [Math.log10(points[0].n), Math.log10(points[points.length - 1].n)];
  const [fromY, toY] = decades(Math.max(Math.min(...values), 1e-3), Math.max(...values, 1e-3));
  const at = ({ n, value }) => [
    panel.left + ((Math.log10(n) - fromX) / (toX - fromX || 1)) * inner.width,
    panel.top +
      inner.height -
      ((Math.log10(Math.max(value, 1e-3)) - fromY) / (toY - fromY)) * inner.height,
  ];
  const path = points
    .map((point) =>
      at(point)
        .map((each) => each.toFixed(1))
        .join(" "),
    )
    .join(" L ");
  const lines = Array.from({ length: toY - fromY + 1 }, (_, step) => {
    const y = panel.top + inner.height - (step / (toY - fromY)) * inner.height;
    const label = toY - fromY > 5 && step % 2 === 1 ? "" : amount(10 ** (fromY + step), unit);
    return `<line class="grid" x1="${panel.left}" x2="${panel.left + inner.width}" y1="${y}" y2="${y}"/><text class="quiet" x="${panel.left - 6}" y="${y + 4}" text-anchor="end">${escaped(label)}</text>`;
  });
  const ends = [points[0], points[points.length - 1]].map((point, index) => {
    const [x] = at(point);
    return `<text class="quiet" x="${x}" y="${panel.top + inner.height + 15}" text-anchor="${index === 0 ? "start" : "end"}">${count(point.n)}</text>`;
  });
  return `<title>${escaped(name)}</title>
<text class="title" x="8" y="16">${escaped(cut(name, 44))}</text>
<text class="quiet" x="8" y="31">at most ${escaped(growth)}; exponent ${exponents.all.toFixed(2)}</text>
${lines.join("")}
${ends.join("")}
<text class="quiet" x="${panel.left + inner.width / 2}" y="${panel.top + inner.height + 29}" text-anchor="middle">${escaped(against)}</text>
<path class="line" d="M ${path}"/>
${points
  .map((point) => {
    const [x, y] = at(point);
    return `<circle class="dot" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3"/>`;
  })
  .join("")}`;
}

const cut = (text, length) => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);

const escaped = (text) =>
  text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign] ?? sign);
