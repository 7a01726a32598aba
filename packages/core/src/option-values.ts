import { ToolstileError } from "./errors.js";

type Check = readonly [is: (value: unknown) => boolean, what: string];

/** What the options of a runner must be that are checked nowhere else. */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["tools", [Array.isArray, "a list of tools"]],
  ["observers", [Array.isArray, "a list of observers"]],
  ["policyVersion", [(value) => typeof value === "string", "text"]],
  ["aliases", [isObject, "an object, from requested name to tool name"]],
  ["unchecked", [(value) => typeof value === "boolean", "true or false"]],
  ["maxOpenCalls", [isCount, "a positive whole number"]],
  ["onFault", [(value) => typeof value === "function", "a function"]],
  ["clock", [isClock, "an object with now(), setTimeout() and clearTimeout()"]],
]);

/** @throws ToolstileError `ERR_INVALID_OPTION` that names the option and what it must be. */
export function checkOptionValues(options: object): void {
  for (const [name, [is, what]] of checks) {
    const value = (options as Record<string, unknown>)[name];
    if (value === undefined || is(value)) continue;
    throw new ToolstileError("ERR_INVALID_OPTION", `The option '${name}' is ${what}.`);
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) > 0);
}

function isClock(value: unknown): boolean {
  const clock = Object(value) as Record<string, unknown>;
  return ["now", "setTimeout", "clearTimeout"].every((name) => typeof clock[name] === "function");
}
