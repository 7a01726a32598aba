import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const silent = () => {};
const logger = {
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  trackException: silent,
};

/** An agent of Mastra whose model asks for the calls that it is given, all in one turn, and is then done. */
export function mastra({ execute, schema }) {
  return {
    tools: () => {
      const mail = (id) =>
        createTool({ id, description: "Handle mail.", inputSchema: schema, execute });
      return { send_mail: mail("send_mail"), delete_mail: mail("delete_mail") };
    },
    /** Plays a turn, and tells what the model reads of each call. */
    agent(tools, more = {}) {
      let asked = [];
      let read = [];
      const answer = (prompt) => {
        const asks = prompt.at(-1).role === "user";
        const results = prompt.filter(({ role }) => role === "tool");
        read = results.flatMap(({ content }) => content).map(({ output }) => output.value);
        const content = asks ? asked : [{ type: "text", text: "done" }];
        return { content, finishReason: asks ? "tool-calls" : "stop", usage };
      };
      const model = {
        specificationVersion: "v2",
        provider: "scripted",
        modelId: "scripted-1",
        supportedUrls: {},
        doGenerate: async ({ prompt }) => ({ ...answer(prompt), warnings: [] }),
        async doStream({ prompt }) {
          const { content, ...end } = answer(prompt);
          const parts = content.flatMap((part) =>
            part.type === "text"
              ? [
                  { type: "text-start", id: "t" },
                  { type: "text-delta", id: "t", delta: part.text },
                  { type: "text-end", id: "t" },
                ]
              : [part],
          );
          const chunks = [
            { type: "stream-start", warnings: [] },
            ...parts,
            { type: "finish", ...end },
          ];
          return { stream: ReadableStream.from(chunks) };
        },
      };
      const id = "mail";
      const agent = new Agent({
        id,
        name: id,
        instructions: "Handle mail.",
        model,
        tools,
        ...more,
      });
      agent.__setLogger(logger);
      return async (calls) => {
        asked = calls.map((call) => ({
          type: "tool-call",
          toolCallId: call.id,
          toolName: call.name,
          input: JSON.stringify(call.args),
        }));
        await agent.generate("go", { maxSteps: 2 });
        return read;
      };
    },
  };
}
