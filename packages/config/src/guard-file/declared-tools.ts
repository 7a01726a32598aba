import { dirname, resolve } from "node:path";
import type { JsonObject, ToolDefinition } from "@toolstile/core";
import {
  isJsonObject,
  optionError,
  ownValue,
  type ParsedArguments,
  parseArguments,
  quoted,
} from "@toolstile/core/provider";
import type { Path } from "../yaml/path.js";
import { readText } from "../yaml/text-file.js";
import { Faults } from "./faults.js";

/** The tools that a file declares, and all that was read to learn of them. */
export interface DeclaredTools {
  readonly tools: readonly ToolDefinition[];
  /** Plain JSON. */
  readonly source: unknown;
}

/**
 * Read `tools:` of a guard.yaml: a list of definitions, or the path of a JSON file that has one.
 *
 * @returns nothing where there are none, or where they are wrong, which `faults` then says.
 */
export async function declaredTools(
  given: string | readonly unknown[] | undefined,
  guardFile: string,
  faults: Faults,
): Promise<DeclaredTools | undefined> {
  if (given === undefined) return undefined;
  if (typeof given !== "string") {
    const found = faults.list.length;
    const tools = readDefinitions(given, ["tools"], faults);
    return faults.list.length > found ? undefined : { tools, source: given };
  }
  const path = resolve(dirname(guardFile), given);
  const inFile = new Faults(given);
  const declared = await readToolsFile(path, inFile);
  for (const fault of inFile.list) faults.addTo(fault);
  return declared;
}

/**
 * Read a JSON file of tool definitions, in MCP's form or OpenAI's: a list, or
 * what a server answers to `tools/list`.
 *
 * @throws GuardFileError with everything that is wrong.
 */
export async function loadToolDefinitions(path: string): Promise<readonly ToolDefinition[]> {
  if (typeof path !== "string")
    throw optionError("loadToolDefinitions()", "path", "the path of a file", path);
  const faults = new Faults(path);
  const declared = await readToolsFile(path, faults);
  faults.throwIfAny();
  return (declared as DeclaredTools).tools;
}

/** Core's reasons speak of arguments, and its positions count from before the file. */
function whyNot(parsed: ParsedArguments): string {
  if (parsed.ok) return ": there is more than one value";
  return parsed.code === "invalid_json" ? "" : `: ${parsed.reason.replace(/^they are/, "it is")}`;
}

/** A JSON file of tool definitions: a list, or what a server answers to `tools/list`. */
async function readToolsFile(path: string, faults: Faults): Promise<DeclaredTools | undefined> {
  const read = await readText(path);
  if ("fault" in read) {
    faults.add([], read.fault);
    return undefined;
  }
  // Core's own strict reading: no key twice, no __proto__, nothing that only looks like JSON.
  const parsed = parseArguments(`{"content":${read.text}\n}`);
  if (!parsed.ok || Object.keys(parsed.args).length !== 1) {
    faults.add([], `it cannot be read as JSON${whyNot(parsed)}`);
    return undefined;
  }
  const { content } = parsed.args;
  const list = isJsonObject(content) ? ownValue(content, "tools") : content;
  if (!Array.isArray(list)) {
    faults.add([], "it holds no list of tool definitions, nor { tools: [ … ] }");
    return undefined;
  }
  const tools = readDefinitions(list, [], faults);
  return faults.list.length > 0 ? undefined : { tools, source: content };
}

function readDefinitions(
  list: readonly unknown[],
  at: Path,
  faults: Faults,
): readonly ToolDefinition[] {
  const tools = new Map<string, ToolDefinition>();
  for (const [index, each] of list.entries()) {
    const tool = readDefinition(each);
    if (tool === undefined) {
      faults.add([...at, index], "must be a tool definition, and has no name");
    } else if (tools.has(tool.name)) {
      faults.add([...at, index], `is a second tool named ${quoted(tool.name)}`);
    } else {
      tools.set(tool.name, tool);
    }
  }
  return [...tools.values()];
}

const schemaKeys = ["inputSchema", "parameters", "input_schema"];

/** MCP's form, and OpenAI's: nested under `function`, or flat. */
function readDefinition(each: unknown): ToolDefinition | undefined {
  const nested = ownValue(each, "function");
  const body = isJsonObject(nested) ? nested : each;
  const name = ownValue(body, "name");
  if (typeof name !== "string" || name === "") return undefined;
  const schema = schemaKeys.map((key) => ownValue(body, key)).find((found) => found != null);
  const outputSchema = ownValue(body, "outputSchema");
  const annotations = ownValue(body, "annotations");
  const description = ownValue(body, "description");
  return {
    name,
    ...(typeof description === "string" && { description }),
    // Whether it is a schema is for those to say who read it.
    ...(schema !== undefined && { parameters: schema as JsonObject }),
    ...(outputSchema != null && { outputSchema: outputSchema as JsonObject }),
    ...(isJsonObject(annotations) && { annotations: annotations as JsonObject }),
  };
}
