/**
 * An agent of the OpenAI Agents SDK over two tools, whose model asks for the calls that it is
 * given, all in one turn, and is then done.
 *
 * @param load Imports a module of the SDK, from wherever the caller has it.
 */
export async function openaiAgents(load, { execute, schema }) {
  const sdk = await load("@openai/agents");
  const { assistantMessage, functionCall } = await load("@openai/agents/testing");
  const { Agent, Runner, setTracingDisabled, tool, Usage } = sdk;
  // Two copies in one process would otherwise take each other's traces for theirs.
  setTracingDisabled(true);
  const isResult = ({ type }) => type === "function_call_result";

  return {
    ...sdk,
    tools: (more = {}) =>
      ["send_mail", "delete_mail"].map((name) =>
        tool({
          name,
          description: "Handle mail.",
          parameters: schema,
          strict: false,
          execute,
          ...more,
        }),
      ),
    /** Plays a turn, and tells what the model reads of each call. */
    agent(tools) {
      let asked = [];
      const model = {
        async getResponse({ input }) {
          const output = input.some(isResult) ? [assistantMessage("done")] : asked;
          return { usage: new Usage(), output };
        },
      };
      const agent = new Agent({ name: "mail", tools });
      const runner = new Runner({ model, tracingDisabled: true });
      return async (calls) => {
        asked = calls.map(({ id, name, args }) => functionCall(name, args, { callId: id }));
        const { output } = await runner.run(agent, "go");
        return output.filter(isResult).map(({ output: read }) => read.text ?? read);
      };
    },
  };
}
