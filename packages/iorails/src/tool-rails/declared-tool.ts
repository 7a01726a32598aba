import type { JsonObject, ToolDeclaration } from "@toolstile/core";
import { own, ownText } from "../own-property.js";

/** A tool as a chat request declares it. */
export interface DeclaredTool {
  /** Its name; of a hosted tool, its type. */
  readonly key: string;
  /** A tool that the provider runs, named by its type alone. */
  readonly hosted: boolean;
  /** What the guards know of it, frozen: a frozen one is remembered. */
  readonly declaration: ToolDeclaration;
  /** What its results must match, if anything was said. */
  readonly resultDeclaration: ToolDeclaration | undefined;
  /** As the request or the configuration has it, frozen. */
  readonly wire: JsonObject;
}

/**
 * Read one entry of `tools`. What names neither a function nor a type declares
 * nothing, so that calls of it are refused.
 *
 * @param wire frozen, and as JSON has it.
 */
export function readTool(wire: unknown): DeclaredTool | undefined {
  const type = ownText(wire, "type");
  const definition = own(wire, "function");
  if (definition === undefined || definition === null) {
    // One custom tool must not stand for all: their calls are named, and that form is not read.
    if (type === undefined || type === "function" || type === "custom") return undefined;
    return {
      key: type,
      hosted: true,
      declaration: Object.freeze({ name: type, annotations: hosted }),
      resultDeclaration: undefined,
      wire: wire as JsonObject,
    };
  }
  const name = ownText(definition, "name");
  if (name === undefined) return undefined;
  const parameters = own(definition, "parameters") ?? undefined;
  const outputSchema = own(definition, "outputSchema") ?? undefined;
  return {
    key: name,
    hosted: false,
    declaration: Object.freeze({ name, parameters: parameters as object | undefined }),
    resultDeclaration: outputSchema === undefined ? undefined : resultOf(name, outputSchema),
    wire: wire as JsonObject,
  };
}

/** A declaration that says of a tool only what its results must match. */
export function resultOf(name: string, outputSchema: unknown): ToolDeclaration {
  return Object.freeze({ name, outputSchema: outputSchema as object });
}

const hosted = Object.freeze({ hosted: true });
