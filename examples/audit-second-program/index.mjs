// An audit log, verified by two programs that know nothing of Toolstile, and only read its page on the format.
import { equal, match } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { allowlist } from "@toolstile/allowlist";
import { auditLog, folder } from "@toolstile/audit-log";
import { ToolRunner, tool } from "@toolstile/core";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const place = mkdtempSync(join(tmpdir(), "audit-second-program-"));
const path = join(place, "audit");

// A day of an agent, with Toolstile.
const log = auditLog({ sink: folder(path, { checkpointAfterMs: 3_600_000 }), required: true });
const search = tool({ name: "search", execute: () => "found" });
const runner = new ToolRunner({
  tools: [search, tool({ name: "refund", execute: () => "paid" })],
  guardrails: [allowlist(["search"])],
  observers: [log],
});
for (let call = 0; call < 20; call++)
  await runner.run({ name: call % 5 === 0 ? "refund" : "search", arguments: { call } });
await runner.close();
await log.close();

// From here on, without it.
const key = join(place, "audit.public.pem");
const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) console.log("python3 is not there: verify.py is skipped.");
const programs = [
  ...(hasPython ? [["python3", here("verify.py")]] : []),
  [process.execPath, here("verify.mjs")],
];

/** Has the programs verify a copy of the log, with something done to its one segment. */
function verified(what, change, code, said) {
  const copy = mkdtempSync(join(place, "copy-"));
  cpSync(path, copy, { recursive: true });
  const [chain] = readdirSync(copy);
  const segment = join(copy, chain, "00000001.jsonl");
  const lines = readFileSync(segment, "latin1").split("\n").slice(0, -1);
  writeFileSync(
    segment,
    change(lines)
      .map((line) => `${line}\n`)
      .join(""),
    "latin1",
  );
  console.log(what);
  for (const [command, script] of programs) {
    const run = spawnSync(command, [script, copy, key], { encoding: "utf8" });
    console.log(`  ${script.split(/[\\/]/).at(-1)}: ${run.stdout.trim()}`);
    equal(run.status, code, run.stderr);
    match(run.stdout, said);
  }
}

/** Recomputes the hashes of all lines, as an administrator could who has no signing key. */
function resealed(lines) {
  let prev = "0".repeat(64);
  return lines.map((line) => {
    const body = line.slice(0, -75).replace(/"prev":"\w{64}"/, `"prev":"${prev}"`);
    prev = createHash("sha256").update(body).digest("hex");
    return `${body},"hash":"${prev}"}`;
  });
}

const asFailed = (line) => line.replace('"status":"denied"', '"status":"failed"');
verified("As it was written.", (lines) => lines, 0, /^\d+ records are good$/m);
verified(
  "One word of record 8 is another.",
  (lines) => lines.with(7, flipped(lines[7])),
  1,
  /record 8/,
);
verified("Record 8 is gone.", (lines) => lines.toSpliced(7, 1), 1, /record 8/);
verified(
  "Two records have changed places.",
  (lines) => lines.with(7, lines[8]).with(8, lines[7]),
  1,
  /record 8/,
);
verified("The end is cut off.", (lines) => lines.slice(0, -5), 1, /ends before its checkpoint/);

// Only a signature shows this: the chain itself is whole again.
programs.splice(0, programs.length - 1);
verified(
  "Denials are written as failures, and all hashes made anew.",
  (lines) => resealed(lines.map(asFailed)),
  1,
  /not the one that the checkpoint is about/,
);
rmSync(place, { recursive: true });

function flipped(line) {
  const at = line.indexOf('"kind":"') + 8;
  return `${line.slice(0, at)}X${line.slice(at + 1)}`;
}
