import { ToolstileError } from "../errors/error.js";
import { quoted } from "../errors/names.js";
import type { Guard } from "./guard.js";

/** The name under which records tell of the schema of a tool: no guard may have it beside a tool with a schema. */
export const schemaName = "parameters";

/** @throws ToolstileError for the name `core`, which no guard and no observer may have. */
export function refuseReserved(name: unknown, list: "guardrails" | "observers"): void {
  if (name !== "core") return;
  throw new ToolstileError(
    "ERR_INVALID_PROVIDER",
    `One of the ${list} is named 'core'. In records, 'core' means Toolstile itself. Give it another name.`,
  );
}

/** @throws ToolstileError for two guards of one name, and for one with the name of a guard that is there `already`. */
export function requireNamesApart(
  guards: readonly Guard[],
  already: readonly { readonly names: ReadonlySet<string> }[] = [],
): void {
  const seen = new Set<string>();
  for (const { names } of guards) {
    for (const name of names) {
      if (seen.has(name) || already.some((others) => others.names.has(name))) {
        throw new ToolstileError(
          "ERR_DUPLICATE_PROVIDER",
          `Two guardrails are named ${quoted(name)}. Give one of them another name, as in allowlist([…], { name: "…" }): records identify a guardrail by its name.`,
        );
      }
      seen.add(name);
    }
  }
}

/** Makes the error for a guard with the name of one that a tool has of its own: records could not tell them apart. */
export function nameTaken(guard: string, tool: string): ToolstileError {
  const text =
    guard === schemaName
      ? `A guardrail is named '${schemaName}', under which records tell of the schema of the tool ${quoted(tool)}. Give it another name.`
      : `Two guardrails are named ${quoted(guard)}: the runner's and a tool's. Give one of them another name.`;
  return new ToolstileError("ERR_DUPLICATE_PROVIDER", text);
}
