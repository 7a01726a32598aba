import { ToolstileError } from "@toolstile/core";
import type { StandardSchema, ToolDeclaration } from "@toolstile/core/host";
import { quoted } from "@toolstile/core/provider";
import type { SdkTool } from "./sdk.js";

/** A schema as `jsonSchema()` and its like make it. */
interface SdkSchema {
  readonly jsonSchema: unknown;
  readonly validate?: ((value: unknown) => unknown) | undefined;
}

/**
 * The tool as core is told of it.
 *
 * A schema that can validate is held to again by core after every rewrite,
 * which the SDK does not do: it validates once, before the guards are asked.
 *
 * @throws ToolstileError `ERR_INVALID_TOOL` for a schema that is not there yet.
 */
export function declarationOf(name: string, tool: SdkTool): ToolDeclaration {
  const { description, inputSchema } = tool;
  return {
    name,
    // In ai 7 it may be a function of a call's context, which is not known yet.
    description: typeof description === "string" ? description : undefined,
    parameters: parametersOf(name, inputSchema),
  };
}

function parametersOf(name: string, given: unknown): object | undefined {
  if (given === undefined || given === null || isStandard(given)) return given ?? undefined;
  const schema = (typeof given === "function" ? given() : given) as SdkSchema;
  if (isStandard(schema)) return schema;
  if (typeof schema.validate === "function") return standardOf(schema);
  const { jsonSchema } = schema;
  if (typeof jsonSchema === "object" && jsonSchema !== null && !("then" in jsonSchema)) {
    return jsonSchema;
  }
  throw new ToolstileError(
    "ERR_INVALID_TOOL",
    `The input schema of tool ${quoted(name)} cannot be read now. Await it, or give it a validate function.`,
  );
}

function isStandard(schema: unknown): schema is StandardSchema {
  return Object(schema) === schema && "~standard" in (schema as object);
}

/** The SDK's own kind of schema, as a Standard Schema. */
function standardOf(schema: SdkSchema): StandardSchema {
  return {
    "~standard": {
      version: 1,
      vendor: "ai",
      validate: async (value) => {
        const answer = (await schema.validate?.(value)) as { success?: unknown; value?: unknown };
        return answer.success === true
          ? { value: answer.value }
          : { issues: [{ message: "it does not match" }] };
      },
      jsonSchema: { input: () => schema.jsonSchema as Record<string, unknown> },
    },
  };
}
