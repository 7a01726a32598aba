import { createHash, type KeyObject, sign } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Members of a record, after its number, its link and its version. */
export type RecordMembers = Readonly<Record<string, unknown>> & { readonly kind: string };

/** The time of the first record of {@link auditFolder}: 2026-11-28T12:00Z. */
export const noon = Date.UTC(2026, 10, 28, 12);

/**
 * Writes a chain of one segment, as docs/audit-format.md has it, and gives its lines.
 *
 * The segment's own line and the writer's opening come first.
 */
export function writeChain(
  folder: string,
  chain: string,
  records: readonly RecordMembers[],
): readonly string[] {
  const all: readonly RecordMembers[] = [
    { kind: "segment", time: noon, chain, segment: 1 },
    { kind: "head", time: noon, writer: "0".repeat(32), key: "0".repeat(16) },
    ...records,
  ];
  let prev = "0".repeat(64);
  const lines = all.map((members, index) => {
    const opened = JSON.stringify({ seq: index + 1, prev, v: 1, ...members });
    const body = ascii(opened.slice(0, -1));
    prev = createHash("sha256").update(body).digest("hex");
    return `${body},"hash":"${prev}"}`;
  });
  mkdirSync(join(folder, chain), { recursive: true });
  writeFileSync(join(folder, chain, "00000001.jsonl"), lines.map((line) => `${line}\n`).join(""));
  return lines;
}

/** Writes payloads beside the log, by the numbers of their records. */
export function writePayloads(
  folder: string,
  chain: string,
  payloads: ReadonlyMap<number, unknown>,
): void {
  const lines = Array.from(payloads, ([seq, each]) =>
    ascii(JSON.stringify({ seq, salt: "0".repeat(64), payloads: each })),
  );
  const text = lines.map((line) => `${line}\n`).join("");
  writeFileSync(join(folder, chain, "00000001.payloads.jsonl"), text);
}

/** A signed note over the first so many records of a chain, as docs/audit-format.md has it. */
export function checkpoint(
  chain: string,
  lines: readonly string[],
  keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject },
): string {
  const name = `toolstile-audit/${chain}`;
  const head = Buffer.from(lines.at(-1)?.slice(-66, -2) ?? "", "hex").toString("base64");
  const text = `${name}\n${lines.length}\n${head}\ntoolstile-hash-chain 1 ${noon}\n`;
  const raw = Buffer.from(keys.publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const id = createHash("sha256").update(`${name}\n\u0001`).update(raw).digest().subarray(0, 4);
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), keys.privateKey)]);
  return `${text}\n\u2014 ${name} ${signature.toString("base64")}\n`;
}

/** An outcome: allowed and executed, where nothing else is said. */
export function outcome(runId: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    kind: "outcome",
    time: noon,
    runId,
    callId: `call_${runId}`,
    requestedName: "forecast",
    toolName: "forecast",
    status: "executed",
    executed: true,
    modifiedBy: [],
    decisions: [decision("allow")],
    digests: { asked: "a".repeat(64), used: "a".repeat(64), result: "b".repeat(64) },
    times: { askedAt: noon, dispatchedAt: noon + 2, settledAt: noon + 40 },
    policyVersion: "7",
    ...more,
  } as const;
}

export function decision(word: string, more: Readonly<Record<string, unknown>> = {}) {
  return { provider: "allowlist", phase: "call", decision: word, basis: "policy", ...more };
}

/** An outcome that the provider denied. */
export function denied(
  runId: string,
  reason: string,
  more: Readonly<Record<string, unknown>> = {},
) {
  return outcome(runId, {
    status: "denied",
    executed: false,
    basis: "policy",
    decidedBy: "allowlist",
    code: "not_allowed",
    decisions: [decision("deny", { code: "not_allowed", reason })],
    ...more,
  });
}

function ascii(json: string): string {
  return json.replace(
    /[\x7f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
