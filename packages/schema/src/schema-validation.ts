import {
  allow,
  type Deny,
  deny,
  type GuardrailPlugin,
  type GuardrailProvider,
  type GuardrailResult,
  type JsonObject,
  modify,
  quoted,
  type ResultDecision,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
} from "@toolstile/core";
import { type Amendments, amend } from "./amendments.js";
import type { Compiled } from "./compile.js";
import { drafts } from "./dialects.js";
import { explain, refusal } from "./inadmissible.js";
import { readOptions, type SchemaValidationOptions } from "./options.js";
import { SchemaCache } from "./schema-cache.js";
import { findUndeclared } from "./undeclared.js";
import { unfinished, type Violation } from "./violation.js";

/**
 * Holds the arguments of a tool to its `parameters`, and structured results to
 * its `outputSchema`.
 *
 * A call of a tool that nobody declared is allowed, as is one of a tool
 * without `parameters`: who may be called is another guardrail's business.
 * A schema that is refused denies every call of its tool.
 *
 * @throws ToolstileError `ERR_UNKNOWN_OPTION` or `ERR_INVALID_OPTION`.
 */
export function schemaValidation(options: SchemaValidationOptions = {}): GuardrailProvider {
  const setting = readOptions("schemaValidation()", options);
  const { name, forbidUndeclared, resultSchema } = setting;
  const cache = new SchemaCache(setting, setting.cacheSize);
  const amends = setting.coerceTypes || setting.applyDefaults || setting.dropNulls;

  const evaluate = (call: ToolCall): GuardrailResult => {
    const parameters = call.tool?.parameters;
    if (parameters === undefined || parameters === true) return allow();
    let compiled: Compiled;
    try {
      compiled = cache.get(parameters);
    } catch (error) {
      return refused(`arguments for tool ${quoted(call.toolName)} cannot be checked`, error);
    }
    if (amends || forbidUndeclared) {
      return evaluateFurther(compiled, call, amends ? setting : undefined, forbidUndeclared);
    }
    const found = compiled.check(call.args);
    return found === undefined ? allow() : mismatch(call, found);
  };

  const evaluateResult = (call: ToolCall, result: ToolResult): ResultDecision => {
    const schema = call.tool?.outputSchema;
    if (schema === undefined || schema === true || result.isError) return allow();
    const subject = `result of tool ${quoted(call.toolName)}`;
    if (result.structured === undefined) {
      return deny(`${subject} has no structured content, which its schema asks for`, {
        code: "schema",
      });
    }
    let compiled: Compiled;
    try {
      compiled = cache.get(schema);
    } catch (error) {
      return refused(`${subject} cannot be checked`, error);
    }
    const found = compiled.check(result.structured);
    if (found === undefined) return allow();
    return denied(`${subject} does not match its schema: ${found.message}`, found);
  };

  const register = (tool: ToolDefinition): void => {
    const schemas = resultSchema
      ? (["parameters", "outputSchema"] as const)
      : (["parameters"] as const);
    for (const member of schemas) {
      const schema = tool[member];
      if (schema === undefined) continue;
      try {
        cache.get(schema);
      } catch (error) {
        throw refusal(`Tool ${quoted(tool.name)} is refused: the schema in its ${member}`, error);
      }
    }
  };

  return Object.freeze({
    name,
    evaluate,
    register,
    checksArguments: () => true,
    ...(resultSchema && { evaluateResult }),
  });
}

function evaluateFurther(
  compiled: Compiled,
  call: ToolCall,
  amendments: Amendments | undefined,
  forbidUndeclared: boolean,
): GuardrailResult {
  let args: JsonObject = call.args;
  let found: Violation | undefined;
  let undeclared: Violation | undefined;
  compiled.meter.refill();
  try {
    if (amendments !== undefined) args = amend(compiled, amendments, args) as JsonObject;
    found = compiled.check(args);
    if (found === undefined && forbidUndeclared) {
      compiled.meter.refill();
      undeclared = findUndeclared(compiled, args);
    }
  } catch {
    found = unfinished;
  }
  if (found !== undefined) return mismatch(call, found);
  if (undeclared !== undefined) return mismatch(call, undeclared, "undeclared_property");
  if (args === call.args) return allow();
  return modify(args, { reason: "arguments were fitted to the tool's schema" });
}

function mismatch(call: ToolCall, found: Violation, code?: string): Deny & { approval?: never } {
  const subject = `arguments for tool ${quoted(call.toolName)}`;
  return denied(`${subject} do not match its schema: ${found.message}`, found, code);
}

function denied(
  reason: string,
  { keyword, pointer }: Violation,
  code = "schema",
): Deny & { approval?: never } {
  return deny(reason, { code, metadata: { keyword, pointer } });
}

function refused(subject: string, error: unknown): Deny & { approval?: never } {
  return deny(`${subject}: its schema is refused ${explain(error)}`, { code: "schema_invalid" });
}

const flag = { type: "boolean" };

/** `schemaValidation()` by name, for configuration in data. */
export const plugin: GuardrailPlugin<SchemaValidationOptions> = Object.freeze({
  name: "schema",
  optionsSchema: {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1 },
      defaultDraft: { enum: [...drafts] },
      maxPatternInput: { type: "integer", minimum: 1, maximum: 1024 * 1024 },
      coerceTypes: flag,
      applyDefaults: flag,
      dropNulls: flag,
      forbidUndeclared: flag,
      resultSchema: flag,
      cacheSize: { type: "integer", minimum: 1, maximum: 100_000 },
    },
    additionalProperties: false,
  },
  create: schemaValidation,
});
