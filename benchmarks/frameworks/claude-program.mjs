#!/usr/bin/env node
// Plays the part of the program that the Claude Agent SDK starts, as far as hooks go.
// Each message of the user is a list of calls. All of them are played at once: the hooks before a
// call are asked all together, then those after it, over the pipes, as the program does. The
// results are what the model would read.
import { createInterface } from "node:readline";

const hooks = {};
const waiting = new Map();
let requests = 0;

const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** Ask all hooks of an event. */
const ask = (event, input) =>
  Promise.all(
    (hooks[event] ?? []).map((callback_id) => {
      const request_id = `hook_${++requests}`;
      const request = {
        subtype: "hook_callback",
        callback_id,
        input: {
          hook_event_name: event,
          session_id: "s1",
          cwd: "/",
          transcript_path: "",
          ...input,
        },
        tool_use_id: input.tool_use_id,
      };
      write({ type: "control_request", request_id, request });
      return new Promise((resolve) => waiting.set(request_id, resolve));
    }),
  );

async function play({ id, name, args }) {
  const call = { tool_name: name, tool_use_id: id };
  const before = await ask("PreToolUse", { ...call, tool_input: args });
  const specific = before.map((answer) => answer?.hookSpecificOutput ?? {});
  const denial = specific.find(({ permissionDecision }) => permissionDecision === "deny");
  if (denial !== undefined) return denial.permissionDecisionReason;
  const tool_input = specific.reduce((input, { updatedInput }) => updatedInput ?? input, args);
  const after = await ask("PostToolUse", { ...call, tool_input, tool_response: "sent" });
  return after.reduce(
    (response, answer) => answer?.hookSpecificOutput?.updatedToolOutput ?? response,
    "sent",
  );
}

async function turn(calls) {
  const read = await Promise.all(calls.map(play));
  const tool_calls = calls.map(({ id, name, args }, index) => ({
    tool_name: name,
    tool_input: args,
    tool_use_id: id,
    tool_response: read[index],
  }));
  await ask("PostToolBatch", { tool_calls });
  const result = JSON.stringify(read);
  write({ type: "result", subtype: "success", is_error: false, result, session_id: "s1" });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "control_request") {
    const { request, request_id } = message;
    for (const [event, matchers] of Object.entries(request.hooks ?? {}))
      hooks[event] = matchers.flatMap(({ hookCallbackIds }) => hookCallbackIds);
    // A hook that fails ends the session here, so none is let pass.
    const answers = { hooks_applied: true, hook_on_failure_supported: true };
    const response = { commands: [], models: [], account: {}, output_style: "default", ...answers };
    write({ type: "control_response", response: { subtype: "success", request_id, response } });
  } else if (message.type === "control_response") {
    const { request_id, response, error } = message.response;
    if (error !== undefined) throw new Error(error);
    waiting.get(request_id)?.(response);
    waiting.delete(request_id);
  } else if (message.type === "user") {
    turn(JSON.parse(message.message.content));
  }
});
