import { Call } from "./call.js";
import { ProviderLink } from "./link.js";
import { quoted } from "./naming.js";
import { parseArguments } from "./parse.js";
import type { Awaitable, GuardrailResult, JsonObject, ToolCall } from "./protocol.js";
import { isThenable } from "./thenable.js";
import { deny, modify } from "./verdict.js";

/**
 * The part of the Standard Schema specification (version 1) that core uses, so
 * that zod, valibot, arktype and others fit without a dependency.
 */
export interface StandardSchema<Args = unknown, Normalised = Args> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Awaitable<StandardResult<Normalised>>;
    readonly types?: { readonly input: Args; readonly output: Normalised } | undefined;
    /** Standard JSON Schema, where the library has it. */
    readonly jsonSchema?:
      | { readonly input: (options: { target: "draft-2020-12" }) => Record<string, unknown> }
      | undefined;
  };
}
/** What a Standard Schema answers. */
export type StandardResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };
export interface StandardIssue {
  readonly message: string;
  /** Of zod's: the type that was wanted. */
  readonly expected?: unknown;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What the schema's library makes of arguments. */
export type Normalised<Schema> =
  Schema extends StandardSchema<unknown, infer Value> ? Value : never;

export function isStandardSchema(value: unknown): value is StandardSchema {
  return (
    value !== null &&
    (typeof value === "object" || typeof value === "function") &&
    typeof (value as Partial<StandardSchema>)["~standard"]?.validate === "function"
  );
}

/** The JSON Schema to show the model, if the library can write one. */
export function jsonSchemaOf(schema: StandardSchema): JsonObject | undefined {
  try {
    return schema["~standard"].jsonSchema?.input({ target: "draft-2020-12" }) as
      | JsonObject
      | undefined;
  } catch {
    // Some schemas, such as transforms, have no JSON Schema.
    return undefined;
  }
}

/**
 * The schema as the first guard of its tool: what it makes of the arguments is
 * what all others see and the tool gets. It does not count as having judged
 * the call.
 */
export function normaliser(schema: StandardSchema, shown: JsonObject | undefined): ProviderLink {
  const standard = schema["~standard"];
  const validate = standard.validate.bind(standard);
  const evaluate = (call: ToolCall): Awaitable<GuardrailResult> => {
    const result = validate(call.args);
    return isThenable(result)
      ? (result as PromiseLike<StandardResult<unknown>>).then((r) => decision(r, call, shown))
      : decision(result as StandardResult<unknown>, call, shown);
  };
  return new ProviderLink(
    {
      name: "parameters",
      counts: false,
      only: undefined,
      when: [],
      tools: [],
      checksArguments: () => true,
      register: undefined,
      settle: undefined,
      close: undefined,
    },
    { call: evaluate as (call: unknown) => unknown, admit: undefined, result: undefined },
    undefined,
  );
}

function decision(
  result: StandardResult<unknown>,
  call: ToolCall,
  shown: JsonObject | undefined,
): GuardrailResult {
  if (Object.hasOwn(result, "issues") && result.issues !== undefined) {
    const [issue] = result.issues;
    const place = pointer(issue?.path ?? [], shown);
    const reason = `arguments for tool ${quoted(call.toolName)} do not match its schema`;
    return deny(`${reason}${place}${expectation(issue)}`, { code: "schema" });
  }
  if (!Object.hasOwn(result, "value")) throw new TypeError("The schema gave no value.");
  const { value } = result as { value: unknown };
  const read = parseArguments(value, Call.scopeOf(call).limits);
  if (read.ok && typeof value === "object") return modify(read.args);
  return deny(`the schema of tool ${quoted(call.toolName)} makes what JSON cannot hold`, {
    code: "schema_not_json",
  });
}

/** What the schema wanted, where its library says so in a word. Its messages may quote values. */
function expectation(issue: StandardIssue | undefined): string {
  const expected = issue !== undefined && Object.hasOwn(issue, "expected") && issue.expected;
  return typeof expected === "string" && /^[a-z]{1,20}$/.test(expected)
    ? `: expected ${expected}`
    : "";
}

/** Where the fault is. Keys that the schema does not declare are the model's own words, and are not repeated. */
function pointer(
  path: readonly (PropertyKey | { readonly key: PropertyKey })[],
  shown: JsonObject | undefined,
): string {
  const declared = JSON.stringify(shown ?? {});
  const segments = path.map((segment) => {
    const key = typeof segment === "object" ? segment.key : segment;
    if (typeof key === "number") return `/${key}`;
    return declared.includes(`${JSON.stringify(String(key))}:`) ? `/${String(key)}` : "/*";
  });
  return segments.length === 0 ? "" : ` at ${segments.join("")}`;
}
