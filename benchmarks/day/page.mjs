import { grown } from "./grown.mjs";

/** Start, middle and end, side by side. */
export function table({ parts, looks }) {
  const [start, middle, end] = [looks[0], looks[looks.length >> 1], looks[looks.length - 1]];
  const three = (name, read) => [name, ...[start, middle, end].map((look) => read(look))];
  const ms = (ns) => `${(ns / 1e6).toPrecision(3)} ms`;
  const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  const rows = [
    ["what", "start", "middle", "end"],
    three("heap after a collection", ({ heap }) => mb(heap)),
    three("resident", ({ resident }) => mb(resident)),
    three("handles and requests", ({ handles }) => `${handles}`),
    three("file descriptors", ({ descriptors }) => `${descriptors}`),
    ...Object.keys(start.files).map((part) =>
      three(`files: ${part}`, ({ files }) => `${files[part]}`),
    ),
    three("event loop, median", ({ delay }) => (delay ? ms(delay.p50) : "–")),
    three("event loop, p99", ({ delay }) => (delay ? ms(delay.p99) : "–")),
    three("event loop, longest, and under what", ({ delay }) =>
      delay ? `${ms(delay.longest.ns)}, ${delay.longest.part}` : "–",
    ),
    three("a guarded call, median", ({ tail }) => (tail ? time(tail.p50 / 1e3) : "–")),
    three("a guarded call, p99", ({ tail }) => (tail ? time(tail.p99 / 1e3) : "–")),
    three("a guarded call, p99.9", ({ tail }) => (tail ? time(tail.p999 / 1e3) : "–")),
    three("a guarded call, longest", ({ tail }) => (tail ? time(tail.longest / 1e3) : "–")),
    three("collecting garbage, of the time of calls", ({ tail }) =>
      tail ? `${(100 * tail.collecting).toFixed(1)} %` : "–",
    ),
    three("collecting garbage, longest pause", ({ tail }) =>
      tail ? time(tail.longestPause / 1e3) : "–",
    ),
    ...parts.map(({ name, count }) =>
      three(`one of ${count.toLocaleString("en")} ${name}, processor`, ({ taken }) =>
        taken ? time(taken[name]) : "–",
      ),
    ),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`)
    .toSpliced(1, 0, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`)
    .join("\n");
}

const time = (us) => (us < 1e3 ? `${us.toPrecision(3)} µs` : `${(us / 1e3).toPrecision(3)} ms`);

/** The page docs/a-day.md. */
export function page(report) {
  const { date, machine, minutes, parts } = report;
  const left = grown(report);
  return `# A day in one process

Written by \`npm run bench -- --day --write\` on ${date}: ${machine}. It took ${minutes} minutes.

One process does what a busy installation does in a day: ${parts
    .map(({ name, count }) => `${count.toLocaleString("en")} ${name}`)
    .join(
      ", ",
    )}. It does a tenth of each, ten times. Before the first tenth and after each, all garbage is
collected and the process is looked at. The middle is the fifth tenth, the end the tenth.

${table(report)}

${left.length === 0 ? "Nothing grows from the middle to the end: the run fails if it does." : left.join("\n")}

The event loop's figures are the time between two timers of one millisecond, in that tenth: a
median of 1 ms is a loop that nothing holds up. The longest is for how long nothing else could run.

A guarded call is timed by the clock, each alone; the instrument is in its processor's time, too. Calls that take much longer
than the median were held up by a collection of garbage, or by another program on the machine.

The runs are in \`benchmarks/day\`. \`npm run bench -- --day --share 0.01\` does a hundredth of it.
`;
}
