import { Guardrails, RailsConfig } from "@toolstile/iorails";
import { messages, tools, toolsText } from "../conversation.mjs";

const yaml = `
models:
  - {type: main, engine: openai, model: none, parameters: {base_url: "http://127.0.0.1:1/v1", api_key: none}}
rails:
  tool_output: {flows: [tool call validation]}
  tool_input: {flows: [tool result validation]}
`;

const row = (name, reference, given, { goal, difference = false } = {}) => ({
  name,
  goal,
  difference,
  reference,
  async setup() {
    const rails = new Guardrails(await RailsConfig.fromContent({ yaml }));
    const { status } = await rails.check({ messages, tools });
    // What does not block what it should has not looked.
    const odd = messages.with(-1, {
      role: "tool",
      tool_call_id: "none",
      name: "none",
      content: "",
    });
    const blocked = await rails.check({ messages: odd, tools });
    if (status !== "passed" || blocked.status !== "blocked") throw new Error("Judged wrongly.");
    const run = () => rails.check({ messages, tools: given() });
    // The rounds are too short for code of this size to be compiled in them.
    for (let turn = 0; turn < 5_000; turn++) await run();
    return run;
  },
});

const nothing = { unit: "ns", run: async () => undefined };
const request = JSON.stringify({ messages, tools });
const parseTools = () => JSON.parse(toolsText);

export const rows = [
  row("tool rails, 50 messages and 20 tools, the same objects again", nothing, () => tools, {
    goal: 50_000,
    difference: true,
  }),
  row(
    "tool rails, 50 messages and 20 tools, fresh equal ones",
    { unit: "ns", run: async () => parseTools() },
    parseTools,
    { difference: true },
  ),
  row(
    "tool rails, 50 messages and 20 tools, the same objects again",
    { unit: "P of the request", run: async () => JSON.parse(request) },
    () => tools,
  ),
];
