/** The tools of this story. Nothing is read or run in truth. */
const tools = {
  Read: ({ file_path }) => ({
    type: "text",
    file: { filePath: file_path, content: "PORT=80\nTOKEN=tk_live_4711", numLines: 2 },
  }),
  Bash: ({ command }) => ({ stdout: `ran: ${command}`, stderr: "", interrupted: false }),
  mcp__deploy__start: ({ stage }) => [{ type: "text", text: `Deployed to ${stage}.` }],
  mcp__deploy__status: () => {
    throw new Error("403 for token tk_live_4711");
  },
};

/**
 * Plays the part of the Claude Agent SDK, whose program is far too large for an example.
 *
 * It asks the hooks in the options as the SDK does: before each call, after it,
 * and once all calls of a turn are over. With the SDK, write
 * `query({ prompt, options })` in place of this.
 */
export async function* turnsOf(options, turns) {
  for (const calls of turns) {
    const tool_calls = [];
    for (const [index, [tool_name, tool_input]] of calls.entries()) {
      const call = { tool_name, tool_input, tool_use_id: `${tool_name}-${index}` };
      const tool_response = await runCall(options, call);
      tool_calls.push({ ...call, tool_response });
    }
    const { continue: goesOn, stopReason } = await ask(options, "PostToolBatch", { tool_calls });
    if (goesOn === false) {
      yield [`The run was stopped before the model read on: ${stopReason}`];
      return;
    }
    yield tool_calls.map(
      ({ tool_name, tool_response }) => `${tool_name}: ${textOf(tool_response)}`,
    );
  }
}

async function runCall(options, call) {
  const { hookSpecificOutput: before = {} } = await ask(options, "PreToolUse", call);
  if (before.permissionDecision === "deny") return before.permissionDecisionReason;
  const decided = { ...call, tool_input: before.updatedInput ?? call.tool_input };
  try {
    const tool_response = tools[call.tool_name](decided.tool_input);
    const told = { ...decided, tool_response };
    const { hookSpecificOutput: after = {} } = await ask(options, "PostToolUse", told);
    return after.updatedToolOutput ?? tool_response;
  } catch ({ message }) {
    await ask(options, "PostToolUseFailure", { ...decided, error: message });
    return message;
  }
}

/** There is one hook for each event here: the guards'. */
function ask(options, hook_event_name, told) {
  const [{ hooks }] = options.hooks[hook_event_name];
  const input = { hook_event_name, session_id: "s1", cwd: "/srv/app", ...told };
  return hooks[0](input, told.tool_use_id, { signal: new AbortController().signal });
}

/** As the model reads it. */
function textOf(response) {
  if (typeof response === "string") return response;
  if (Array.isArray(response)) return response.map(({ text }) => text).join("\n");
  return JSON.stringify(response.file?.content ?? response.stdout);
}
