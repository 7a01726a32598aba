/** Characters of a label that fit above its bar. */
const longestLabel = 68;
/** The width of a bar that just reaches its goal, and of the longest that is drawn. */
const goalWidth = 120;
const longestBar = 380;
const rowHeight = 42;

/**
 * Draws the rows of docs/benchmarks.md that have a goal, each as a bar of what was measured against it.
 *
 * @param {string} markdown The page.
 * @returns {string} An SVG, to be read on a phone, in light and in dark.
 */
export function barsOf(markdown) {
  const rows = rowsWithGoals(markdown);
  const height = 40 + rows.length * rowHeight;
  const bars = rows.map(({ what, median, goal }, index) => {
    const y = 40 + index * rowHeight;
    const share = Math.max(median / goal, 0);
    const width = Math.max(2, Math.min(share * goalWidth, longestBar));
    const label = what.length > longestLabel ? `${what.slice(0, longestLabel - 1)}…` : what;
    const kind = share > 1 ? "missed" : "reached";
    return `<text x="10" y="${y + 12}">${escapeXml(label)}</text>
  <rect class="${kind}" x="10" y="${y + 18}" width="${width.toFixed(1)}" height="12" rx="2"/>
  <text class="value" x="${(width + 16).toFixed(1)}" y="${y + 29}">${share.toFixed(2)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 ${height}" width="480" height="${height}" role="img" aria-labelledby="title desc">
  <title id="title">What was measured, against its goal</title>
  <desc id="desc">One bar for each row with a goal. A bar that ends before the line reaches its goal. The longest bars are cut. The tables below have the figures.</desc>
  <style>
    text { font: 12px system-ui, "Segoe UI", Roboto, sans-serif; fill: #1f2328; }
    .value { fill: #57606a; }
    .reached { fill: #1a7f37; }
    .missed { fill: #bf8700; }
    .goal { stroke: #57606a; stroke-dasharray: 4 4; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .value { fill: #a5b0bb; }
      .reached { fill: #3fb950; }
      .missed { fill: #d29922; }
      .goal { stroke: #a5b0bb; }
    }
  </style>
  <text x="${10 + goalWidth}" y="14" text-anchor="middle">the line is the goal; less is better</text>
  <path class="goal" d="M${10 + goalWidth} 22 V${height}"/>
  ${bars.join("\n  ")}
</svg>
`;
}

/** @param {string} markdown */
function rowsWithGoals(markdown) {
  return markdown
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, what = "", median = "", , goal = ""]) => ({
      what,
      median: Number.parseFloat(median),
      goal: Number(goal),
    }))
    .filter(({ median, goal }) => goal > 0 && Number.isFinite(median));
}

/** @param {string} text */
function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
