import { quoted } from "../errors/names.js";
import { timeout } from "../errors/option-readers.js";
import { flatten } from "../guard/define.js";
import type { Guard } from "../guard/guard.js";
import { nameTaken, schemaName } from "../guard/guard-names.js";
import { isDeepFrozen } from "../json/own.js";
import type { JsonObject, ToolDefinition } from "../protocol/guardrail.js";
import { frozenDefinition, restrictsArguments } from "./definition.js";
import { checkToolNames } from "./named-tools.js";
import { normaliser } from "./parameters-guard.js";
import { duplicateError, namelessError, type RefusedTool, refusals } from "./refused-tool.js";
import { isStandardSchema, jsonSchemaOf } from "./standard-schema.js";
import { checkTool, ownTool, type Tool, type ToolContext, toolName } from "./tool.js";

/** A tool as it was read. It is fixed then. */
export interface ReadTool {
  readonly definition: ToolDefinition;
  readonly execute: ((args: JsonObject, context: ToolContext) => unknown) | undefined;
  readonly timeoutMs: number | undefined;
  /** The Standard Schema that normalises its arguments, as the first guard of its calls. */
  readonly schema: Guard | undefined;
  /** The guards of this tool alone. */
  readonly guards: readonly Guard[];
  /** True if a guard of the runner must hold its arguments to its schema. */
  readonly needsCheck: boolean;
}

/**
 * The tools of a list, each read once.
 *
 * What the guards of a runner say of them is not part of it, so that all runners with
 * these tools share it.
 */
export class Catalogue {
  readonly tools: ReadonlyMap<string, ReadTool>;
  /** The names of all tools of the list, also of those that could not be read. */
  readonly names: ReadonlySet<string>;
  /** The tools that could not be read, and those that a guard of their own refuses. */
  readonly refused: readonly RefusedTool[];
  /** The tools of which a guard of the runner must check the arguments. */
  readonly needCheck: ReadonlySet<string>;
  /** The tools that have guards of their own, by the names of those. */
  readonly guarded: ReadonlyMap<string, readonly string[]>;

  private constructor(list: readonly Tool[]) {
    const tools = new Map<string, ReadTool>();
    const refused: RefusedTool[] = [];
    const names = new Set<string>();
    for (const [index, tool] of list.entries()) {
      const name = toolName(tool);
      if (typeof name !== "string" || name === "") {
        refused.push({ name: "", refusedBy: "core", cause: namelessError(index, tool) });
      } else if (names.has(name)) {
        // A call could mean either of the two, so neither is run.
        tools.delete(name);
        refused.push({ name, refusedBy: "core", cause: duplicateError(name) });
      } else {
        names.add(name);
        try {
          tools.set(name, readTool(tool));
        } catch (cause) {
          refused.push({ name, refusedBy: "core", cause });
        }
      }
    }
    for (const [name, { definition, guards }] of tools) {
      for (const each of refusals(guards, name, definition)) refused.push(each);
    }
    this.tools = tools;
    this.names = names;
    this.refused = refused;
    const needing = [...tools.values()].filter(({ needsCheck }) => needsCheck);
    this.needCheck = new Set(needing.map(({ definition }) => definition.name));
    this.guarded = byGuard(tools.values());
  }

  /** Returns the catalogue of a list. A list in which nothing can change is read once. */
  static of(list: readonly Tool[]): Catalogue {
    const known = catalogues.get(list);
    if (known !== undefined) return known;
    const catalogue = new Catalogue(list);
    if (isDeepFrozen(list, code)) catalogues.set(list, catalogue);
    return catalogue;
  }

  /** Sorts refusals as the tools are listed; those without a name come last. */
  inOrder(refused: readonly RefusedTool[]): readonly RefusedTool[] {
    if (refused.length < 2) return refused;
    const names = [...this.names];
    const places = new Map(names.map((name, place) => [name, place]));
    const placeOf = ({ name }: RefusedTool): number => places.get(name) ?? names.length;
    return refused.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

const catalogues = new WeakMap<readonly Tool[], Catalogue>();

/** The members of tools and of their guards that are functions, and not asked for what a tool is. */
const code: ReadonlySet<unknown> = new Set([
  ...["execute", "evaluate", "admit", "evaluateResult", "settle"],
  ...["register", "checksArguments", "judgesPieces", "close"],
]);

/** Reads a tool. @throws ToolstileError for a wrong member, and what the tool throws when it is read. */
function readTool(given: Tool): ReadTool {
  const tool = ownTool(given);
  checkTool(given, tool);
  const { parameters, execute } = tool;
  const standard = isStandardSchema(parameters) ? parameters : undefined;
  const shown = standard === undefined ? parameters : jsonSchemaOf(standard);
  const definition = frozenDefinition(tool, shown);
  const guards = flatten(tool.guardrails ?? []);
  checkToolNames(guards, new Set([definition.name]));
  if (standard !== undefined && guards.some(({ names }) => names.includes(schemaName))) {
    throw nameTaken(schemaName, definition.name);
  }
  return Object.freeze({
    definition,
    execute: execute as ReadTool["execute"],
    timeoutMs: timeout().read(tool.timeoutMs, `The tool ${quoted(definition.name)}`, "timeoutMs"),
    schema: standard && normaliser(standard, shown as JsonObject | undefined),
    guards,
    needsCheck:
      standard === undefined &&
      tool.unchecked !== true &&
      restrictsArguments(definition.parameters) &&
      !guards.some((guard) => guard.checksArguments(definition)),
  });
}

function byGuard(tools: Iterable<ReadTool>): ReadonlyMap<string, readonly string[]> {
  const guarded = new Map<string, string[]>();
  for (const { definition, schema, guards } of tools) {
    const own = schema === undefined ? guards : [schema, ...guards];
    for (const guard of own.flatMap(({ names }) => names)) {
      const tools = guarded.get(guard);
      if (tools === undefined) guarded.set(guard, [definition.name]);
      else tools.push(definition.name);
    }
  }
  return guarded;
}
