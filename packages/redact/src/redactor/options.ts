import {
  boolean,
  didYouMean,
  invalidOption,
  isJsonObject,
  list,
  nonEmptyText,
  OptionReader,
  type OptionTable,
  optionError,
  quoted,
  readOptions,
  such,
} from "@toolstile/core/provider";
import { kindNames } from "../kinds/kinds.js";
import { type RedactAction, type RedactTokens, redactActions } from "./actions.js";
import { type AllowRule, isAllowRule } from "./allowed.js";

/** The kinds that are looked for, and the marks in their place. */
export interface RedactorOptions {
  /** Kinds, or `secret` and `personal` for all of one sort. Default: all. */
  readonly kinds?: readonly string[] | undefined;
  /** One action for all kinds, or one each, by kind or sort. Default: "mask". */
  readonly action?: RedactAction | Readonly<Record<string, RedactAction>> | undefined;
  /** By JSON pointer, in which `*` stands for any one name: "keep" leaves a value as it is, an action takes it whole. */
  readonly paths?: Readonly<Record<string, RedactAction | "keep">> | undefined;
  /** The values that are let through: texts as they stand, domains of mail, ranges of addresses and of numbers. */
  readonly allow?: readonly AllowRule[] | undefined;
  /** The key of "hash". At least 16 characters or bytes. */
  readonly key?: string | Uint8Array | undefined;
  /** Keeps the values of "token". */
  readonly tokens?: RedactTokens | undefined;
  /** True to look into base64 and hexadecimal text. Default: true. Without it a stream holds less back. */
  readonly encoded?: boolean | undefined;
}

const leastKey = 16;
const isKey = (value: unknown): value is string | Uint8Array =>
  typeof value === "string" || value instanceof Uint8Array;

export const redactorOptions: OptionTable<RedactorOptions> = {
  kinds: list(nonEmptyText()),
  action: new OptionReader<RedactorOptions["action"]>(
    `one of ${actionNames()}, or an object of them by kind`,
    readActions,
  ),
  paths: new OptionReader<RedactorOptions["paths"]>(
    `an object of "keep" or ${actionNames()} by JSON pointer`,
    readPaths,
  ),
  allow: list(
    new OptionReader<AllowRule | undefined>(
      "a string, or an object with domain, with range (as 203.0.113.0/24), or with from and to (as many digits)",
      readAllowRule,
    ),
  ),
  key: such<string | Uint8Array>(isKey, `a string or bytes, ${leastKey} or more`),
  tokens: such<RedactTokens>(
    isTokens,
    "an object with tokenOf() and valueOf(), such as memoryTokens()",
  ),
  encoded: boolean(),
};

function actionNames(): string {
  return redactActions.map((action) => `"${action}"`).join(", ");
}

function isAction(value: unknown): value is RedactAction {
  return redactActions.includes(value as RedactAction);
}

type Option = readonly [where: string, option: string, expected: string];

function readActions(value: unknown, ...[where, option, expected]: Option): unknown {
  if (isAction(value)) return value;
  if (typeof value === "string") throw slip(where, option, expected, value, redactActions);
  if (!isJsonObject(value)) throw optionError(where, option, expected, value);
  for (const [kind, each] of Object.entries(value))
    checkWord(where, option, `for ${quoted(kind)}`, redactActions, each);
  return value;
}

function readPaths(value: unknown, ...[where, option, expected]: Option): unknown {
  if (!isJsonObject(value)) throw optionError(where, option, expected, value);
  for (const [pointer, each] of Object.entries(value)) {
    if (!/^(?:\/(?:[^/~]|~[01])*)+$/.test(pointer))
      throw slip(where, option, expected, pointer, []);
    checkWord(where, option, `at ${quoted(pointer)}`, ["keep", ...redactActions], each);
  }
  return value;
}

const rules = ["domain", "range", "from", "to"];

function readAllowRule(value: unknown, ...[where, option, expected]: Option): unknown {
  if (isAllowRule(value)) return value;
  const wrong = isJsonObject(value) && Object.keys(value).find((name) => !rules.includes(name));
  if (typeof wrong === "string")
    throw slip(where, option, expected, wrong, rules, "an object with ");
  throw optionError(where, option, expected, value);
}

