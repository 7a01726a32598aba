import { checkOptions, ToolstileError } from "@toolstile/core";

type Check = readonly [is: (value: unknown) => boolean, what: string];

const isFunction = (value: unknown): boolean => typeof value === "function";
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["import", [isFunction, "a function"]],
  ["env", [(value) => typeof value === "object" && value !== null, "an object"]],
  ["onReload", [isFunction, "a function"]],
  ["clock", [(value) => isFunction(Object(value).setTimeout), "a clock"]],
  ["intervalMs", [isInterval, "a positive number of milliseconds, up to 2147483647, or Infinity"]],
]);

/** A timer that is set for longer fires at once. */
function isInterval(value: unknown): boolean {
  if (typeof value !== "number" || !(value > 0)) return false;
  return value === Number.POSITIVE_INFINITY || value <= 2 ** 31 - 1;
}

const ofLoading = ["import", "env"];

/** Options without a prototype. @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`. */
export function checkedOptions<Options extends object>(
  where: string,
  path: unknown,
  options: Options,
  further: readonly string[] = [],
): Options {
  if (typeof path !== "string" || path === "") {
    throw new ToolstileError("ERR_INVALID_OPTION", `${where} takes the path of a file, as text.`);
  }
  checkOptions(where, options, [...ofLoading, ...further]);
  const given: Options = Object.assign(Object.create(null), options);
  for (const [name, value] of Object.entries(given)) {
    const [is, what] = checks.get(name) as Check;
    if (value === undefined || is(value)) continue;
    throw new ToolstileError("ERR_INVALID_OPTION", `${where} takes ${name} as ${what}.`);
  }
  return given;
}
