import { schemasAskedAgain } from "./evaluated.js";
import { memberStepsKeyword, stepsKeyword } from "./meter.js";
import type { SchemaNode } from "./schema-graph.js";
import { memberChecks, ownChecks } from "./weights.js";

type Keywords = { [keyword: string]: unknown };
type Emitted = boolean | Keywords;

export interface EmittedSchema {
  readonly schema: Keywords;
  /** Where the schemas stand that must also be found on their own: fragments. */
  readonly places: ReadonlyMap<SchemaNode, string>;
}

/** Gives out the number that stands for a test of what is unevaluated. */
type Register = (node: SchemaNode, keyword: "unevaluatedProperties" | "unevaluatedItems") => number;

/**
 * Writes a graph as one schema for Ajv: local references only, no ids, no
 * keyword that Ajv is not meant to act on, objects that inherit nothing.
 */
export function emitSchema(
  nodes: readonly SchemaNode[],
  metered: boolean,
  register: Register,
): EmittedSchema {
  return new Emitter(nodes, metered, register).emit();
}

class Emitter {
  private readonly nodes: readonly SchemaNode[];
  private readonly metered: boolean;
  private readonly register: Register;
  /** The schemas that are referred to. The others stand where they are used. */
  private readonly names = new Map<SchemaNode, string>();
  private readonly definitions = record();

  constructor(nodes: readonly SchemaNode[], metered: boolean, register: Register) {
    this.nodes = nodes;
    this.metered = metered;
    this.register = register;
  }

  emit(): EmittedSchema {
    const root = this.nodes[0] as SchemaNode;
    const tracked = this.nodes.some(
      ({ one }) => one.has("unevaluatedProperties") || one.has("unevaluatedItems"),
    );
    const asked = tracked ? schemasAskedAgain(this.nodes) : new Set<SchemaNode>();
    for (const node of this.nodes) {
      if (node.target || asked.has(node)) this.names.set(node, String(this.names.size));
    }
    for (const [node, name] of this.names) this.definitions[name] = this.write(node);
    const top = this.use(root);
    const schema = typeof top === "boolean" ? record() : top;
    if (top === false) schema.not = record();
    schema.$defs = this.definitions;
    const places = new Map<SchemaNode, string>();
    for (const node of asked) places.set(node, `#/$defs/${this.names.get(node)}`);
    return { schema, places };
  }

  private use(node: SchemaNode): Emitted {
    const name = this.names.get(node);
    if (name === undefined) return this.write(node);
    const schema = record();
    schema.$ref = `#/$defs/${name}`;
    return schema;
  }

  private write(node: SchemaNode): Emitted {
    if (node.never) return false;
    const schema = record();
    if (this.metered) {
      schema[stepsKeyword] = ownChecks(node);
      if (memberChecks(node) > 0) schema[memberStepsKeyword] = memberChecks(node);
    }
    for (const [keyword, value] of node.assertions) schema[keyword] = value;
    for (const [keyword, inner] of node.one) {
      if (keyword === "$ref") schema.$ref = `#/$defs/${this.names.get(inner)}`;
      else if (keyword === "unevaluatedProperties" || keyword === "unevaluatedItems") {
        schema[keyword] = this.register(node, keyword);
      } else schema[keyword] = this.use(inner);
    }
    for (const [keyword, list] of node.lists) {
      schema[keyword] = list.map((inner) => this.use(inner));
    }
    for (const [keyword, map] of node.maps) {
      const members = record();
      for (const [key, inner] of map) members[key] = this.use(inner);
      schema[keyword] = members;
    }
    moveReservedName(schema);
    spellOutDependencies(schema);
    this.splitProperties(schema);
    return schema;
  }

  /**
   * Ajv nests the check of each property in that of the one before; V8 takes
   * quadratic time to read deep nesting. Long lists become several functions.
   */
  private splitProperties(schema: Keywords): void {
    const properties = Object.entries((schema.properties ?? {}) as Keywords);
    if (properties.length <= longestList) return;
    const parts: Keywords[] = [];
    const names = record();
    for (let start = 0; start < properties.length; start += longestList) {
      const part = record();
      for (const [name, member] of properties.slice(start, start + longestList)) {
        part[name] = member;
        names[name] = true;
      }
      const definition = record();
      definition.properties = part;
      const key = `part${Object.keys(this.definitions).length}`;
      this.definitions[key] = definition;
      const reference = record();
      reference.$ref = `#/$defs/${key}`;
      parts.push(reference);
    }
    // The names stay, for `additionalProperties` beside them.
    schema.properties = names;
    schema.allOf = [...((schema.allOf ?? []) as Emitted[]), ...parts];
  }
}

const longestList = 64;

const reservedName = "__proto__";
/** Written as nobody writes it, so that it meets no pattern of the schema's own. */
export const reservedPattern = "^(?:(?:__proto__))$";

/** Ajv passes over a property named `__proto__`; a pattern that only it matches says the same. */
function moveReservedName(schema: Keywords): void {
  const properties = schema.properties as Keywords | undefined;
  if (properties === undefined || !Object.hasOwn(properties, reservedName)) return;
  const patterned = (schema.patternProperties ?? record()) as Keywords;
  patterned[reservedPattern] = properties[reservedName];
  delete properties[reservedName];
  schema.patternProperties = patterned;
}

/** Ajv takes a missing property named `""` for none here; `required` says the same. */
function spellOutDependencies(schema: Keywords): void {
  const dependencies = Object.entries((schema.dependentRequired ?? {}) as Record<string, string[]>);
  if (!dependencies.some(([, needed]) => needed.includes(""))) return;
  delete schema.dependentRequired;
  const schemas = record();
  for (const [name, needed] of dependencies) {
    const dependent = record();
    dependent.required = needed;
    schemas[name] = dependent;
  }
  const part = record();
  part.dependentSchemas = schemas;
  schema.allOf = [...((schema.allOf ?? []) as Emitted[]), part];
}

function record(): Keywords {
  return Object.create(null) as Keywords;
}
