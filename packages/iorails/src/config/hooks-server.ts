import { isJsonObject, quoted } from "@toolstile/core/provider";
import type { Data } from "./plain-data.js";
import { flag, listOf, mappingOf, type Report, type Shape, section, textLike } from "./shape.js";

/** A value of an argument that a policy of tools can compare. */
export type PolicyValue = string | number | boolean;

/** A tool in a policy of tools. */
export interface PolicyEntry {
  /** The exact name. */
  readonly name: string;
  /** The arguments that the entry names, each with the values that it lists; null stands for any value. Absent: the entry is a name alone. */
  readonly arguments: Readonly<Record<string, readonly PolicyValue[] | null>> | undefined;
}

/** The policy of tools in `hooks_server`. */
export interface HooksServerSection {
  readonly allowedTools: readonly PolicyEntry[];
  readonly blockedTools: readonly PolicyEntry[];
  /** False: a tool that is not in `allowedTools` is denied. Default true. */
  readonly allowUnlistedTools: boolean;
}

const isPolicyValue = (value: unknown): value is PolicyValue =>
  ["string", "number", "boolean"].includes(typeof value);

/** One value, or a list of them. */
const values: Shape<readonly PolicyValue[]> = (given, path, report) => {
  const listed = Array.isArray(given) ? given : [given];
  if (listed.length > 0 && listed.every(isPolicyValue)) return listed;
  report(path, "must be text, a number, true or false, or a list of these that is not empty");
  return undefined;
};

const toolName = textLike(
  /^(?!\s)[^*?()]+(?<!\s)$/,
  "the exact name of a tool, and no pattern: text without * ? ( ), without blanks at its ends",
);
const argumentNames = listOf(textLike(/[\s\S]/, "the name of an argument"), 1);
const argumentValues = mappingOf(values);

/** A key that need not be there. One without a value is wrong: what should stand behind it may stand elsewhere. */
function optional<T>(shape: Shape<T>): Shape<T | null> {
  return (given, path, report) => (given === undefined ? null : shape(given, path, report));
}

/** The names of arguments, or a mapping from names to values. */
const namedArguments: Shape<NonNullable<PolicyEntry["arguments"]>> = (given, path, report) => {
  if (Array.isArray(given)) {
    const names = argumentNames(given, path, report);
    return names && Object.fromEntries(names.map((name) => [name, null]));
  }
  if (isJsonObject(given) && Object.keys(given).length > 0) {
    return argumentValues(given, path, report);
  }
  report(path, "must be a list of names, or a mapping from names to values, that is not empty");
  return undefined;
};

const nameWithArguments = section({ name: toolName, arguments: optional(namedArguments) });

const entry: Shape<PolicyEntry> = (given, path, report) => {
  if (isJsonObject(given) && Object.hasOwn(given, "name")) {
    const read = nameWithArguments(given, path, report);
    return read && { name: read.name, arguments: read.arguments ?? undefined };
  }
  if (typeof given === "string") {
    const name = toolName(given, path, report);
    return name === undefined ? undefined : { name, arguments: undefined };
  }
  report(path, "must be the name of a tool, or a mapping that has `name` and `arguments`");
  return undefined;
};

const shape = section({
  allowed_tools: optional(listOf(entry)),
  blocked_tools: optional(listOf(entry)),
  allow_unlisted_tools: optional(flag),
});

/** Reads `hooks_server`, and reports what is wrong in it. Absent if the key is not there. */
export function readHooksServer(
  given: Data | undefined,
  report: Report,
): HooksServerSection | undefined {
  if (given === undefined) return undefined;
  const found = shape(given, ["hooks_server"], report);
  const allowedTools = found?.allowed_tools ?? [];
  const blockedTools = found?.blocked_tools ?? [];
  for (const [key, list] of Object.entries({
    allowed_tools: allowedTools,
    blocked_tools: blockedTools,
  })) {
    const seen = new Set<string>();
    for (const [index, { name }] of list.entries()) {
      const path = ["hooks_server", key, index];
      if (seen.has(name)) report(path, `names the tool ${quoted(name)} a second time`);
      seen.add(name);
    }
  }
  if (allowedTools.length > 0 && found?.allow_unlisted_tools === null) {
    report(
      ["hooks_server", "allowed_tools"],
      "needs allow_unlisted_tools beside it: false denies all other tools, true allows them",
    );
  }
  return { allowedTools, blockedTools, allowUnlistedTools: found?.allow_unlisted_tools ?? true };
}

/** True if a policy denies every call of a tool. */
export function deniesAlways(
  { allowedTools, blockedTools, allowUnlistedTools }: HooksServerSection,
  tool: string,
): boolean {
  const blocked = blockedTools.find(({ name }) => name === tool);
  if (blocked !== undefined && blocked.arguments === undefined) return true;
  return !allowUnlistedTools && !allowedTools.some(({ name }) => name === tool);
}

/** True if a policy can deny any call. */
export function canDeny(policy: HooksServerSection): boolean {
  const { allowedTools, blockedTools, allowUnlistedTools } = policy;
  const limits = allowedTools.some((each) => each.arguments !== undefined);
  return blockedTools.length > 0 || limits || !allowUnlistedTools;
}
