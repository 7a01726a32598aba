import assert from "node:assert";
import {
  allowAll,
  type Guardrail,
  type JsonObject,
  type ToolDefinition,
  type ToolOutcome,
  ToolRunner,
  toolResult,
} from "@toolstile/core";
import { type FakeTool, fakeTool } from "./fake-tool.js";
import { asJson } from "./json-shape.js";
import {
  answer,
  type Decisions,
  freshGuard,
  type Guard,
  type Kit,
  type Question,
} from "./question.js";
import { secretsIn } from "./spoken-text.js";

/** The tests of a provider's decisions in a real runner, with a tool that remembers. */
export const runnerSentences: Decisions = [
  {
    of: "allow",
    name: "in a runner, lets the tool run once, with the arguments as they are",
    async check(kit) {
      for (const question of asking(kit, "allow")) {
        const { outcome, runs } = await runWithTools(kit, question);
        assert.equal(outcome.status, "executed", question.where);
        assert.deepStrictEqual(runs, [asJson(question.call.args)], question.where);
      }
    },
  },
  {
    of: "deny",
    name: "in a runner, never lets the tool run that it denies",
    async check(kit) {
      for (const question of asking(kit, "deny")) {
        const { outcome, runs } = await runWithTools(kit, question);
        assert.deepStrictEqual(runs, [], `${question.where}: a tool ran.`);
        assert.equal(outcome.status, "denied", question.where);
        const basis = outcome.status === "denied" ? outcome.basis : undefined;
        assert.equal(basis, "policy", `${question.where}: it did not decide that itself.`);
      }
    },
  },
  {
    of: "modify",
    name: "in a runner, lets the tool run once, with the arguments as it modified them",
    needs: ["deterministic"],
    async check(kit) {
      for (const question of asking(kit, "modify")) {
        const verdict = await answer(kit, await freshGuard(kit), question);
        const { outcome, runs } = await runWithTools(kit, question);
        assert.equal(outcome.status, "executed", question.where);
        assert.deepStrictEqual(runs, [asJson(verdict.modifiedArgs)], question.where);
        assert.notDeepStrictEqual(outcome.modifiedBy, [], question.where);
      }
    },
  },
];

/** The tests of a judge's decisions in a real runner, with a tool that answers as the case says. */
export const resultRunnerSentences: Decisions = [
  {
    of: "allow",
    name: "in a runner, lets the result through as it is",
    async check(kit) {
      for (const question of asking(kit, "allow")) {
        const { outcome } = await runForResult(kit, question);
        assert.equal(outcome.executed, true, question.where);
        assert.notEqual(outcome.status, "withheld", question.where);
        assert.deepStrictEqual(outcome.result.content, question.result?.content, question.where);
      }
    },
  },
  {
    of: "deny",
    name: "in a runner, keeps from the model what it withholds",
    async check(kit) {
      for (const question of asking(kit, "deny")) {
        const { outcome } = await runForResult(kit, question);
        // Core itself refuses a value that is not content, before any judge.
        assert.ok(["withheld", "failed"].includes(outcome.status), question.where);
        assert.equal(outcome.result.isError, true, question.where);
        const read = JSON.stringify(outcome.result);
        const leaks = secretsIn(question).some((secret) => read.includes(secret));
        assert.ok(!leaks, `${question.where}: the model reads what is withheld.`);
      }
    },
  },
  {
    of: "modify",
    name: "in a runner, gives the model the result as it rewrote it",
    needs: ["deterministic"],
    async check(kit) {
      for (const question of asking(kit, "modify")) {
        const verdict = await answer(kit, await freshGuard(kit), question);
        const { outcome } = await runForResult(kit, question);
        const { content } = outcome.result;
        assert.deepStrictEqual(content, asJson(verdict.modifiedResult?.content), question.where);
      }
    },
  },
];

function asking(kit: Kit, expected: Question["expected"]): readonly Question[] {
  return kit.questions.filter((question) => question.expected === expected);
}

interface Ran {
  readonly outcome: ToolOutcome;
  /** The arguments of every run of any tool. */
  readonly runs: readonly JsonObject[];
}

async function runWithTools(kit: Kit, question: Question): Promise<Ran> {
  const guard: Guard = await kit.makeGuard();
  const { call } = question;
  const tools = new Map<string, FakeTool>();
  const add = ({ name, ...definition }: ToolDefinition): void => {
    if (!tools.has(name)) tools.set(name, fakeTool(name, definition));
  };
  for (const tool of kit.tools) add(tool);
  // A provider that asks which tools there are may deny one for not being there.
  const undeclared = question.expected === "deny" && guard.register !== undefined;
  if (call.tool !== undefined || !undeclared) add(call.tool ?? { name: call.toolName });
  for (const name of guard.tools ?? []) add({ name });
  return run(kit, [guard as Guardrail], [...tools.values()], question);
}

async function runForResult(kit: Kit, question: Question): Promise<Ran> {
  const guard = (await kit.makeGuard()) as Guardrail;
  const { call, result } = question;
  const tool = fakeTool(call.toolName, {
    ...call.tool,
    execute: () => toolResult({ content: "", ...result }),
  });
  return run(kit, [allowAll(), guard], [tool], question);
}

async function run(
  kit: Kit,
  guardrails: readonly Guardrail[],
  tools: readonly FakeTool[],
  { call }: Question,
): Promise<Ran> {
  const { toolName, requestedName, callId, agentName, context } = call;
  const names = new Set(tools.map(({ name }) => name));
  const aliased = names.has(toolName) && !names.has(requestedName);
  const runner = new ToolRunner({
    guardrails,
    tools,
    aliases: aliased ? Object.fromEntries([[requestedName, toolName]]) : {},
    unchecked: true,
    timeoutMs: kit.withinMs,
  });
  try {
    const name = aliased ? requestedName : toolName;
    const request = { name, arguments: call.args, callId };
    const outcome = await runner.run(request, { agentName, context });
    return { outcome, runs: tools.flatMap(({ runs }) => runs) };
  } finally {
    await runner.close();
  }
}
