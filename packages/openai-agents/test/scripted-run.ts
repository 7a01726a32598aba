import { Agent, type AgentInputItem, Runner, setTracingDisabled, type Tool } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";

setTracingDisabled(true);

/** What the model asks for in one turn: name, arguments, call id. */
export type Asked = readonly [name: string, args: string | Record<string, unknown>, callId: string];

/** A model that asks for these turns of calls, one after the other, and then says "done". */
export function asking(...turns: readonly (readonly Asked[])[]): ScriptedModel {
  return new ScriptedModel([
    ...turns.map((turn) =>
      turn.map(([name, args, callId]) => functionCall(name, args, { callId })),
    ),
    [assistantMessage("done")],
  ]);
}

export function runner(model: ScriptedModel): Runner {
  return new Runner({ model, tracingDisabled: true });
}

/** An agent with these tools, run by a model that follows a script. */
export async function run(
  tools: readonly Tool[],
  model: ScriptedModel,
  options: { readonly signal?: AbortSignal } = {},
) {
  const agent = new Agent({ name: "support", tools: [...tools] });
  return runner(model).run(agent, "go", options);
}

/** What the model read last, by call id. */
export function read(model: ScriptedModel): Record<string, unknown> {
  const input = model.lastCall?.request.input ?? [];
  return resultsIn(typeof input === "string" ? [] : input);
}

function resultsIn(items: readonly AgentInputItem[]): Record<string, unknown> {
  return Object.fromEntries(
    items.flatMap((item) =>
      item.type === "function_call_result" ? [[item.callId, textOf(item.output)]] : [],
    ),
  );
}

function textOf(output: unknown): unknown {
  const { type, text } = Object(output);
  return type === "text" || type === "input_text" ? text : output;
}
