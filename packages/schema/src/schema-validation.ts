import type {
  Allow,
  Deny,
  GuardrailProvider,
  GuardrailResult,
  JsonObject,
  ResultDecision,
  ToolCall,
  ToolDefinition,
  ToolResult,
} from "@toolstile/core";
import {
  allow,
  deny,
  type GuardrailPlugin,
  type Metadata,
  modify,
  quoted,
} from "@toolstile/core/provider";
import type { Compiled } from "./admission/compile.js";
import { SchemaCache } from "./admission/schema-cache.js";
import { type Amendments, amend } from "./amendments/amend.js";
import { findUndeclared } from "./amendments/undeclared.js";
import { explain, refusal } from "./document/inadmissible.js";
import { drafts } from "./drafts/dialects.js";
import { readValidationOptions, type SchemaValidationOptions } from "./options.js";
import { unfinished, type Violation } from "./violations/violation.js";

/**
 * Holds the arguments of a tool to its `parameters`, and structured results to
 * its `outputSchema`.
 *
 * A call of a tool that is not declared is allowed, as is one of a tool
 * without `parameters`: who may be called is another guardrail's business.
 * A schema that is refused denies every call of its tool.
 *
 * @throws ToolstileError `ERR_UNKNOWN_OPTION` or `ERR_INVALID_OPTION`.
 */
export function schemaValidation(options: SchemaValidationOptions = {}): GuardrailProvider {
  const setting = readValidationOptions("schemaValidation()", options);
  const { name, forbidUndeclared, resultSchema } = setting;
  const cache = new SchemaCache(setting);
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
    // About a tool that is not called yet there are no arguments, and reading them throws.
    // It costs least here, and a client that lists 2,000 tools asks 2,000 times.
    Reflect.getPrototypeOf(call.args);
    if (amends || forbidUndeclared) {
      return evaluateFurther(compiled, call, amends ? setting : undefined, forbidUndeclared);
    }
    const found = compiled.check(call.args);
    return found === undefined ? allowed(compiled) : mismatch(call, found);
  };

  const evaluateResult = (call: ToolCall, result: ToolResult): ResultDecision => {
    const schema = call.tool?.outputSchema ?? true;
    if (schema === true || result.isError) return allow();
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
    if (found === undefined) return allowed(compiled);
    return denied(`${subject} does not match its schema: ${found.message}`, found);
  };

  const register = (tool: ToolDefinition): void => {
    const schemas = resultSchema
      ? (["parameters", "outputSchema"] as const)
      : (["parameters"] as const);
    for (const member of schemas) {
      const schema = tool[member];
      // Where there is no schema of results, some write null.
      if (schema === undefined || (member === "outputSchema" && schema === null)) continue;
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
    // The pieces of a stream are not results: a schema describes the whole.
    ...(resultSchema && { evaluateResult, judgesPieces: () => false }),
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
  if (args === call.args) return allowed(compiled);
  const reason = "arguments were fitted to the tool's schema";
  return modify(args, { reason, ...leftOut(compiled) });
}

function allowed(compiled: Compiled): Allow {
  const details = leftOut(compiled);
  return details === undefined ? allow() : allow(details);
}

/** The metadata for the record: that not the whole schema held. */
function leftOut({ skipped }: Compiled): { metadata: Metadata } | undefined {
  return skipped.length === 0 ? undefined : { metadata: { skippedPatterns: skipped } };
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
      unsupportedPatterns: { enum: ["refuse", "skip"] },
      coerceTypes: flag,
      applyDefaults: flag,
      dropNulls: flag,
      forbidUndeclared: flag,
      resultSchema: flag,
    },
    additionalProperties: false,
  },
  create: schemaValidation,
});
