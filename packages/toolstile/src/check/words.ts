import type { GuardFileFault, LoadedGuard } from "@toolstile/config";
import { leftColumn, table } from "../terminal/table.js";
import { counted, palette, printable, type Terminal } from "../terminal/terminal.js";
import type { Finding } from "./findings.js";
import type { Forecast } from "./forecast.js";
import type { RulesOfTool } from "./rule-report.js";
import { ruleTable, sampleTable } from "./rule-words.js";
import type { TriedCall } from "./trial.js";

/** The report about a guard.yaml that loads. */
export interface Report {
  readonly file: string;
  readonly policyVersion: string;
  readonly mode: "enforce" | "shadow";
  /** True if the tools are declared. */
  readonly declared: boolean;
  /** True if a time was given at which rules are asked. */
  readonly isTimed: boolean;
  /** Other things to know, which are no mistakes. */
  readonly notes: readonly string[];
  readonly guards: readonly Omit<LoadedGuard, "guardrail" | "covers">[];
  readonly findings: readonly Finding[];
  readonly calls: readonly Forecast[];
  readonly rules: readonly RulesOfTool[];
  readonly samples: readonly TriedCall[];
  readonly faults: readonly GuardFileFault[];
}

const shadowNote =
  "The file is in shadow: nothing that it says holds, but for guards that say enforce.";
const noTools =
  "No tools are declared: these are the ones that guards name. --tools FILE says which there are.";

export function inWords(report: Report, terminal: Terminal): string {
  const { red, green, yellow, dim, bold } = palette(terminal.out, terminal.environment);
  const { file, findings, calls, guards, mode, declared, policyVersion, rules, samples } = report;
  const { isTimed, notes } = report;
  const found = findings.length;
  const verdict =
    found === 0
      ? green(`ok, ${plural(guards.length, "guard")}`)
      : red(`${plural(found, "thing")} found`);
  return [
    `${bold(printable(file))}: ${verdict}\n`,
    dim(`  policy version ${printable(policyVersion)}\n`),
    mode === "shadow" ? yellow(`  ${shadowNote}\n`) : "",
    declared ? "" : dim(`  ${noTools}\n`),
    ...notes.map((note) => dim(`  ${printable(note)}\n`)),
    found === 0 ? "" : "\n",
    ...findings.map((finding) => `${findingLine(finding, file)}\n`),
    ...[callTable(calls, terminal), ruleTable(rules), sampleTable(samples, isTimed, terminal)]
      .filter((text) => text !== "")
      .map((text) => `\n${text}`),
  ].join("");
}

function findingLine(finding: Finding, file: string): string {
  const { kind, line, column, path, sample, message } = finding;
  const place = line === undefined ? "" : `:${line}:${column}`;
  const where = sample ?? `${file}${place}`;
  return printable(`${where}: ${path === undefined ? "" : `${path}: `}${message} (${kind})`);
}

function callTable(calls: readonly Forecast[], terminal: Terminal): string {
  if (calls.length === 0) return "";
  const { red } = palette(terminal.out, terminal.environment);
  const withAskers = calls.some(({ asker }) => asker !== "");
  const columns = ["tool", ...(withAskers ? ["agent"] : []), "a call to it", "guards asked"];
  const rows = calls.map((call) => ({
    cells: [
      printable(call.tool),
      ...(withAskers ? [printable(call.asker)] : []),
      printable(whatBecomes(call)),
      printable(call.asked.join(", ")),
    ],
    paint: call.verdict === "denied" ? red : undefined,
  }));
  return table(columns.map(leftColumn), rows);
}

function whatBecomes({ verdict, by, code }: Forecast): string {
  if (verdict === "depends") return "depends on the call";
  if (verdict === "asks") return "a human is asked, or it is denied";
  if (code === "no_provider") return "no guard: denied (no_provider)";
  if (code === "tool_refused") return "denied: the tool is refused";
  return `denied always, by ${by}${code === undefined ? "" : ` (${code})`}`;
}

export function faultsInWords(
  path: string,
  faults: readonly GuardFileFault[],
  terminal: Terminal,
): string {
  const { red, bold } = palette(terminal.out, terminal.environment);
  const lines = faults.map(({ file, line, column, path, message }) => {
    const place = line === undefined ? "" : `:${line}:${column}`;
    return printable(`${file}${place}: ${path === "" ? "" : `${path}: `}${message}`);
  });
  const verdict = red(`wrong, ${plural(faults.length, "fault")}`);
  return `${bold(printable(path))}: ${verdict}\n\n${lines.join("\n")}\n`;
}

function plural(count: number, thing: string): string {
  return `${counted(count)} ${thing}${count === 1 ? "" : "s"}`;
}
