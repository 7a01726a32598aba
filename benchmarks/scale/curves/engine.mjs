import { Guardrails, RailsConfig } from "@toolstile/iorails";

const config = await RailsConfig.fromContent({
  yaml: `
models: [{ type: main, engine: x, model: m, parameters: { base_url: "http://127.0.0.1:9" } }]
rails: { tool_result: { flows: [tool result validation] } }
`,
});

function turn(index) {
  const called = { name: "read", arguments: `{"n":${index}}` };
  const call = { id: `c${index}`, type: "function", function: called };
  return [
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: `c${index}`, name: "read", content: `result ${index}` },
  ];
}

const conversation = (results) => ({
  messages: [
    { role: "user", content: "Read them all." },
    ...Array.from({ length: results }, (_, index) => turn(index)).flat(),
  ],
  railTypes: ["tool_result"],
});

/** An engine whose judge counts how often it is asked. */
function judged() {
  const judge = { name: "judge", deterministicResults: true, asked: 0 };
  judge.evaluateResult = () => {
    judge.asked++;
    return { decision: "allow" };
  };
  return { judge, rails: new Guardrails(config, { env: {}, providers: { toolResult: [judge] } }) };
}

/** @type {import("../curves.mjs").Curve[]} */
export const curves = [
  {
    name: "an engine's judge of results, asked while a conversation grows",
    against: "results in it, each of which comes with every later request",
    growth: "n",
    sizes: [10, 50, 200],
    checked: [10, 50],
    unit: "questions",
    async at(n) {
      const { judge, rails } = judged();
      for (let results = 1; results <= n; results++) await rails.check(conversation(results));
      await rails.close();
      return { value: judge.asked };
    },
  },
  {
    name: "one more request of a conversation whose results were judged before",
    against: "results in it",
    growth: "n",
    sizes: [10, 100, 1_000],
    checked: [30, 300],
    async at(n) {
      const { rails } = judged();
      const request = conversation(n);
      await rails.check(request);
      return { run: () => rails.check(request), close: () => rails.close() };
    },
  },
];
