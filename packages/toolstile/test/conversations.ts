/** Small conversations about a made-up allotment garden. */

export const water = {
  type: "function",
  function: {
    name: "water_bed",
    description: "Water one bed.",
    parameters: {
      type: "object",
      properties: { bed: { type: "string" }, litres: { type: "number", maximum: 50 } },
      required: ["bed"],
      additionalProperties: false,
    },
  },
};

export const forecast = {
  type: "function",
  function: { name: "forecast", parameters: { type: "object", properties: {} } },
};

export function asks(...calls: readonly unknown[]) {
  return { role: "assistant", content: null, tool_calls: calls };
}

export function call(name: unknown, args: unknown, id: unknown = "c1") {
  return { id, type: "function", function: { name, arguments: args } };
}

export function answer(id: unknown, content: unknown = "done", more: object = {}) {
  return { role: "tool", tool_call_id: id, content, ...more };
}

export function conversation(messages: readonly unknown[], tools: unknown = [water, forecast]) {
  return { id: "garden", tools, messages };
}

export function jsonl(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
