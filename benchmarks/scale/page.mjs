/** @param curves What was measured. */
export function table(curves) {
  const cells = [
    ["what", "against", "measured", "exponent, all and last", "fits", "at most"],
    ...curves.map(({ name, against, points, exponents, fitted, growth, unit, problem }) => [
      name,
      against,
      points.map(({ n, value }) => `${count(n)}: ${amount(value, unit)}`).join(" · "),
      `${exponents.all.toFixed(2)}, ${exponents.tail.toFixed(2)}`,
      fitted,
      problem === undefined ? growth : `${growth} (missed)`,
    ]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  return cells
    .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`)
    .toSpliced(1, 0, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`)
    .join("\n");
}

/** @param {number} value */
export function count(value) {
  return value.toLocaleString("en");
}

/** Nanoseconds, or another unit, in a size that can be read. */
export function amount(value, unit) {
  if (unit === "B") {
    if (value < 1e3) return `${value.toFixed(0)} B`;
    return value < 1e6
      ? `${(value / 1e3).toPrecision(3)} kB`
      : `${(value / 1e6).toPrecision(3)} MB`;
  }
  if (unit !== undefined) return `${Number(value.toPrecision(3))} ${unit}`;
  if (value < 1e3) return `${value.toFixed(0)} ns`;
  if (value < 1e6) return `${(value / 1e3).toPrecision(3)} µs`;
  return value < 1e9 ? `${(value / 1e6).toPrecision(3)} ms` : `${(value / 1e9).toPrecision(3)} s`;
}

/** The page docs/scale.md. */
export function page({ date, machine, curves }, areas) {
  const missed = curves.filter(({ problem }) => problem !== undefined).length;
  return `# How costs grow

Written by \`npm run bench -- --scale --write\` on ${date}: ${machine}. ${curves.length} curves, of which ${missed === 0 ? "none is" : `${missed} ${missed === 1 ? "is" : "are"}`} steeper than the last column allows.

## How to read the tables

Each row does one thing again and again, beside more and more of what the second column names. The cost
is the processor's time of the process for one operation, the middle of seven rounds, or a count where
the unit says so. Read how it **grows**: the times themselves are those of this machine.

- **exponent**: 0 is constant, 1 is linear, 2 is quadratic; over all points, and between the last two,
  where a cliff would show. Constant costs show up to 0.35: more state leaves the caches of the processor.
- **fits**: the slowest growth that describes the points about as well as any other.
- **at most**: what the curve may be. \`npm run bench -- --scale\` fails when one is steeper; CI runs the
  cheap ones, at smaller sizes.

${areas.map(([file, each]) => section(file, each)).join("\n")}
## Measure it yourself

\`\`\`sh
npm run bench -- --scale --only approval
npm run bench -- --help
\`\`\`

The curves are in \`benchmarks/scale/curves\`.
`;
}

function section(file, curves) {
  const title = file.replace(/\.mjs$/, "");
  return `## ${title}

![How the costs of ${title} grow](scale/${title}.svg)

${table(curves)}
`;
}
