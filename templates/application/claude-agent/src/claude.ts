import type { HookEvent, HookInput, Options } from "@anthropic-ai/claude-agent-sdk";
import { type Answer, script } from "./script.js";
import { tools } from "./tools.js";

/**
 * In place of Claude, so that this runs offline: makes the calls of the script, and asks the hooks
 * before and after each of them, as the Claude Agent SDK does.
 */
export async function runScript(options: Options): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const { id, name, args } of script) {
    const call = { tool_name: name, tool_input: args, tool_use_id: id };
    const before = await ask(options, "PreToolUse", call);
    if (before["permissionDecision"] === "deny") {
      answers.push({ callId: id, text: String(before["permissionDecisionReason"]) });
      continue;
    }
    const decided = { ...call, tool_input: before["updatedInput"] ?? args };
    const tool = tools.find((each) => name.endsWith(`__${each.name}`));
    // The tools of the list differ in their arguments.
    const { content } = (await tool?.handler(decided.tool_input as never, {})) ?? { content: [] };
    const after = await ask(options, "PostToolUse", { ...decided, tool_response: content });
    const read = after["updatedToolOutput"] ?? content;
    answers.push({ callId: id, text: JSON.stringify(read) });
  }
  return answers;
}

/** What the guards' hook says of an event. */
async function ask(options: Options, event: HookEvent, told: object) {
  const hook = options.hooks?.[event]?.[0]?.hooks[0];
  const input = { hook_event_name: event, session_id: "s1", cwd: "/", ...told };
  // A script has not all that the SDK tells.
  const said = await hook?.(input as unknown as HookInput, undefined, {
    signal: new AbortController().signal,
  });
  const { hookSpecificOutput = {} } = { ...said } as { hookSpecificOutput?: object };
  return hookSpecificOutput as Record<string, unknown>;
}
