/**
 * A table of rows, for a terminal and for the page.
 *
 * @param lines What was measured of each row.
 * @param times What the last two columns are called.
 */
export function table(lines, times = ["subject", "reference"]) {
  const cells = [
    ["what", "median", "lowest to highest", "goal", ...times],
    ...lines.map((line) => [
      line.version === undefined ? line.name : `${line.name} (${line.version})`,
      `${shown(line.median)} ${line.unit}`,
      `${shown(line.lowest)} to ${shown(line.highest)}`,
      line.goal === undefined ? "none" : `${line.goal}`,
      amount(line.subject, line.measures),
      amount(line.reference, line.measures),
    ]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  return cells
    .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`)
    .toSpliced(1, 0, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`)
    .join("\n");
}

function shown(value) {
  return value.toFixed(Math.abs(value) < 1 ? 3 : 2);
}

/** The table of the neighbours' rows. */
export const peerTable = (lines) => table(lines, ["it adds", "Toolstile adds"]);

/** Nanoseconds in a unit that can be read; or mebibytes. */
function amount(value, measures) {
  if (measures === "MiB") return `${value.toFixed(1)} MiB`;
  const size = Math.abs(value);
  if (size < 1e3) return `${value.toFixed(0)} ns`;
  if (size < 1e6) return `${(value / 1e3).toPrecision(3)} µs`;
  return size < 1e9 ? `${(value / 1e6).toPrecision(3)} ms` : `${(value / 1e9).toPrecision(3)} s`;
}

/** The page docs/benchmarks.md. */
export function page({ date, machine, processes, minutes, rows, peers }) {
  return `# Benchmarks

How fast it is, and what a guarded call costs.

Written by \`npm run bench -- --peers --write\` on ${date}: ${machine}. It took ${minutes} minutes.

![Bars of what was measured against its goal: those that end before the line reach it](benchmarks.svg)

## How to read the tables

Read the **median**: it is a ratio, or a difference, to the reference that the row names. Below 1 is
less than the reference. The reference is measured in the same process, in turns with the subject,
so that a machine that slows down slows both. The columns "subject" and "reference" are times on
this machine, which is shared with others: do not compare them with those of another machine, nor
with those of another row. A goal that is missed is shown as it is.

Each row is measured in ${processes} fresh processes, and in each of them in 15 rounds (turns of many calls
in 21, the engine's streams in 300 pairs, 30 and 5, its start once). The middle round counts for a
process; the table gives the middle process, and the lowest and the highest. If these two are far
apart, the machine had other work.

Before a row is measured, it is tried whether the subject decides at all: a call that must be
denied has to be denied.

## The references

| reference | what it is |
| --- | --- |
| C | \`structuredClone\` of the same arguments: what it costs to copy them at all |
| P | \`JSON.parse\` of the same text: what it costs to read them at all |
| what these add | a framework's own hooks, five of them, which decide nothing: what it costs to be asked at all |
| of forwarding bytes | a process that starts the MCP server and passes on bytes, and reads none of them |
| of a bare fetch | \`fetch\`, a reader of lines and \`JSON.parse\`: the least that gives the text of a stream |

After a **round trip**, only the call is timed, not the wait before it. The reference is C after the
same wait, as a loop is no fair one: while a process waits, its code and data leave the caches, and
whatever runs first costs several times what it costs in a loop. The first row is the same call in a
loop. The model that answers is another process on 127.0.0.1.

What an **adapter** adds is the time of a turn of twenty calls with guards, less that of the same turn
without any. It is compared with what the framework's own hooks add to the same turn. \`ai\` and Mastra
have room for one hook, which then awaits five functions. The program behind the Claude Agent SDK
needs a service: a small one plays its part over the same pipes.

${table(rows)}

## Others around the same tool

Each of these makes the same five decisions about the same call of 500 B: is the tool allowed, do the
arguments fit the schema, is the rate limit kept, does a rule of one's own agree, and is the result of
the right kind. Each is set up as its own documentation shows. Where it has no means for one of the
five, a few lines written by hand decide it, with Ajv for the schema. The first row is the floor: all
five by hand.

The median is what it adds to a call, against what Toolstile adds to the same call in the same place:
through its adapter in the same framework, or by its runner where there is no framework. Above 1,
Toolstile adds less. Toolstile does more for it: it copies and freezes what is judged, asks again
after a change, denies when a guard fails or hangs, and keeps a record of each decision.

${peerTable(peers)}

## Measure it yourself

\`\`\`sh
npm run bench -- --only "guarded call"
npm run bench -- --help
\`\`\`

The rows are in \`benchmarks/rows\`, the neighbours in \`benchmarks/peers\`.
`;
}
