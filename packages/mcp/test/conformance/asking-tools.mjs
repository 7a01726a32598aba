// Tools that need an answer of the client's before they end.
import {
  acceptedContent,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
} from "@modelcontextprotocol/server";

export const stateCodec = createRequestStateCodec({ key: crypto.randomUUID().repeat(2) });

const text = (words) => ({ content: [{ type: "text", text: words }] });

const ask = (message, field = "name") =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: "object",
      properties: { [field]: { type: "string" } },
      required: [field],
    },
  });
const sample = (question) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: question } }],
    maxTokens: 100,
  });
const nameIn = (context, key, field = "name") =>
  acceptedContent(context.mcpReq.inputResponses, key)?.[field];

/** What the revision of 2026-07-28 asks in a result. */
export function registerResultsThatAsk(server) {
  const tool = (name, run) =>
    server.registerTool(
      `test_input_required_result_${name}`,
      { description: `Asks: ${name}.` },
      run,
    );

  tool("elicitation", (context) => {
    const name = nameIn(context, "user_name");
    if (typeof name === "string") return text(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: ask("What is your name?") } });
  });
  tool("sampling", (context) => {
    const answer = context.mcpReq.inputResponses?.["capital_question"];
    if (answer !== undefined) return text(`The model said: ${JSON.stringify(answer.content)}`);
    const question = sample("What is the capital of France?");
    return inputRequired({ inputRequests: { capital_question: question } });
  });
  tool("list_roots", (context) => {
    const answer = context.mcpReq.inputResponses?.["client_roots"];
    if (answer !== undefined) return text(`Roots: ${JSON.stringify(answer.roots)}`);
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  tool("request_state", async (context) => {
    if (context.mcpReq.requestState()?.step === 1) return text("state-ok");
    return inputRequired({
      inputRequests: { confirm: ask("Go on?", "ok") },
      requestState: await stateCodec.mint({ step: 1 }),
    });
  });
  tool("multiple_inputs", async (context) => {
    const answers = context.mcpReq.inputResponses ?? {};
    if (["user_name", "greeting", "client_roots"].every((key) => key in answers)) {
      return text("Everything is answered.");
    }
    return inputRequired({
      inputRequests: {
        user_name: ask("What is your name?"),
        greeting: sample("Make a greeting."),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await stateCodec.mint({ step: 1 }),
    });
  });
  tool("multi_round", async (context) => {
    const step = context.mcpReq.requestState()?.step ?? 0;
    if (step === 2) return text("Done after three rounds.");
    const questions = [
      { step1: ask("Step 1: What is your name?") },
      { step2: ask("Step 2: What is your favourite colour?", "color") },
    ];
    return inputRequired({
      inputRequests: questions[step],
      requestState: await stateCodec.mint({ step: step + 1 }),
    });
  });
  tool("tampered_state", async (context) => {
    if (context.mcpReq.requestState() !== undefined) return text("The state is intact.");
    return inputRequired({
      inputRequests: { confirm: ask("Go on?", "ok") },
      requestState: await stateCodec.mint({ step: 1 }),
    });
  });
  tool("capabilities", (context) => {
    const able = context.mcpReq.envelope?.["io.modelcontextprotocol/clientCapabilities"] ?? {};
    const inputRequests = {
      ...(able.sampling !== undefined && { question: sample("What is two and two?") }),
      ...(able.elicitation !== undefined && { user_name: ask("What is your name?") }),
    };
    return Object.keys(inputRequests).length === 0
      ? text("The client can answer nothing.")
      : inputRequired({ inputRequests });
  });
  server.registerTool(
    "test_missing_capability",
    { description: "Asks the client's model, whether the client has one or not." },
    () => inputRequired({ inputRequests: { question: sample("What is two and two?") } }),
  );
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "Asks before it is given." },
    (context) => {
      const topic = nameIn(context, "user_context", "context");
      if (topic === undefined) {
        const question = ask("What context should the prompt use?", "context");
        return inputRequired({ inputRequests: { user_context: question } });
      }
      const content = { type: "text", text: `Use this context: ${topic}` };
      return { messages: [{ role: "user", content }] };
    },
  );
}

/** What older revisions ask by requests of the server's own. */
export function registerRequestsThatAsk(server) {
  const withText = (name) =>
    fromJsonSchema({
      type: "object",
      properties: { [name]: { type: "string" } },
      required: [name],
    });
  server.registerTool(
    "test_sampling",
    { description: "Asks the client's model.", inputSchema: withText("prompt") },
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: "user", content: { type: "text", text: prompt } }];
      const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 });
      return text(`LLM response: ${content.text}`);
    },
  );
  const elicit = async (mcpReq, message, properties, required) => {
    const requestedSchema = { type: "object", properties, required };
    const { action, content } = await mcpReq.elicitInput({ message, requestedSchema });
    return text(`action=${action}, content=${JSON.stringify(content ?? {})}`);
  };
  server.registerTool(
    "test_elicitation",
    { description: "Asks the user.", inputSchema: withText("message") },
    ({ message }, { mcpReq }) => {
      const field = { type: "string" };
      return elicit(mcpReq, message, { username: field, email: field }, ["username", "email"]);
    },
  );
  server.registerTool(
    "test_elicitation_sep1034_defaults",
    { description: "Asks the user, with defaults." },
    ({ mcpReq }) =>
      elicit(mcpReq, "Look through these.", {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      }),
  );
  const plain = ["option1", "option2", "option3"];
  const titled = ["value1", "value2", "value3"].map((value) => ({ const: value, title: value }));
  server.registerTool(
    "test_elicitation_sep1330_enums",
    { description: "Asks the user to choose." },
    ({ mcpReq }) =>
      elicit(mcpReq, "Choose.", {
        untitledSingle: { type: "string", enum: plain },
        titledSingle: { type: "string", oneOf: titled },
        legacyEnum: { type: "string", enum: plain, enumNames: ["One", "Two", "Three"] },
        untitledMulti: { type: "array", items: { type: "string", enum: plain } },
        titledMulti: { type: "array", items: { anyOf: titled } },
      }),
  );
}
