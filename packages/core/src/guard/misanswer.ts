import { nearest } from "../errors/names.js";
import { typeOf } from "../errors/option-error.js";
import type { JsonLimits } from "../json/snapshot.js";
import { isThenable } from "../time/wait.js";
import { type Phase, readDecision } from "./read-decision.js";

const answersOf: Readonly<Record<Phase, string>> = {
  call: "allow(), deny(reason) or modify(args)",
  admit: "allow() or deny(reason)",
  result: "allow(), deny(reason) or rewrite(body)",
};

/** The members of decisions, and what each must be. */
const musts: ReadonlyMap<string, string> = new Map([
  ["decision", '"allow", "deny" or "modify"'],
  ["reason", "a string"],
  ["code", "a string"],
  ["metadata", "an object that JSON can hold"],
  ["replacement", "text or a list of content parts"],
  ["approval", "{ summary, expiresInMs? }, a string and a positive number"],
  ["modifiedArgs", "a JSON object within the limits for arguments"],
  ["modifiedResult", "{ content, structured? }, text or content parts, and JSON"],
]);

/** The names that other systems use for members of a decision. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["args", "modifiedArgs"],
  ["arguments", "modifiedArgs"],
  ["message", "reason"],
  ["modified_args", "modifiedArgs"],
  ["modified_result", "modifiedResult"],
  ["result", "modifiedResult"],
]);

/** Says, for operators, which member of an answer is wrong, and nothing of its content. */
export function misanswer(answer: unknown, phase: Phase, limits: JsonLimits): string {
  return `The guardrail answered ${problemOf(answer, phase, limits)}. It answers ${answersOf[phase]}.`;
}

function problemOf(answer: unknown, phase: Phase, limits: JsonLimits): string {
  try {
    if (typeof answer !== "object" || answer === null || !Object.hasOwn(answer, "decision")) {
      return withoutDecision(answer);
    }
    return wrongMember(answer, phase, limits);
  } catch {
    // A trap of a proxy, or a getter, threw.
    return "what cannot be read";
  }
}

function withoutDecision(answer: unknown): string {
  const kind = kindOf(answer);
  return kind === "an object" ? "an object without a `decision` of its own" : kind;
}

function wrongMember(answer: object, phase: Phase, limits: JsonLimits): string {
  const keys = Reflect.ownKeys(answer);
  const isPlainData = keys.every(
    (key) =>
      typeof key === "string" &&
      Object.hasOwn(Object.getOwnPropertyDescriptor(answer, key) as object, "value"),
  );
  if (!isPlainData) return "a decision with a getter or a symbol: it must be plain data";
  const fields = answer as Readonly<Record<string, unknown>>;
  const { decision } = fields;
  if (decision !== "allow" && decision !== "deny" && decision !== "modify") {
    const inLowerCase = typeof decision === "string" && decision.trim().toLowerCase();
    const isNear = inLowerCase === "allow" || inLowerCase === "deny" || inLowerCase === "modify";
    return isNear
      ? `a \`decision\` that must be written "${inLowerCase}"`
      : mustBe("decision", decision);
  }
  if (phase === "admit" && decision === "modify") return 'the decision "modify", which is too late';
  for (const key of keys as string[]) {
    // Each member is tried alone, by the function that decides.
    const alone = { decision, ...needed(decision, phase), [key]: fields[key] };
    if (readDecision(alone, phase, "", limits).basis !== "malformed") continue;
    return wrongField(key, fields[key], decision, phase);
  }
  const missing = phase === "call" ? "modifiedArgs" : "modifiedResult";
  return mustBe(missing, undefined);
}

/** The member that a decision cannot be without. */
function needed(decision: string, phase: Phase): object {
  if (decision !== "modify") return {};
  return phase === "call" ? { modifiedArgs: {} } : { modifiedResult: { content: "" } };
}

function wrongField(key: string, value: unknown, decision: string, phase: Phase): string {
  if (!musts.has(key)) {
    const right = elsewhere.get(key) ?? nearest(key, musts.keys());
    const hint = right === undefined ? "" : `: \`${right}\` may be meant`;
    return `a decision with a member that none has${hint}`;
  }
  if (phase === "result" && key === "approval") {
    return "with an `approval`: the tool has run already";
  }
  const decisions: Readonly<Record<string, readonly string[]>> = {
    code: ["deny"],
    replacement: ["deny"],
    approval: ["deny"],
    modifiedArgs: phase === "call" ? ["modify"] : [],
    modifiedResult: phase === "result" ? ["modify"] : [],
  };
  return decisions[key]?.includes(decision) === false
    ? `"${decision}" with a \`${key}\`, which does not go with it here`
    : mustBe(key, value);
}

function mustBe(key: string, received: unknown): string {
  return `a decision whose \`${key}\` must be ${musts.get(key)}, received ${typeOf(received)}`;
}

/** Names the kind of a value, and nothing of its content. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  try {
    return isThenable(value) ? "a promise" : "an object";
  } catch {
    // A getter of its own threw.
    return "an object";
  }
}
