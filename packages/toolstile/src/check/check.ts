import { statSync } from "node:fs";
import {
  GuardFileError,
  type GuardFileFault,
  type InspectedGuardFile,
  inspectGuardFile,
  loadToolDefinitions,
} from "@toolstile/config";
import { type ToolDefinition, ToolstileError } from "@toolstile/core";
import { type Command, exitCodes } from "../terminal/command.js";
import { readArguments, UsageError } from "../terminal/command-line.js";
import { complaint, isExplained } from "../terminal/file-error.js";
import { printableJson, type Terminal } from "../terminal/terminal.js";
import { findingsOf } from "./findings.js";
import { forecasts } from "./forecast.js";
import { inspect, namesOf, scopeNamesOf } from "./inspection.js";
import { faultsInWords, inWords, type Report } from "./words.js";

/** `toolstile check`: what is wrong with this guard.yaml, and what would it do? */
export const check: Command = {
  run: async (argv, terminal) => {
    const given = readArguments(argv, { tools: "string", unchecked: "boolean", json: "boolean" });
    const [path, ...more] = given.operands;
    if (path === undefined) throw new UsageError("Name the guard.yaml to check.");
    if (more.length > 0) throw new UsageError("One guard.yaml at a time.");
    const toolsPath = given.text("tools");
    for (const file of toolsPath === undefined ? [path] : [path, toolsPath]) {
      if (!isReadable(file, terminal)) return exitCodes.usage;
    }
    const asJson = given.has("json");
    try {
      const report = await reportOn(path, toolsPath, given.has("unchecked"));
      terminal.out.write(asJson ? printableJson(report) : inWords(report, terminal));
      return report.findings.length === 0 ? exitCodes.ok : exitCodes.broken;
    } catch (error) {
      if (!ToolstileError.isInstance(error)) throw error;
      const faults = faultsOf(error, path);
      terminal.out.write(
        asJson ? printableJson({ file: path, faults }) : faultsInWords(path, faults, terminal),
      );
      return exitCodes.broken;
    }
  },
};

function isReadable(path: string, { err }: Terminal): boolean {
  try {
    if (!statSync(path).isDirectory()) return true;
    throw Object.assign(new Error(), { code: "EISDIR", syscall: "read" });
  } catch (error) {
    if (!isExplained(error)) throw error;
    err.write(complaint(path, error));
    return false;
  }
}

/** @throws ToolstileError for files that are wrong. */
async function reportOn(
  path: string,
  toolsPath: string | undefined,
  unchecked: boolean,
): Promise<Report> {
  const given = toolsPath === undefined ? undefined : await loadToolDefinitions(toolsPath);
  const file = await inspectGuardFile(path);
  try {
    const declared = given ?? file.tools;
    const tools = declared ?? toolsThatGuardsName(file);
    const inspection = inspect(file, tools, unchecked);
    return {
      file: path,
      policyVersion: file.policyVersion,
      mode: file.mode,
      declared: declared !== undefined,
      guards: file.guards.map(({ guardrail: _, covers: __, ...guard }) => guard),
      findings: findingsOf(inspection, tools, declared !== undefined),
      calls: forecasts(inspection, tools),
      faults: [],
    };
  } finally {
    await file.close();
  }
}

function toolsThatGuardsName({ guards }: InspectedGuardFile): readonly ToolDefinition[] {
  const names = guards.flatMap((guard) => [...scopeNamesOf(guard), ...namesOf(guard.guardrail)]);
  return [...new Set(names)].map((name) => ({ name }));
}

/** Faults in one form, also of what only shows when a runner is built. */
function faultsOf(error: ToolstileError, file: string): readonly GuardFileFault[] {
  if (error instanceof GuardFileError) return error.faults;
  return [{ file, path: "", message: error.message }];
}
