import { ToolstileError } from "../errors/error.js";
import { didYouMean, editDistance, quoted } from "../errors/names.js";
import { member } from "../json/own.js";

/** The members of a guard that core reads. */
const members = [
  "name",
  "evaluate",
  "admit",
  "evaluateResult",
  "settle",
  "register",
  "tools",
  "checksArguments",
  "judgesPieces",
  "timeoutMs",
  "close",
];

/** The names that other systems use for members that a guard may lack, in lower case and without underscores. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["aftertool", "evaluateResult"],
  ["aftertoolcall", "evaluateResult"],
  ["allowedtools", "tools"],
  ["checkresult", "evaluateResult"],
  ["onregister", "register"],
  ["onresult", "evaluateResult"],
  ["posttooluse", "evaluateResult"],
  ["registertool", "register"],
  ["registertools", "register"],
  ["timeout", "timeoutMs"],
  ["timeoutmilliseconds", "timeoutMs"],
  ["timeoutseconds", "timeoutMs"],
  ["toolnames", "tools"],
]);

/** The names that other systems use for `evaluate`. A guard may have such members of its own beside it. */
const decides: readonly string[] = [
  "authorize",
  "beforetool",
  "beforetoolcall",
  "check",
  "decide",
  "execute",
  "guard",
  "invoke",
  "oncall",
  "pretooluse",
  "run",
  "validate",
  "wraptoolcall",
];

/**
 * Refuses a guard with a member that looks like one of core's under another name.
 *
 * A name of another system is the guard's own affair if it has the right member as well.
 *
 * @throws ToolstileError `ERR_UNKNOWN_MEMBER` that names the right one.
 */
export function refuseMisspellings(guardrail: object, name: string): void {
  for (const key of memberNames(guardrail)) {
    if (members.includes(key)) continue;
    const right = elsewhere.get(plainName(key));
    const isElsewhere = right !== undefined && member(guardrail, right) === undefined;
    if (!isElsewhere && !looksLikeMember(key)) continue;
    throw new ToolstileError(
      "ERR_UNKNOWN_MEMBER",
      `The guardrail ${quoted(name)} has a member ${quoted(key)}, which core does not call.${isElsewhere ? itGoesUnder(right) : didYouMean(key, members)}`,
    );
  }
}

/** Says which member of a guard without `evaluate` was probably meant as it; else nothing. */
export function meantAsEvaluate(guardrail: object): string {
  const meant = memberNames(guardrail).find((key) => decides.includes(plainName(key)));
  return meant === undefined ? "" : ` Its ${quoted(meant)} goes under evaluate.`;
}

function itGoesUnder(right: string): string {
  const limiting = right === "tools" ? " To limit a guard to some tools, use forTools()." : "";
  return ` It goes under ${right}.${limiting}`;
}

/** Lists the members of the guard and of its class. */
function memberNames(guardrail: object): readonly string[] {
  const names: string[] = [];
  for (
    let holder: object | null = guardrail;
    holder !== null && (holder === guardrail || Object.getPrototypeOf(holder) !== null);
    holder = Object.getPrototypeOf(holder)
  ) {
    for (const each of Object.getOwnPropertyNames(holder)) names.push(each);
  }
  return names;
}

function plainName(key: string): string {
  return key.replaceAll("_", "").toLowerCase();
}

/** The members whose absence would be silent, and how many slips from one still look like it. */
const slips: readonly (readonly [string, number])[] = [
  ["evaluate", 1],
  ["evaluateResult", 2],
  ["admit", 1],
  ["settle", 1],
  ["register", 1],
  ["checksArguments", 2],
  ["judgesPieces", 2],
  ["timeoutMs", 1],
];

function looksLikeMember(key: string): boolean {
  return (
    /^(evaluate|admit|settle)/i.test(key) ||
    slips.some(([name, most]) => editDistance(key.toLowerCase(), name.toLowerCase()) <= most)
  );
}
