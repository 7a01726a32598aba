import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { type Tool, ToolstileError } from "@toolstile/core";
import type { StandardResult, StandardSchema } from "@toolstile/core/host";
import { canonicalJson, quoted } from "@toolstile/core/provider";

/** Any tool that the framework runs: made by `tool()`, a class of your own, or an MCP adapter. */
export interface GuardableTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly schema?: unknown;
  readonly invoke: (...given: never) => unknown;
}

/**
 * The tools as declarations for core.
 *
 * @throws ToolstileError `ERR_UNSUPPORTED` for a tool that the provider runs.
 */
export function declarationsOf(tools: readonly GuardableTool[]): readonly Tool[] {
  return tools.map(declarationOf);
}

function declarationOf(tool: GuardableTool): Tool {
  if (typeof tool?.invoke !== "function") {
    const { name, type } = Object(tool) as { name?: unknown; type?: unknown };
    throw new ToolstileError(
      "ERR_UNSUPPORTED",
      `The tool ${quoted(String(name ?? type ?? "without a name"))} has no invoke(): the provider runs it, so it cannot be guarded here. Leave it out of the guarded tools.`,
    );
  }
  const { name, description, schema } = tool;
  return { name, description, parameters: isStandard(schema) ? held(schema) : (schema as object) };
}

function isStandard(schema: unknown): schema is StandardSchema {
  return Object(schema) === schema && "~standard" in (schema as object);
}

/**
 * The tool's schema, held to what the tool is going to make of the arguments.
 *
 * The tool reads with the same schema again what was decided on. What that
 * would change once more, guards would not have seen: it does not match.
 */
function held(schema: StandardSchema): StandardSchema {
  const validate = async (value: unknown): Promise<StandardResult<unknown>> => {
    const read = await schema["~standard"].validate(value);
    if (read.issues !== undefined) return read;
    // A tool of one text is given it out of its `input`.
    if (Object(read.value) !== read.value) return { value };
    const again = await schema["~standard"].validate(read.value);
    return again.issues === undefined && isSameOrNotJson(again.value, read.value)
      ? read
      : { issues: [{ message: "the schema changes what it has made" }] };
  };
  return {
    "~standard": {
      version: 1,
      vendor: "langchain",
      validate,
      jsonSchema: { input: () => argumentsOf(schema) },
    },
  };
}

/** JSON Schema of the arguments that a model may write: what has a default may be left out. */
export function argumentsOf(schema: unknown): Record<string, unknown> {
  return toJsonSchema(schema as never, { io: "input" }) as Record<string, unknown>;
}

/** True also of a value that is not JSON: core refuses that. */
function isSameOrNotJson(one: unknown, other: unknown): boolean {
  try {
    return canonicalJson(one) === canonicalJson(other);
  } catch {
    return true;
  }
}
