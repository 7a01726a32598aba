import { type AuditRecord, readRecords } from "@toolstile/audit-log/read";
import { ownText, ownValue } from "@toolstile/core/provider";
import { type Column, table } from "../terminal/table.js";
import { type Palette, printable } from "../terminal/terminal.js";
import { callFacts, decisionsOf } from "./call-facts.js";
import { paintOf, shown } from "./call-table.js";
import { shownTime } from "./moment.js";

const longest = 256;
const decisionColumns: readonly Column[] = [
  "provider",
  "phase",
  "decision",
  "basis",
  "mode",
  "code",
  "reason",
].map((title) => ({ title, align: "left" }));

/**
 * All intents and outcomes of a run, over all chains.
 *
 * @throws the system's error when the folder cannot be read.
 */
export async function recordsOfRun(path: string, runId: string): Promise<readonly AuditRecord[]> {
  const records: AuditRecord[] = [];
  const filter = { runId, kind: ["intent", "outcome"] as const };
  for await (const found of readRecords(path, { filter })) records.push(found);
  return records;
}

/** Everything that the log has of a call, for a person. */
export function runInWords(records: readonly AuditRecord[], colours: Palette): string {
  return records.map((found) => recordInWords(found, colours)).join("\n");
}

function recordInWords(found: AuditRecord, colours: Palette): string {
  const { record } = found;
  const facts = callFacts(record);
  const paint = paintOf(facts.status, colours) ?? colours.green;
  const word = record.kind === "intent" ? "about to run" : facts.status;
  const title = `${colours.bold(shown(facts.tool, longest))}: ${paint(shown(word, longest))}`;
  const members = factLines(found)
    .filter(([, text]) => text !== "")
    .map(([name, text]) => `  ${colours.dim(name.padEnd(15))}${text}\n`);
  const decisions = decisionsOf(record);
  const rows = decisions.map((each) => ({
    cells: [
      each.provider,
      each.phase,
      each.decision,
      each.basis,
      each.mode,
      each.code,
      each.reason,
    ].map((text) => shown(text, 500)),
    paint:
      each.decision === "deny" && each.mode !== "shadow" && each.mode !== "lifted"
        ? colours.red
        : undefined,
  }));
  const decided = rows.length === 0 ? "" : `\n${indented(table(decisionColumns, rows))}`;
  return `${title}\n${members.join("")}${decided}${payloadText(found, colours)}`;
}

function factLines(found: AuditRecord): readonly (readonly [string, string])[] {
  const { record, file, line } = found;
  const facts = callFacts(record);
  const text = (key: string): string => shown(ownText(record, key) ?? "", longest);
  const times = ownValue(record, "times");
  const asked = ownValue(times, "askedAt");
  const after = (key: string): string => {
    const time = ownValue(times, key);
    if (typeof time !== "number") return "";
    return typeof asked === "number" ? `${time - asked} ms later` : shownTime(time);
  };
  const requested = text("requestedName");
  const digests = ownValue(record, "digests");
  const decidedBy = [facts.decidedBy, facts.code, text("basis")].filter((each) => each !== "");
  return [
    ["decided by", shown(decidedBy.join(", "), longest)],
    ["reason", shown(facts.reason, 500)],
    ["approval", shown(facts.approval, longest)],
    ["run", text("runId")],
    ["call", text("callId")],
    ["turn", text("turnId")],
    ["session", shown(facts.session, longest)],
    ["asked for as", requested === shown(facts.tool, longest) ? "" : requested],
    ["principal", text("principal")],
    ["tenant", text("tenant")],
    ["agent", text("agentName")],
    ["traceparent", text("traceparent")],
    ["policy version", text("policyVersion")],
    ["recorded", shownTime(facts.time)],
    ["asked", shownTime(asked)],
    ["started", after("dispatchedAt")],
    ["settled", after("settledAt")],
    ...(["asked", "used", "result"] as const).map(
      (of) => [`digest, ${of}`, shown(ownText(digests, of) ?? "", longest)] as const,
    ),
    ["in the log", `${printable(file)}, line ${line}, record ${record.seq}`],
  ];
}

function payloadText({ record, payloads }: AuditRecord, { dim }: Palette): string {
  const kept: unknown = payloads ?? ownValue(record, "payloads");
  return (["asked", "used", "result"] as const)
    .filter((of) => ownValue(kept, of) !== undefined)
    .map(
      (of) => `\n  ${dim(`payload, ${of}`)}\n${indented(indented(jsonText(ownValue(kept, of))))}`,
    )
    .join("");
}

function jsonText(value: unknown): string {
  try {
    const lines = JSON.stringify(value, null, 2).split("\n");
    return lines.map((line) => `${printable(line)}\n`).join("");
  } catch {
    return "(nested too deeply to be shown)\n";
  }
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
