import { requireAgent } from "../policy/known-agent.js";
import { exitCodes } from "../terminal/command.js";
import type { Arguments } from "../terminal/command-line.js";
import { isExplained, reasonOf } from "../terminal/file-error.js";
import { palette, printable, type Terminal } from "../terminal/terminal.js";
import { openOutputs } from "./outputs.js";
import type { ReplayedPolicy } from "./policy-guard.js";
import { inJson, inWords } from "./report.js";
import { Session } from "./session.js";

/** Opens the guard.yaml that was asked for. If it is wrong, its faults are told. */
export async function openPolicy(
  given: Arguments,
  { err }: Terminal,
): Promise<ReplayedPolicy | "unusable" | undefined> {
  const path = given.text("config");
  if (path === undefined) return undefined;
  try {
    const { inspectGuardFile } = await import("@toolstile/config");
    const file = await inspectGuardFile(path);
    const agentName = given.text("agent");
    try {
      requireAgent(agentName, file);
    } catch (error) {
      await file.close();
      throw error;
    }
    return { path, file, unchecked: given.has("unchecked"), agentName };
  } catch (error) {
    if (!isExplained(error)) throw error;
    // What is wrong with a guard.yaml stands on a line each.
    const lines = "faults" in error ? error.message.split("\n").map(printable) : [reasonOf(error)];
    for (const line of lines) err.write(`${line}\n`);
    return "unusable";
  }
}

/** Replays the files, prints the report, and returns the exit code. */
export async function replayFiles(
  given: Arguments,
  policy: ReplayedPolicy | undefined,
  terminal: Terminal,
): Promise<number> {
  const files = given.operands;
  const names = { audit: given.text("audit"), findings: given.text("findings") };
  const read = policy === undefined ? files : [...files, policy.path];
  const outputs = await openOutputs(names, read, terminal.err);
  if (outputs === undefined) return exitCodes.broken;
  const requireNames = given.has("require-names");
  const session = new Session({ outputs, names, requireNames, policy, terminal });
  try {
    for (const file of files) await session.replay(file);
  } finally {
    await session.close();
  }
  const { withoutOutputSchema } = session;
  const reported = policy && { ...policy, withoutOutputSchema };
  const colours = palette(terminal.out, terminal.environment);
  terminal.out.write(
    given.has("json")
      ? inJson(session.files, session.total, reported)
      : inWords(session.files, session.total, reported, colours),
  );
  return session.troubled ? exitCodes.broken : exitCodes.ok;
}
