import { parseArgs } from "node:util";

/**
 * Reads the flags of a script that takes nothing else. A wrong one ends the process with 2, after the usage.
 *
 * @template {Readonly<Record<string, { readonly type: "boolean" }>>} Flags
 * @param {string} usage
 * @param {Flags} options
 */
export function readFlags(usage, options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    process.stderr.write(`${/** @type {Error} */ (error).message}\n\n${usage}`);
    process.exit(2);
  }
}
