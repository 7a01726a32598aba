import type {
  GuardrailProvider,
  GuardrailResult,
  JsonObject,
  ToolCall,
  ToolDefinition,
  ToolResult,
} from "@toolstile/core";

/** A literal call, as the one path hands it to a provider. */
export function call(args: JsonObject, tool?: Partial<ToolDefinition>): ToolCall {
  return {
    run: {},
    runId: "run-1",
    callId: "call-1",
    toolName: "send_mail",
    requestedName: "send_mail",
    context: {},
    tool: tool && { name: "send_mail", ...tool },
    args,
    signal: new AbortController().signal,
  };
}

/** The answer of a provider that answers at once. */
export function ask(provider: GuardrailProvider, asked: ToolCall): GuardrailResult {
  return provider.evaluate(asked) as GuardrailResult;
}

export function result(details: Partial<ToolResult>): ToolResult {
  return { callId: "call-1", name: "send_mail", isError: false, content: "", ...details };
}

export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}

export const mailSchema = deepFreeze({
  type: "object",
  properties: {
    to: {
      type: "array",
      minItems: 1,
      maxItems: 50,
      items: { type: "string", minLength: 3, maxLength: 254, pattern: "^[^@\\s]+@[^@\\s]+$" },
    },
    cc: { type: "array", items: { type: "string", maxLength: 254 } },
    subject: { type: "string", minLength: 1, maxLength: 200 },
    body: { type: "string", maxLength: 10_000 },
    attachments: {
      type: "array",
      maxItems: 10,
      items: {
        type: "object",
        properties: {
          name: { type: "string", minLength: 1, maxLength: 100 },
          size: { type: "integer", minimum: 0 },
          mime: { enum: ["text/plain", "application/pdf", "image/png"] },
        },
        required: ["name", "size"],
        additionalProperties: false,
      },
    },
  },
  required: ["to", "subject", "body"],
  additionalProperties: false,
});

export const mail = deepFreeze({
  to: ["ann@example.com"],
  subject: "Minutes",
  body: "As agreed.",
  attachments: [{ name: "minutes.pdf", size: 48_211, mime: "application/pdf" }],
});
