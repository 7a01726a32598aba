import { writeFileSync } from "node:fs";
import { inspectGuardFile, loadToolDefinitions } from "@toolstile/config";
import { type ToolDefinition, ToolRunner, ToolstileError } from "@toolstile/core";
import { schemaValidation } from "@toolstile/schema";
import { exitCodes } from "../terminal/command.js";
import { UsageError } from "../terminal/command-line.js";
import { reasonOf } from "../terminal/file-error.js";
import { counted, printable, type Terminal } from "../terminal/terminal.js";
import { guardYaml, type LeftOutTool } from "./guard-yaml.js";
import type { InitPlan } from "./plan.js";
import { type Harm, kindOfTool } from "./tool-kind.js";

/** Characters of the longest name that is written. */
const longestName = 256;

/** Writes the guard.yaml for the tools in a file, says what is in it, and returns the exit code. */
export async function writeFirst(
  { out, toolsFile, toolsPath, overwrite }: InitPlan,
  terminal: Terminal,
): Promise<number> {
  const declared = await loadToolDefinitions(toolsFile);
  const leftOut = unusable(declared);
  const names = new Set(leftOut.map(({ name }) => name));
  const tools = declared.filter(({ name }) => !names.has(name));
  if (tools.length === 0) {
    const problem = declared.length === 0 ? "has no tools" : "has no tool that can be used";
    throw new ToolstileError("ERR_CONFIG", `${toolsFile} ${problem}.`);
  }
  const text = guardYaml({ tools, leftOut, toolsPath: leftOut.length > 0 ? undefined : toolsPath });
  write(out, text, overwrite);
  terminal.out.write(`${printable(out)}: ${summary(tools)}\n`);
  for (const { name, why } of leftOut) {
    terminal.out.write(
      `  left out: ${printable(name.slice(0, longestName))}, since ${printable(why)}\n`,
    );
  }
  const missing = await missingFor(out);
  for (const line of missing) terminal.err.write(`${printable(line)}\n`);
  terminal.out.write(
    `Read it, change what is not right, and then: toolstile check ${printable(out)}\n` +
      `A program that loads it needs: npm install ${["@toolstile/config", ...packagesIn(text)].join(" ")}\n`,
  );
  return missing.length === 0 ? exitCodes.ok : exitCodes.broken;
}

/** The tools that a guard.yaml cannot name, or that no runner would take. */
function unusable(declared: readonly ToolDefinition[]): readonly LeftOutTool[] {
  const runner = new ToolRunner({ guardrails: [schemaValidation()] });
  const refused = new Map(runner.setTools(declared).map(({ name, cause }) => [name, cause]));
  return declared.flatMap(({ name }): readonly LeftOutTool[] => {
    if (/[*?]/.test(name)) return [{ name, why: "its name reads like a pattern" }];
    if (name.includes("${env:")) {
      return [{ name, why: "its name reads like an environment variable" }];
    }
    if (name.length > longestName) return [{ name, why: "its name is too long" }];
    if (!refused.has(name)) return [];
    return [
      { name, why: `its definition is refused: ${reasonOf(refused.get(name))}`.slice(0, 300) },
    ];
  });
}

/** The packages of the guards. They may be found here only since this command brought them. */
function packagesIn(text: string): readonly string[] {
  return [...text.matchAll(/^ {2}- use: "([^"]+)"$/gm)].map(([, name = ""]) => name);
}

function write(path: string, text: string, overwrite: boolean): void {
  try {
    writeFileSync(path, text, { flag: overwrite ? "w" : "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new UsageError(`${printable(path)} is there already. Pass --force to write over it.`);
  }
}

function summary(tools: readonly ToolDefinition[]): string {
  const harms = tools.map((tool) => kindOfTool(tool).harm);
  const count = (...of: Harm[]) => counted(harms.filter((each) => of.includes(each)).length);
  const all = tools.length === 1 ? "1 tool" : `${counted(tools.length)} tools`;
  return `${all}: ${count("reads")} allowed, ${count("changes", "shows")} asked about, ${count("destroys")} denied`;
}

/** The obstacles to loading the file: packages that are not installed beside it. */
async function missingFor(path: string): Promise<readonly string[]> {
  try {
    await using _ = await inspectGuardFile(path);
    return [];
  } catch (error) {
    if (!ToolstileError.isInstance(error)) throw error;
    return [`${path} is written, and cannot be loaded yet:`, ...error.message.split("\n")];
  }
}
