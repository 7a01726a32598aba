/**
 * An agent of LangChain over two tools, whose model asks for the calls that it is given, all in
 * one turn, and is then done.
 *
 * @param load Imports a module of LangChain, from wherever the caller has it.
 */
export async function langchain(load, { execute, schema }) {
  const { AIMessage, createAgent, createMiddleware, HumanMessage, tool, ToolMessage } =
    await load("langchain");
  const { BaseChatModel } = await load("@langchain/core/language_models/chat_models");

  class Scripted extends BaseChatModel {
    calls = [];
    _llmType() {
      return "scripted";
    }
    bindTools() {
      return this;
    }
    async _generate(messages) {
      const asks = messages.at(-1).getType() === "human";
      const message = new AIMessage(asks ? { content: "", tool_calls: this.calls } : "done");
      return { generations: [{ text: "", message }] };
    }
  }

  const tools = ["send_mail", "delete_mail"].map((name) =>
    tool(execute, { name, description: "Handle mail.", schema }),
  );
  return {
    tools,
    createMiddleware,
    ToolMessage,
    /** Plays a turn, and tells what the model reads of each call. */
    agent(middleware = []) {
      const model = new Scripted({});
      const agent = createAgent({ model, tools, middleware });
      return async (calls) => {
        model.calls = calls.map(({ id, name, args }) => ({ id, name, args, type: "tool_call" }));
        const { messages } = await agent.invoke({ messages: [new HumanMessage("go")] });
        const read = messages.filter((message) => ToolMessage.isInstance(message));
        return read.map(({ content }) => content);
      };
    },
  };
}
