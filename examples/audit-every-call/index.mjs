// A record of every call: of those that run, fail or are denied, and none without a record.
import { deepEqual, equal, ok } from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, Runner, tool } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { allowlist } from "@toolstile/allowlist";
import { auditLog, folder, memory, readRecords, verifyFolder } from "@toolstile/audit-log";
import { guardTools } from "@toolstile/openai-agents";
import { schemaValidation } from "@toolstile/schema";
import { z } from "zod";

const ran = [];
const note = tool({
  name: "note",
  description: "Keep a note.",
  parameters: z.object({ text: z.string() }),
  execute: ({ text }) => {
    ran.push(text);
    // The SDK makes an answer of what a tool throws, so that for the guards it has answered.
    if (text === "fail") throw new Error("disk full, token tk_live_4711");
    return "Kept.";
  },
});
const erase = tool({
  name: "erase",
  description: "Erase all notes.",
  parameters: z.object({}),
  execute: () => "Erased.",
});

/** What the model reads when it makes these calls, with this log. */
async function readOf(log, calls, onFault) {
  const agent = new Agent({
    name: "notes",
    tools: guardTools([note, erase], {
      guardrails: [allowlist(["note"]), schemaValidation()],
      observers: [log],
      ...(onFault && { onFault }),
      describe: () => ({ agentName: "notes", context: { sessionId: "s1", principal: "ann" } }),
    }),
  });
  const turns = calls.map(([name, args], index) => [
    functionCall(name, args, { callId: `c${index}` }),
  ]);
  const model = new ScriptedModel([...turns, [assistantMessage("Done.")]]);
  const runner = new Runner({ model, tracingDisabled: true });
  const { newItems } = await runner.run(agent, "Take notes.", { maxTurns: 20 });
  return newItems
    .filter(({ type }) => type === "tool_call_output_item")
    .map(({ output }) => output);
}

const place = mkdtempSync(join(tmpdir(), "audit-every-call-"));
const path = join(place, "audit");
const log = auditLog({ sink: folder(path), required: true });

/** A line as the log itself has them: arguments may not become one. */
const forged =
  '"}\n{"seq":1,"prev":"0","v":1,"kind":"outcome","status":"executed","toolName":"forged"}\n';
const calls = [
  ["note", { text: "buy tea" }],
  ["note", { text: "fail" }],
  ["note", { text: 7 }],
  ["erase", {}],
  ["note", { text: forged }],
  ["note", { text: "\u001b[2J\u202eevil" }],
  ["note", JSON.parse('{"text": "a", "__proto__": {"status": "denied"}}')],
  ["note", { text: "secret hunter2 ".repeat(20_000) }],
];
const read = await readOf(log, calls);
equal(read.length, calls.length);
await log.close();

const outcomes = [];
for await (const { record } of readRecords(path, { filter: { kind: ["outcome"] } }))
  outcomes.push(record);
for (const { callId, toolName, status, decidedBy = "", principal } of outcomes)
  console.log(
    `${callId} ${principal} ${toolName}: ${[status, decidedBy].filter(Boolean).join(" by ")}`,
  );
deepEqual(
  outcomes.map(({ callId, toolName }) => [callId, toolName]),
  calls.map(([name], index) => [`c${index}`, name]),
);
const ranByRecord = outcomes.filter(({ executed }) => executed).length;
equal(ranByRecord, ran.length, "each call that ran has a record which says so");

const files = readdirSync(path, { recursive: true }).filter((name) => name.endsWith(".jsonl"));
const text = files.map((name) => readFileSync(join(path, name), "utf8")).join("");
ok(!/hunter2|tk_live|buy tea|forged/.test(text), "the log has digests, and no word of arguments");
ok(/^[\n\x20-\x7e]*$/.test(text), "nothing in the log moves a terminal's cursor");
const { ok: whole, records } = await verifyFolder(path);
ok(whole && records > 2 * calls.length - 2);
console.log("\nThe log is whole, and has no word of the arguments.");

console.log("\nThe log cannot be written. Nothing runs that nobody would know of.");
const before = ran.length;
const full = { ...memory(), append: () => Promise.reject(new Error("no space left")) };
const onFault = () => {};
const deaf = auditLog({ sink: full, required: true });
const [unrecorded] = await readOf(deaf, [["note", { text: "x" }]], onFault);
console.log(`  ${unrecorded}`);
equal(ran.length, before);
rmSync(place, { recursive: true });
