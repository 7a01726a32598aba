import { Call } from "../call/head.js";
import { inOwnWords } from "../errors/fault-warning.js";
import { quoted } from "../errors/names.js";
import { ProviderGuard } from "../guard/guard.js";
import { schemaName } from "../guard/guard-names.js";
import { allow, deny, modify } from "../guard/verdicts.js";
import { sameJson } from "../json/canonical.js";
import { member, thawed } from "../json/own.js";
import { parseArguments } from "../json/parse.js";
import type { Awaitable, GuardrailResult, JsonObject, ToolCall } from "../protocol/guardrail.js";
import { isThenable } from "../time/wait.js";
import { declaredBy } from "./declared-schema.js";
import { describeIssue } from "./schema-issue.js";
import type { StandardIssue, StandardSchema } from "./standard-schema.js";

/** The libraries that are known to leave what they are given as it is. */
const readingOnly: readonly string[] = ["valibot", "zod"];

/**
 * Makes a schema the first guard of its tool: all other guards and the tool get
 * the arguments as the schema normalised them. It does not count as having judged
 * the call.
 */
export function normaliser(schema: StandardSchema, shown: JsonObject | undefined): ProviderGuard {
  const standard = schema["~standard"];
  const validate = standard.validate.bind(standard);
  // ArkType changes in place what it is given, and the arguments of a call are frozen.
  const writesInto = !readingOnly.includes(standard.vendor);
  // For the words of denials, which are rare.
  const stated = (): JsonObject | undefined => shown ?? declaredBy(schema);
  const evaluate = (call: ToolCall): Awaitable<GuardrailResult> => {
    const result: unknown = validate(writesInto ? thawed(call.args) : call.args);
    return isThenable(result)
      ? result.then((answer) => decision(answer, call, stated))
      : decision(result, call, stated);
  };
  return new ProviderGuard(
    {
      name: schemaName,
      counts: false,
      only: [],
      when: [],
      tools: [],
      checksArguments: () => true,
      judgesPieces: undefined,
      register: undefined,
      settle: undefined,
      close: undefined,
    },
    { call: evaluate as (call: unknown) => unknown, admit: undefined, result: undefined },
    undefined,
  );
}

/** Reads the answer of a library. It may be of a class, as that of ArkType is: members are read as guards' are. */
function decision(
  answer: unknown,
  call: ToolCall,
  stated: () => JsonObject | undefined,
): GuardrailResult {
  const result = Object(answer) as object;
  const issues = member(result, "issues");
  if (issues !== undefined) {
    const [issue] = issues as readonly StandardIssue[];
    const place = describeIssue(issue, stated(), call.args);
    const reason = `arguments for tool ${quoted(call.toolName)} do not match its schema${place}`;
    return deny(reason, { code: "schema" });
  }
  if (!Object.hasOwn(result, "value")) {
    throw inOwnWords(new TypeError("The schema gave no value."));
  }
  const { value } = result as { value: unknown };
  if (sameJson(value, call.args)) return allow();
  const read = parseArguments(value, Call.scopeOf(call).terms.limits);
  if (read.ok && typeof value === "object") return modify(read.args);
  return deny(`the schema of tool ${quoted(call.toolName)} makes what JSON cannot hold`, {
    code: "schema_not_json",
  });
}
