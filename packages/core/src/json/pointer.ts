import { quoted } from "../errors/names.js";
import { invalidOption } from "../errors/option-error.js";

/** The names that lead from a value to the values in it. `*` leads to each member or entry. */
export type Pointer = readonly string[];

const longestPointer = 32;

/**
 * Reads a JSON Pointer (RFC 6901) that is an option.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for a text that is none, or that has more than 32 steps.
 */
export function readPointer(text: string, where: string, option: string): Pointer {
  if (text === "") return [];
  if (!text.startsWith("/") || /~(?![01])/.test(text)) {
    throw invalidOption(
      where,
      `'${option}' must be a JSON Pointer, as in /to or /items/*/name, received ${quoted(text)}.${
        text.startsWith("/") ? "" : ` Did you mean ${quoted(`/${text}`)}?`
      }`,
    );
  }
  const names = text.slice(1).split("/");
  if (names.length > longestPointer) {
    throw invalidOption(where, `'${option}' must have at most ${longestPointer} steps.`);
  }
  return names.map((name) => name.replace(/~1/g, "/").replace(/~0/g, "~"));
}
