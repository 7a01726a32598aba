import type { HookOutput, Hooks, QueryOptions } from "../src/sdk.js";

/**
 * What the SDK's own program does with hooks, as it was seen to do in 0.3.332.
 *
 * It is another process: what goes there and back is a copy.
 * The program itself is none of this package's dependencies. It asks all hooks
 * of an event at once; the last change of several wins, and a denial wins over
 * all. Of its own tools it takes no response of another shape in place of
 * theirs, and says nothing.
 */
export interface Session {
  readonly options: object;
  /** What is run, by the tool's name. */
  readonly tools: Readonly<Record<string, (input: never) => unknown>>;
  readonly signal?: AbortSignal;
  /** What is said of who asks. */
  readonly agent?: { readonly agent_id?: string; readonly agent_type?: string };
  readonly sessionId?: string;
}

/** What the model asks for in one turn: name, arguments, call id. */
export type Asked = readonly [name: string, input: unknown, id: string];

/** What the model reads of a turn, by call id; nothing where it is not asked again. */
export interface Turn {
  readonly read: Readonly<Record<string, unknown>>;
  readonly stopReason?: string | undefined;
}

export async function play(session: Session, ...calls: readonly Asked[]): Promise<Turn> {
  const read: Record<string, unknown> = {};
  await Promise.all(
    calls.map(async (call) => {
      read[call[2]] = await playCall(session, call);
    }),
  );
  const tool_calls = calls.map(([tool_name, tool_input, tool_use_id]) => {
    return { tool_name, tool_input, tool_use_id, tool_response: read[tool_use_id] };
  });
  const outputs = await ask(session, "PostToolBatch", { tool_calls });
  const stop = outputs.find(({ continue: goesOn }) => goesOn === false);
  return stop === undefined ? { read } : { read: {}, stopReason: stop.stopReason };
}

/** What stands before the reason of a denial, for the model. */
export const hookError = "hook error: ";

async function playCall(session: Session, [tool_name, asked, tool_use_id]: Asked) {
  if (!Object.hasOwn(session.tools, tool_name)) return `No such tool available: ${tool_name}`;
  const call = { tool_name, tool_use_id };
  const before = await ask(session, "PreToolUse", { ...call, tool_input: asked });
  const denial = before.find(({ specific }) => specific.permissionDecision === "deny");
  if (denial !== undefined) return `${hookError}${denial.specific.permissionDecisionReason}`;
  let tool_input = before.reduce((input, { specific }) => specific.updatedInput ?? input, asked);
  const { canUseTool } = session.options as QueryOptions;
  if (typeof canUseTool === "function") {
    const answer = await canUseTool(tool_name, structuredClone(tool_input), {
      toolUseID: tool_use_id,
    });
    if (answer.behavior !== "allow") return answer.message;
    tool_input = answer.updatedInput ?? tool_input;
  }
  try {
    const tool_response = await session.tools[tool_name]?.(tool_input as never);
    const after = await ask(session, "PostToolUse", { ...call, tool_input, tool_response });
    return after.reduce((response, { specific }) => {
      const { updatedToolOutput: updated } = specific;
      if (updated === undefined) return response;
      return tool_name.startsWith("mcp__") || isAlike(response, updated) ? updated : response;
    }, tool_response);
  } catch (thrown) {
    const error = (thrown as Error).message;
    await ask(session, "PostToolUseFailure", { ...call, tool_input, error });
    return error;
  }
}

/** Ask all hooks of an event, as the program does: what throws says nothing, unless it is to block. */
export async function ask(session: Session, hook_event_name: string, told: object) {
  const { agent, sessionId: session_id = "s1", signal = new AbortController().signal } = session;
  const input = structuredClone({ hook_event_name, session_id, cwd: "/", ...agent, ...told });
  const matchers =
    ((session.options as QueryOptions).hooks as Hooks | undefined)?.[hook_event_name] ?? [];
  const outputs = await Promise.all(
    matchers.flatMap(({ hooks }) => hooks.map((hook) => hook(input, undefined, { signal }))),
  );
  return outputs
    .map((output: HookOutput) => structuredClone(output))
    .map((output) => ({
      ...output,
      specific: { ...output.hookSpecificOutput },
    }));
}

function isAlike(old: unknown, updated: unknown): boolean {
  const keys = (value: unknown) => JSON.stringify([typeof value, Object.keys(Object(value))]);
  const isText = typeof old === "string" || typeof updated === "string";
  return isText ? typeof old === typeof updated : keys(old) === keys(updated);
}
