import { callByHand } from "./by-hand.mjs";
import { fiveGuards } from "./five-guards.mjs";
import { mailSchema } from "./mail.mjs";

const load = (module) => import(module);
const five = (make) => Array.from({ length: 5 }, (_, index) => make(index));
const prefix = "mcp__mail__";

/** A hook that waits for five functions that decide nothing, where a framework has room for one hook only. */
const fiveAtOnePlace = (answer) => {
  const hooks = five(() => async () => undefined);
  return async () => {
    for (const hook of hooks) await hook();
    return answer;
  };
};

/** The same five guards, by one function that can do nothing else. */
const fiveByHand = (name = "send_mail") =>
  callByHand({
    tool: { name, parameters: mailSchema, execute: () => "sent" },
    guards: fiveGuards({ allowed: [name] }),
  });

/** Put them around the own function of each tool. The model reads of a denial what stands for it. */
function aroundTools(tools, key, requestOf) {
  const run = fiveByHand();
  for (const [index, tool] of Object.entries(tools)) {
    const own = tool[key];
    const name = tool.name ?? index;
    tool[key] = async (...given) => {
      try {
        const { value } = await run({ name, ...requestOf(...given) }, () => own(...given));
        return value;
      } catch {
        return "denied";
      }
    };
  }
  return tools;
}

/**
 * Each framework with five guards through its adapter, beside five bare hooks of its own, and bare;
 * and where it has one place around a tool, with the five guards there by hand.
 * Each of them plays a turn of calls, and tells what the model reads of each.
 */
export const guardedFrameworks = {
  async langchain({ execute }) {
    const { langchain } = await import("./frameworks/langchain.mjs");
    const { toolGuardrails } = await import("@toolstile/langchain");
    const { tools, agent, createMiddleware, ToolMessage } = await langchain(load, {
      execute,
      schema: mailSchema,
    });
    const wrapToolCall = (request, handler) => handler(request);
    const run = fiveByHand();
    const wrapByHand = async (request, handler) => {
      const { id, name, args } = request.toolCall;
      let message = new ToolMessage({ content: "denied", tool_call_id: id, name, status: "error" });
      try {
        await run({ name, arguments: args, callId: id }, async () => {
          message = await handler(request);
          return message.content;
        });
      } catch {
        // The tool has not run.
      }
      return message;
    };
    return {
      bare: agent(),
      hooks: agent(five((index) => createMiddleware({ name: `hook_${index}`, wrapToolCall }))),
      guarded: agent([toolGuardrails({ tools, guardrails: fiveGuards() })]),
      byHand: agent([createMiddleware({ name: "by_hand", wrapToolCall: wrapByHand })]),
    };
  },

  async "openai-agents"({ execute }) {
    const { openaiAgents } = await import("./frameworks/openai-agents.mjs");
    const { guardTools } = await import("@toolstile/openai-agents");
    const { tools, agent } = await openaiAgents(load, { execute, schema: mailSchema });
    const run = async () => ({ behavior: { type: "allow" } });
    return {
      bare: agent(tools()),
      hooks: agent(tools({ inputGuardrails: five((index) => ({ name: `hook_${index}`, run })) })),
      guarded: agent(guardTools(tools(), { guardrails: fiveGuards() })),
      byHand: agent(
        aroundTools(tools(), "invoke", (_, text, { toolCall }) => ({
          arguments: text,
          callId: toolCall.callId,
        })),
      ),
    };
  },

  async "ai-sdk"({ execute }) {
    const { aiSdk } = await import("./frameworks/ai-sdk.mjs");
    const { guardTools } = await import("@toolstile/ai-sdk");
    const { tools, agent } = await aiSdk(load, { execute, schema: mailSchema });
    return {
      bare: agent(tools()),
      hooks: agent(tools(), { toolApproval: fiveAtOnePlace("approved") }),
      guarded: agent(guardTools(tools(), { guardrails: fiveGuards() })),
      byHand: agent(
        aroundTools(tools(), "execute", (args, { toolCallId }) => ({
          arguments: args,
          callId: toolCallId,
        })),
      ),
    };
  },

  async mastra({ execute }) {
    const { mastra } = await import("./frameworks/mastra.mjs");
    const { guardTools } = await import("@toolstile/mastra");
    const { tools, agent } = mastra({ execute, schema: mailSchema });
    return {
      bare: agent(tools()),
      hooks: agent(tools(), { hooks: { beforeToolCall: fiveAtOnePlace(undefined) } }),
      guarded: agent(guardTools(tools(), { guardrails: fiveGuards() })),
      byHand: agent(
        aroundTools(tools(), "execute", (args, context) => ({
          arguments: args,
          callId: context.agent.toolCallId,
        })),
      ),
    };
  },

  async "claude-agent"() {
    const { claudeSession } = await import("./frameworks/claude-agent.mjs");
    const { guardQuery } = await import("@toolstile/claude-agent");
    const tools = ["send_mail", "delete_mail"].map((name) => ({
      name: `${prefix}${name}`,
      parameters: mailSchema,
    }));
    const guarded = guardQuery(
      { settingSources: [] },
      { guardrails: fiveGuards({ allowed: [`${prefix}send_mail`] }), tools },
    );
    const hooks = five(() => async () => ({}));
    const run = fiveByHand(`${prefix}send_mail`);
    const hookByHand = async ({ tool_name: name, tool_input: args }, callId) => {
      try {
        await run({ name, arguments: args, callId }, () => "sent");
        return {};
      } catch {
        const decision = { permissionDecision: "deny", permissionDecisionReason: "denied" };
        return { hookSpecificOutput: { hookEventName: "PreToolUse", ...decision } };
      }
    };
    const byHandHooks = { PreToolUse: [{ hooks: [hookByHand] }] };
    const sessions = [
      ...[{}, { hooks: { PreToolUse: [{ hooks }] } }, guarded],
      { hooks: byHandHooks },
    ].map(claudeSession);
    const [bare, hooked, ours, byHand] = sessions.map(({ play }) => play);
    return {
      bare,
      hooks: hooked,
      guarded: ours,
      byHand,
      prefix,
      close() {
        for (const { close } of sessions) close();
      },
    };
  },
};
