import { inspectGuardFile, loadToolDefinitions } from "@toolstile/config";
import type { ToolDefinition } from "@toolstile/core";
import { requireAgent } from "../policy/known-agent.js";
import { namesOf, PolicyRunner } from "../policy/policy-runner.js";
import { findingsOf, misspelt, unexpected } from "./findings.js";
import { forecasts } from "./forecast.js";
import { inspect, scopeNamesOf } from "./inspection.js";
import { leftOutTools } from "./left-out.js";
import { notesOn } from "./notes.js";
import { reportOnRules } from "./rule-report.js";
import { type SampleCall, withStructured } from "./sample-call.js";
import { SampleClock } from "./sample-time.js";
import { tryCalls } from "./trial.js";
import type { Report } from "./words.js";

export interface ReportOptions {
  readonly path: string;
  readonly toolsPath: string | undefined;
  readonly unchecked: boolean;
  /** The agent of the samples that name none. */
  readonly agent: string | undefined;
  /** The time at which rules are asked, where a sample has none of its own. */
  readonly at: number | undefined;
  readonly samples: readonly SampleCall[];
}

/** @throws ToolstileError for files that are wrong. */
export async function reportOn({
  path,
  toolsPath,
  unchecked,
  agent,
  at,
  samples,
}: ReportOptions): Promise<Report> {
  const given = toolsPath === undefined ? undefined : await loadToolDefinitions(toolsPath);
  const clock = new SampleClock();
  clock.set(at);
  const file = await inspectGuardFile(path, { replacePlugin: clock.replacePlugin });
  try {
    requireAgent(agent, file);
    const declared = given ?? file.tools;
    const isDeclared = declared !== undefined;
    const named = [
      ...file.guards.flatMap((guard) => [...scopeNamesOf(guard), ...namesOf(guard.guardrail)]),
      ...samples.map(({ name }) => name),
    ];
    const tools: readonly ToolDefinition[] =
      declared ?? [...new Set(named)].map((name) => ({ name }));
    const inspection = inspect(file, tools, unchecked);
    const rules = await reportOnRules(file.guards, tools, isDeclared, inspection);
    const runner = new PolicyRunner({ file, tools, unchecked });
    const tried = await tryCalls(
      samples.map((sample) => ({
        ...withStructured(sample, tools),
        agent: sample.agent ?? agent,
        at: sample.at ?? at,
      })),
      file,
      runner,
      clock,
    );
    const deciders = ["core", ...file.guards.map(({ name }) => name), ...runner.places.ids];
    const isTimed = at !== undefined || samples.some((sample) => sample.at !== undefined);
    return {
      file: path,
      policyVersion: file.policyVersion,
      mode: file.mode,
      declared: isDeclared,
      isTimed,
      notes: [
        ...notesOn(file, { at, isTimed }),
        ...(isDeclared ? leftOutTools(file.guards, tools, rules.tools, inspection) : []),
      ],
      guards: file.guards.map(
        ({ guardrail: _, covers: __, options: ___, placeOf: ____, ...guard }) => guard,
      ),
      findings: [
        ...findingsOf(inspection, tools, isDeclared, runner.places),
        ...rules.findings,
        ...(isDeclared ? tried.flatMap((each) => misspelt(each, tools)) : []),
        ...tried.flatMap((each) => unexpected(each, deciders)),
      ],
      calls: forecasts(inspection, tools, rules.tools),
      rules: rules.tools,
      samples: tried,
      faults: [],
    };
  } finally {
    await file.close();
  }
}
