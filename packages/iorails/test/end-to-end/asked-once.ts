import { type asks, declared, getWeather, question, scripted } from "./scripted.js";

export const tools = [
  getWeather,
  declared("list_cities"),
  declared("ping", { type: "object", properties: {} }),
  declared("broken", { type: "object", properties: { city: { type: "strng" } } }),
  declared("remote", { $ref: "http://127.0.0.1:1/schema.json" }),
  declared("foreign", { $schema: "https://example.com/dialect", type: "object" }),
  declared("exact", {
    $schema: "http://json-schema.org/draft-04/schema#",
    type: "object",
    properties: { n: { type: "number", maximum: 5, exclusiveMaximum: true } },
  }),
  declared("constructor_of", { type: "object", required: ["constructor"] }),
  { type: "web_search" },
];

/** Ask once, with the model's answer given. */
export async function generated(answer: ReturnType<typeof asks>, declaredTools: unknown = tools) {
  const engine = await scripted({ models: { m: answer } });
  const result = await engine.rails.generate({
    messages: [question],
    options: { llm_params: { tools: declaredTools } },
  });
  return { ...result, engine };
}
