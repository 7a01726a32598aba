import { type ApprovalRecord, render, stateOf } from "@toolstile/approval";
import { type Column, table } from "../terminal/table.js";
import { counted, palette, printable, printableJson, type Terminal } from "../terminal/terminal.js";
import { briefJson, cut } from "./brief-json.js";
import { type OpenedApprovals, pendingAlike } from "./opened-approvals.js";

const columns: readonly Column[] = [
  { title: "approval", align: "left" },
  { title: "state", align: "left" },
  { title: "tool", align: "left" },
  { title: "asked by", align: "left" },
  { title: "session", align: "left" },
  { title: "runs", align: "right" },
  { title: "expires in", align: "right" },
  { title: "summary", align: "left" },
  { title: "arguments", align: "left" },
];
const widest = 48;
const widestSession = 20;

/**
 * A line for each question; runs that wait for just the same share one.
 *
 * The arguments are shown, since they are what is approved: a summary is the guard's words, and may be the same for two
 * calls. Whoever can open the store can read them whole.
 */
export function asTable(
  records: readonly ApprovalRecord[],
  now: number,
  { out, environment }: Terminal,
): string {
  if (records.length === 0) return "Nothing waits for an approval.\n";
  const { green } = palette(out, environment);
  const rows = [...grouped(records).values()].map(([first, ...alike]) => {
    const { id, question, expiresAt } = first;
    const { toolName, context, agentName, approval, args } = question;
    const state = stateOf(first, now);
    const cells = [
      id,
      state,
      short(toolName),
      short(context.principal ?? agentName ?? ""),
      short(context.sessionId ?? "", widestSession),
      counted(alike.length + 1),
      remaining(expiresAt - now),
      short(approval.summary),
      briefJson(args),
    ];
    return { cells, paint: state === "approved" ? green : undefined };
  });
  return table(columns, rows);
}

export function asJson(
  records: readonly ApprovalRecord[],
  damaged: readonly string[],
  now: number,
): string {
  const approvals = records.map((record) => ({ ...record, state: stateOf(record, now) }));
  return printableJson({ approvals, damaged });
}

/** One question with all that its answer is bound to, and how it stands. */
export async function inFull(record: ApprovalRecord, opened: OpenedApprovals): Promise<string> {
  const { id, question, expiresAt, answer } = record;
  const state = stateOf(record, opened.now);
  const lines = [`approval:        ${id}`, `state:           ${state}${by(answer?.by)}`];
  if (answer?.reason !== undefined) lines.push(`answer's reason: ${printable(answer.reason)}`);
  if (state === "pending")
    lines.push(`runs:            ${(await pendingAlike(record, opened)).length}`);
  return `${lines.join("\n")}\n${render(question, { expiresAt })}`;
}

function by(name: string | undefined): string {
  return name === undefined ? "" : `, answered by ${printable(name)}`;
}

/** Pending ones that are alike together, each other alone. */
function grouped(
  records: readonly ApprovalRecord[],
): ReadonlyMap<string, [ApprovalRecord, ...ApprovalRecord[]]> {
  const groups = new Map<string, [ApprovalRecord, ...ApprovalRecord[]]>();
  for (const record of records) {
    const key = record.answer === undefined ? record.likeness : record.id;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return groups;
}

function short(text: string, longest = widest): string {
  const start = cut(text, longest);
  return printable(start) + (start === text ? "" : "…");
}

function remaining(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${counted(Math.floor(minutes / 60))} h`;
}
