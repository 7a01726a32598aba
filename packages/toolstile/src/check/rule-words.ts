import { stops } from "../policy/ruling.js";
import { leftColumn, type Row, table } from "../terminal/table.js";
import { palette, printable, type Terminal } from "../terminal/terminal.js";
import type { ListedRule, RulesOfTool } from "./rule-report.js";
import type { TriedCall } from "./trial.js";

/** In place of a tool's name, for the rules that are about each of them. */
const everyTool = "(every tool)";

/** The rules about each tool; those about all tools stand first, and once. */
export function ruleTable(tools: readonly RulesOfTool[]): string {
  const counts = new Map<string, number>();
  for (const { rules } of tools) {
    for (const rule of rules) counts.set(keyOf(rule), (counts.get(keyOf(rule)) ?? 0) + 1);
  }
  if (counts.size === 0) return "";
  const isGeneral = (rule: ListedRule): boolean =>
    tools.length > 1 && counts.get(keyOf(rule)) === tools.length;
  const general = tools[0]?.rules.filter(isGeneral) ?? [];
  const rows = [
    ...rowsOf(everyTool, general),
    ...tools.flatMap(({ tool, rules }) =>
      rowsOf(
        tool,
        rules.filter((rule) => !isGeneral(rule)),
      ),
    ),
  ];
  return table(["tool", "rule", "what it does", "guard", "line"].map(leftColumn), rows);
}

function keyOf({ guard, id }: ListedRule): string {
  return JSON.stringify([guard, id]);
}

function rowsOf(tool: string, rules: readonly ListedRule[]): readonly Row[] {
  return rules.map(({ id, effect, guard, line }, index) => ({
    cells: [index === 0 ? tool : "", id, effect, guard, String(line ?? "")].map(printable),
  }));
}

/** The verdict of each sample, the rule or guard that decided, and its reason; with the time of each if any was given. */
export function sampleTable(
  samples: readonly TriedCall[],
  isTimed: boolean,
  terminal: Terminal,
): string {
  if (samples.length === 0) return "";
  const { red } = palette(terminal.out, terminal.environment);
  const rows = samples.map((sample): Row => {
    const { from, tool, at, verdict, rulings, isExpected } = sample;
    const first = rulings.find(({ shadow }) => !shadow);
    const cells = [from, tool, ...(isTimed ? [at] : []), verdict, decider(first), why(sample)];
    return { cells: cells.map(printable), paint: isExpected ? undefined : red };
  });
  const time = isTimed ? ["at"] : [];
  const columns = ["sample call", "tool", ...time, "verdict", "decided by", "why"];
  return table(columns.map(leftColumn), rows);
}

function decider(ruling: TriedCall["rulings"][number] | undefined): string {
  if (ruling === undefined) return "";
  const { guard, rules, code } = ruling;
  if (rules.length === 0) return code === undefined ? guard : `${guard} (${code})`;
  const named = rules.map(({ id, line }) => (line === undefined ? id : `${id} (line ${line})`));
  return `${guard}: ${named.join(", ")}`;
}

function why({ verdict, rulings, applies }: TriedCall): string {
  const first = rulings.find(({ shadow }) => !shadow);
  const deciding = new Set(first?.rules.map(({ id }) => id));
  // A change without effect says nothing against the call.
  const others = applies.filter(
    ({ id, effect }) => effect !== "change" && effect !== "cut" && !deciding.has(id),
  );
  const cutting = new Set(rulings.flatMap(({ rules }) => rules.map(({ id }) => id)));
  // What does not come to the model is not cut.
  const uncut = stops.has(verdict)
    ? []
    : applies.filter(({ id, effect }) => effect === "cut" && !cutting.has(id));
  const shadows = rulings.filter(({ shadow }) => shadow);
  const would = shadows.map(
    (ruling) => `in shadow: ${ruling.verdict} by ${decider({ ...ruling })}`,
  );
  return [
    first?.reason ?? "nothing is against it",
    ...(others.length === 0 ? [] : [`also applies: ${idsOf(others)}`]),
    ...(uncut.length === 0 ? [] : [`short enough for ${idsOf(uncut)}`]),
    ...would,
  ].join("; ");
}

function idsOf(rules: TriedCall["applies"]): string {
  return rules.map(({ id }) => id).join(", ");
}
