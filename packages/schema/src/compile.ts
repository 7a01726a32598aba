import { admitCost } from "./cost.js";
import { announcedDialect, type Dialect, type Draft } from "./dialects.js";
import { reservedPattern } from "./emit.js";
import { Inadmissible } from "./inadmissible.js";
import { explainMalformed } from "./malformed.js";
import { metaSchema } from "./meta-schemas.js";
import { Meter } from "./meter.js";
import { compilePattern, type Pattern } from "./patterns/pattern.js";
import { PatternError } from "./patterns/syntax.js";
import { escapeSegment, isPlainObject, type Plain } from "./plain-copy.js";
import { hasInheritedMembers, prototypeWatch } from "./prototype-watch.js";
import { Resources } from "./resources.js";
import { type SchemaNode, schemaGraph } from "./schema-graph.js";
import { compileValidator, namesRead, rootContext, type Validator } from "./validator.js";
import {
  type DeclaredNames,
  declaredNames,
  describe,
  everyName,
  unfinished,
  type Violation,
} from "./violation.js";

export interface CompileSetting {
  readonly defaultDraft: Draft;
  /** UTF-16 code units that RE2 is given. */
  readonly maxPatternInput: number;
}

/** Steps that one check may take: some 20 to 50 milliseconds. */
const budget = 10_000_000;

/** A schema with more subschemas is compiled once only: compiling takes longer than the faster check saves. */
const mostWithTwin = 300;

/** A schema that was admitted. */
export class Compiled {
  readonly root: SchemaNode;
  readonly meter: Meter;
  readonly declared: DeclaredNames;
  private readonly isClean: () => boolean;
  /** Reads properties as if nothing could be inherited. */
  private readonly plain: Validator;
  /** Its twin, which asks for each whether it is an own one. Made at once: Ajv cannot compile under a polluted prototype. */
  private readonly own: Validator;

  constructor(
    nodes: readonly SchemaNode[],
    patterns: ReadonlyMap<string, Pattern>,
    meter: Meter,
    declared?: DeclaredNames,
  ) {
    const { names, walksMembers } = namesRead(nodes);
    const setting = { nodes, patterns, meter, metered: admitCost(nodes) };
    this.root = nodes[0] as SchemaNode;
    this.meter = meter;
    this.declared = declared ?? declaredNames(names);
    this.isClean = prototypeWatch(names, walksMembers);
    this.own = compileValidator({ ...setting, ownProperties: true });
    this.plain =
      nodes.length > mostWithTwin
        ? this.own
        : compileValidator({ ...setting, ownProperties: false });
  }

  /** The first violation, or nothing. Whatever goes wrong in checking is a violation too. */
  check(value: unknown): Violation | undefined {
    this.meter.refill();
    try {
      const { plain, own } = this;
      if (this.isClean()) {
        return plain(value) ? undefined : describe(plain.errors, value, this.declared);
      }
      return own(value, rootContext()) ? undefined : describe(own.errors, value, this.declared);
    } catch {
      return unfinished;
    }
  }
}

/**
 * Admits and compiles a schema.
 *
 * @throws Inadmissible with the place and the reason.
 */
export function compile(schema: Plain, setting: CompileSetting): Compiled {
  if (!isPlainObject(schema) && typeof schema !== "boolean") {
    throw new Inadmissible("", "a schema is an object or a boolean");
  }
  if (hasInheritedMembers()) {
    throw new Inadmissible("", "nothing compiles while Object.prototype has enumerable members");
  }
  const dialect = announcedDialect(isPlainObject(schema) ? schema : {}, setting.defaultDraft, "");
  holdToMetaSchema(schema, dialect);
  return compileUnchecked(schema, dialect.draft, setting.maxPatternInput);
}

function compileUnchecked(
  schema: Plain,
  draft: Draft,
  maxPatternInput: number,
  declared?: DeclaredNames,
): Compiled {
  const nodes = schemaGraph(new Resources(schema, draft));
  const meter = new Meter(budget);
  const patterns = compilePatterns(nodes, meter, maxPatternInput);
  return new Compiled(nodes, patterns, meter, declared);
}

function compilePatterns(
  nodes: readonly SchemaNode[],
  meter: Meter,
  maxPatternInput: number,
): ReadonlyMap<string, Pattern> {
  const patterns = new Map<string, Pattern>();
  const add = (source: string, pointer: string) => {
    if (patterns.has(source)) return;
    try {
      patterns.set(source, compilePattern(source, meter, maxPatternInput));
    } catch (error) {
      const reason = error instanceof PatternError ? error.message : "it is no regular expression";
      throw new Inadmissible(pointer, `the pattern cannot be admitted: ${reason}`);
    }
  };
  for (const { pointer, assertions, maps } of nodes) {
    const pattern = assertions.get("pattern");
    if (typeof pattern === "string") add(pattern, `${pointer}/pattern`);
    for (const source of maps.get("patternProperties")?.keys() ?? []) {
      add(source, `${pointer}/patternProperties/${escapeSegment(source)}`);
    }
    if (maps.get("properties")?.has("__proto__")) add(reservedPattern, pointer);
  }
  return patterns;
}

const metaSchemas = new Map<Draft, Compiled>();
const metaPatternLength = 64 * 1024;

function holdToMetaSchema(schema: Plain, dialect: Dialect): void {
  const { draft, uri } = dialect;
  let meta = metaSchemas.get(draft);
  if (meta === undefined) {
    meta = compileUnchecked(metaSchema(uri) as Plain, draft, metaPatternLength, everyName);
    metaSchemas.set(draft, meta);
  }
  const found = meta.check(schema);
  if (found === undefined) return;
  const { pointer, reason } = explainMalformed(schema, found, dialect);
  throw new Inadmissible(pointer, `it is no valid ${draft} schema: ${reason}`);
}
