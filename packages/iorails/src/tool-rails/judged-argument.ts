import type { JsonObject, ToolDefinition } from "@toolstile/core";
import { ownValue } from "@toolstile/core/provider";
import type { Flow } from "../config/model.js";
import { CannotJudge } from "../model-rails/cannot-judge.js";
import { openKeywords } from "./no-arguments.js";
import type { ToolSubject } from "./per-tool-rail.js";

/**
 * The arguments that a flow judges: all, or with `$argument=name` that one. A
 * call without it is judged by all that it has, so that none escapes.
 *
 * @throws CannotJudge where the tool cannot have the argument: the configuration is at fault.
 */
export function judgedArguments(flow: Flow, { args = {}, declared }: ToolSubject): JsonObject {
  const name = flow.parameters["argument"];
  if (name === undefined) return args;
  if (!canHave(declared, name)) throw new CannotJudge("the tool's schema does not have $argument");
  return Object.hasOwn(args, name) ? { [name]: args[name] } : args;
}

function canHave(declared: ToolDefinition | undefined, name: string): boolean {
  const schema = declared?.parameters;
  if (typeof schema !== "object" || schema === null) return schema === true;
  if (Object.hasOwn(Object(ownValue(schema, "properties")), name)) return true;
  const isClosed =
    ownValue(schema, "additionalProperties") === false ||
    ownValue(schema, "unevaluatedProperties") === false;
  const opens = ["patternProperties", ...openKeywords];
  return !isClosed || opens.some((keyword) => Object.hasOwn(schema, keyword));
}
