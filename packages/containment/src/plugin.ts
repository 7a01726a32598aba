import type { JsonObject } from "@toolstile/core";
import { type GuardrailPlugin, longestToolPattern } from "@toolstile/core/provider";
import { containment } from "./containment.js";
import { kinds } from "./destinations/address.js";
import { presetNames } from "./judgement/presets.js";
import { confidentialities, integrities } from "./labels/label.js";
import { sinks, vouchers } from "./labels/terms.js";
import type { ContainmentOptions } from "./options.js";

const text = { type: "string", minLength: 1 };
const count = { type: "integer", minimum: 1 };
const kind = { enum: [...kinds] };

const destination: JsonObject = {
  type: "object",
  properties: {
    at: { type: "string", description: "A JSON Pointer into the arguments." },
    kind,
    of: text,
    vouchedBy: { type: "array", items: { enum: [...vouchers] } },
  },
  required: ["at", "kind"],
  additionalProperties: false,
};

const field: JsonObject = {
  type: "object",
  properties: {
    at: { type: "string", description: "A JSON Pointer into the result." },
    lines: { type: "boolean" },
    after: text,
    integrity: { enum: ["trusted", "origin", "untrusted"] },
    kind,
    of: text,
  },
  required: ["at", "integrity"],
  additionalProperties: false,
};

const tool: JsonObject = {
  type: "object",
  properties: {
    tools: {
      type: "array",
      minItems: 1,
      items: {
        anyOf: [
          text,
          {
            type: "object",
            properties: { pattern: { ...text, maxLength: longestToolPattern } },
            required: ["pattern"],
            additionalProperties: false,
          },
        ],
      },
    },
    server: { ...text, description: "Only tools of this MCP server." },
    result: {
      type: "object",
      properties: {
        integrity: { enum: [...integrities] },
        confidentiality: { enum: [...confidentialities] },
        source: text,
      },
      additionalProperties: false,
      description: "The label of results. Default: untrusted, tenant, from the tool.",
    },
    fields: { type: "array", items: field },
    sinks: { type: "array", items: { enum: [...sinks] } },
    destinations: { type: "array", items: destination },
    links: { type: "boolean" },
  },
  required: ["tools"],
  additionalProperties: false,
};

/** Names `containment` in data. */
export const plugin: GuardrailPlugin<ContainmentOptions> = {
  name: "containment",
  optionsSchema: {
    type: "object",
    properties: {
      preset: { enum: [...presetNames], description: "Default: balanced." },
      tools: { type: "array", items: tool },
      trusted: {
        type: "array",
        items: text,
        description: "Hosts and mail addresses that every session may send to.",
      },
      hold: { enum: ["ask", "deny"] },
      expiresInMs: { type: "number", exclusiveMinimum: 0 },
      bytesPerDestination: count,
      maxSessions: count,
      unknownTools: { enum: ["error", "ignore"] },
      name: text,
    },
    additionalProperties: false,
  },
  create: containment,
};
