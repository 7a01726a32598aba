import { listOf, mappingOf, orElse, section, text } from "../shape.js";

/** Expressions, any of which blocks where it is true. */
export interface CelOptions {
  readonly expressions: readonly string[];
}

/** The expressions of the CEL rails, by tool name. */
export interface CelSection {
  readonly tool_call: Readonly<Record<string, CelOptions>>;
  readonly tool_result: Readonly<Record<string, CelOptions>>;
}

const options = section({ expressions: listOf(text, 1) });

export const cel = section({
  tool_call: orElse(mappingOf(options)),
  tool_result: orElse(mappingOf(options)),
});
