/**
 * A model of the AI SDK that asks for the calls that it is given, all in one turn, and is then
 * done, with two tools.
 *
 * @param load Imports the SDK, from wherever the caller has it.
 */
export async function aiSdk(load, { execute, schema }) {
  const { generateText, isStepCount, jsonSchema, tool } = await load("ai");
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const mail = () =>
    tool({ description: "Handle mail.", inputSchema: jsonSchema(schema), execute });

  return {
    tools: () => ({ send_mail: mail(), delete_mail: mail() }),
    /** Plays a turn, and tells what the model reads of each call. */
    agent(tools, more = {}) {
      let asked = [];
      const model = {
        specificationVersion: "v4",
        provider: "scripted",
        modelId: "scripted-1",
        supportedUrls: {},
        async doGenerate({ prompt }) {
          const asks = prompt.at(-1).role === "user";
          const content = asks ? asked : [{ type: "text", text: "done" }];
          const finishReason = { unified: asks ? "tool-calls" : "stop", raw: undefined };
          return { content, finishReason, usage, warnings: [] };
        },
      };
      const stopWhen = isStepCount(2);
      return async (calls) => {
        asked = calls.map(({ id, name, args }) => ({
          type: "tool-call",
          toolCallId: id,
          toolName: name,
          input: JSON.stringify(args),
        }));
        const { steps } = await generateText({ model, tools, prompt: "go", stopWhen, ...more });
        const read = new Map(steps[0].content.map((part) => [part.toolCallId, part]));
        return calls.map(({ id }) => {
          const { type, output, error, reason } = read.get(id);
          return type === "tool-result" ? output : String(error ?? reason ?? type);
        });
      };
    },
  };
}