function checkWord(
  where: string,
  option: string,
  place: string,
  words: readonly string[],
  value: unknown,
): void {
  if (words.some((word) => word === value)) return;
  const expected = `one of ${words.map((word) => `"${word}"`).join(", ")} ${place}`;
  if (typeof value === "string") throw slip(where, option, expected, value, words);
  throw optionError(where, option, expected, value);
}

/** The error for a wrong word, which it names, with the nearest right one. */
function slip(
  where: string,
  option: string,
  expected: string,
  word: string,
  right: readonly string[],
  before = "",
) {
  const problem = `'${option}' must be ${expected}, received ${before}${quoted(word)}.`;
  return invalidOption(where, problem + didYouMean(word, right));
}

function isTokens(value: unknown): value is RedactTokens {
  const given = Object(value) as Partial<RedactTokens>;
  return typeof given.tokenOf === "function" && typeof given.valueOf === "function";
}

/** The kinds that some names stand for. @throws ToolstileError `ERR_INVALID_OPTION` for a name that stands for none. */
function kindsNamed(
  where: string,
  option: string,
  names: readonly string[],
  known: readonly string[],
): readonly string[] {
  return names.flatMap((name) => {
    const found = known.filter((kind) => kind === name || kind.startsWith(`${name}.`));
    if (found.length > 0) return found;
    const meant = known.find((kind) => kind.endsWith(`.${name}`));
    const guess = meant === undefined ? didYouMean(name, known) : ` Did you mean ${quoted(meant)}?`;
    throw invalidOption(
      where,
      `${quoted(option)} must name kinds, or the sorts \`secret\` and \`personal\`, received ${quoted(name)}.${guess} \`toolstile redact --kinds\` lists all kinds.`,
    );
  });
}

export interface ReadRedactorOptions extends RedactorOptions {
  readonly kinds: readonly string[];
  readonly actionOf: (kind: string) => RedactAction;
}

/** @throws ToolstileError `ERR_INVALID_OPTION`, `ERR_UNKNOWN_OPTION`. */
export function readRedactorOptions(where: string, given: RedactorOptions): ReadRedactorOptions {
  const options = readOptions(where, given, redactorOptions);
  return completed(where, options);
}

/** @param others - kinds that others find: they may have an action too. */
export function completed(
  where: string,
  options: RedactorOptions,
  others: readonly string[] = [],
): ReadRedactorOptions {
  const { kinds: named = ["secret", "personal"] } = options;
  if (named.length === 0) throw optionError(where, "kinds", "a list with a kind or more", named);
  const { key } = options;
  if (key !== undefined && key.length < leastKey) {
    const what = typeof key === "string" ? "characters" : "bytes";
    const problem = `'key' must have at least ${leastKey} ${what}, received ${key.length}.`;
    throw invalidOption(where, problem);
  }
  const kinds = kindsNamed(where, "kinds", named, kindNames);
  const known = [...kindNames, ...others];
  const { action = "mask" } = options;
  const actions = new Map<string, RedactAction>();
  if (typeof action === "object") {
    // A kind counts before its sort, in whatever order they are written.
    const rows = Object.entries(action).sort(
      ([a], [b]) => a.split(".").length - b.split(".").length,
    );
    for (const [name, each] of rows) {
      for (const kind of kindsNamed(where, "action", [name], known)) actions.set(kind, each);
    }
  }
  const actionOf = (kind: string) =>
    typeof action === "string" ? action : (actions.get(kind) ?? "mask");
  const used = new Set([
    ...[...kinds, ...others].map(actionOf),
    ...Object.values(options.paths ?? {}),
  ]);
  if (used.has("hash") && key === undefined) {
    throw invalidOption(
      where,
      "'key' must be given for the action \"hash\": without a key, short values are guessed.",
    );
  }
  if (used.has("token") && options.tokens === undefined) {
    throw invalidOption(
      where,
      "'tokens' must be given for the action \"token\": memoryTokens(), or a store of yours.",
    );
  }
  return { ...options, kinds, actionOf };
}
