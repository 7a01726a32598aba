import { aiSdk } from "../frameworks/ai-sdk.mjs";
import { langchain } from "../frameworks/langchain.mjs";
import { openaiAgents } from "../frameworks/openai-agents.mjs";
import { mailSchema } from "../mail.mjs";
import { fits, followsTheRule, isAllowed, isResult, isWithinLimit } from "./checks.mjs";

/** The frameworks that are installed in this folder. */
const load = (module) => import(module);

async function checksOf(limit) {
  const { Ajv } = await import("ajv");
  const validate = new Ajv().compile(mailSchema);
  return [isAllowed, fits(validate), isWithinLimit({ limit }), followsTheRule];
}

/** Each is made with { execute, limit }. It gives the bare framework, and the one with its own hooks. */
export const inFrameworks = {
  /** A middleware for each decision. */
  async langchain({ execute, limit }) {
    const { agent, createMiddleware, ToolMessage } = await langchain(load, {
      execute,
      schema: mailSchema,
    });
    const stop = ({ id, name }, content) =>
      new ToolMessage({ content, tool_call_id: id, name, status: "error" });
    const before = (check, index) =>
      createMiddleware({
        name: `check_${index}`,
        wrapToolCall: async (request, handler) => {
          const { toolCall } = request;
          const reason = check(toolCall);
          return reason === undefined ? handler(request) : stop(toolCall, reason);
        },
      });
    const after = createMiddleware({
      name: "result",
      wrapToolCall: async (request, handler) => {
        const { toolCall } = request;
        const message = await handler(request);
        const isIts = message.tool_call_id === toolCall.id;
        const reason = isIts ? isResult(message.content) : "the result is another call's";
        return reason === undefined ? message : stop(toolCall, reason);
      },
    });
    return { bare: agent(), hooks: agent([...(await checksOf(limit)).map(before), after]) };
  },

  /** A tool input guardrail for each decision before the tool, a tool output guardrail after it. */
  async "@openai/agents"({ execute, limit }) {
    const sdk = await openaiAgents(load, { execute, schema: mailSchema });
    const { agent, tools, ToolGuardrailFunctionOutputFactory: answer } = sdk;
    const answered = (reason) =>
      reason === undefined ? answer.allow() : answer.rejectContent(reason);
    const before = (check, index) =>
      sdk.defineToolInputGuardrail({
        name: `check_${index}`,
        run: async ({ toolCall }) => {
          const { name, callId: id } = toolCall;
          return answered(check({ id, name, args: JSON.parse(toolCall.arguments) }));
        },
      });
    const after = sdk.defineToolOutputGuardrail({
      name: "result",
      run: async ({ output }) => answered(isResult(output)),
    });
    const inputGuardrails = (await checksOf(limit)).map(before);
    return {
      bare: agent(tools()),
      hooks: agent(tools({ inputGuardrails, outputGuardrails: [after] })),
    };
  },

  /** One function for toolApproval, which decides before the tool; the tool looks at its own result. */
  async ai({ execute, limit }) {
    const checks = await checksOf(limit);
    const toolApproval = async ({ toolCall }) => {
      const { toolCallId: id, toolName: name, input: args } = toolCall;
      for (const check of checks) {
        const reason = check({ id, name, args });
        if (reason !== undefined) return { type: "denied", reason };
      }
      return "approved";
    };
    const judged = async (args) => {
      const result = await execute(args);
      const reason = isResult(result);
      if (reason !== undefined) throw new Error(reason);
      return result;
    };
    const bare = await aiSdk(load, { execute, schema: mailSchema });
    const hooked = await aiSdk(load, { execute: judged, schema: mailSchema });
    return {
      bare: bare.agent(bare.tools()),
      hooks: hooked.agent(hooked.tools(), { toolApproval }),
    };
  },
};
