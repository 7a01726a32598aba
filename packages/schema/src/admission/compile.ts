import { isJsonObject } from "@toolstile/core/provider";
import { admitCost } from "../cost/admit-cost.js";
import { Meter } from "../cost/meter.js";
import { Inadmissible, isPassing, NotNow } from "../document/inadmissible.js";
import { escapeSegment } from "../document/json-pointer.js";
import type { Plain } from "../document/plain-copy.js";
import { announcedDialect, type Dialect, type Draft } from "../drafts/dialects.js";
import { lenientMetaSchema } from "../drafts/meta-schemas.js";
import { type Location, Resources } from "../graph/resources.js";
import { schemaGraph } from "../graph/schema-graph.js";
import type { SchemaNode } from "../graph/schema-node.js";
import { interpret } from "../interpreter/interpret.js";
import { type Pattern, PatternCompiler } from "../patterns/pattern.js";
import { PatternError } from "../patterns/syntax.js";
import type { ValidatorSetting } from "../validator/compile-validator.js";
import { type GeneratedCheck, generateCheck } from "../validator/generated-check.js";
import { namesRead } from "../validator/names-read.js";
import { hasInheritedMembers } from "../validator/prototype-watch.js";
import type { Failure } from "../violations/failure.js";
import {
  type DeclaredNames,
  declaredNames,
  describe,
  everyName,
  unfinished,
  type Violation,
} from "../violations/violation.js";
import { explainMalformed } from "./malformed.js";

export interface CompileSetting {
  readonly defaultDraft: Draft;
  /** UTF-16 code units that RE2 is given. */
  readonly maxPatternInput: number;
  /** The treatment of a `pattern` that no engine can hold to a bound. */
  readonly unsupportedPatterns: "refuse" | "skip";
}

/** Steps that one check may take: less than 50 milliseconds. */
const budget = 10_000_000;
/** Steps of checks without generated code that take about as long as to generate it. */
const worthOfCode = 500_000;

/** Measured, and never less. */
const bytesPerSchema = 2_400;
const bytesPerPattern = 13_000;
const bytesPerValue = 90;

interface CompiledOptions {
  readonly skipped?: readonly string[];
  readonly declared?: DeclaredNames;
  /** The steps of checks after which code is generated. */
  readonly codeAfter: number;
}

/** A schema that was admitted. */
export class Compiled {
  readonly root: SchemaNode;
  readonly meter: Meter;
  readonly declared: DeclaredNames;
  /** The places of `pattern` that were left out. */
  readonly skipped: readonly string[];
  /** About what it weighs in memory, its text not included. */
  readonly bytes: number;
  /** Decides, and finds the words. */
  private readonly interpreted: (value: unknown) => Failure | undefined;
  /** Only says of values that they are valid, and sooner. It charges the meter for little. */
  private generated: GeneratedCheck | undefined;
  /** The source of generated code. It is there until then, for schemas whose checks the caps on arguments bound. */
  private source: ValidatorSetting | undefined;
  /** The steps of checks that are left until code is worth while. */
  private untilCode: number;

  constructor(
    nodes: readonly SchemaNode[],
    patterns: ReadonlyMap<string, Pattern>,
    meter: Meter,
    options: CompiledOptions,
  ) {
    const isCheap = !admitCost(nodes);
    this.root = nodes[0] as SchemaNode;
    this.meter = meter;
    this.bytes =
      bytesPerSchema * nodes.length +
      bytesPerPattern * patterns.size +
      bytesPerValue * listed(nodes);
    this.declared = options.declared ?? declaredNames(namesRead(nodes).names);
    this.skipped = Object.freeze(options.skipped ?? []);
    this.interpreted = interpret(nodes, patterns, meter);
    this.untilCode = options.codeAfter;
    this.source = isCheap ? { nodes, patterns, meter } : undefined;
  }

  /** True if it has generated code. */
  get hasCode(): boolean {
    return this.generated !== undefined;
  }

  /** The first violation, or nothing. Whatever goes wrong in checking is a violation too. */
  check(value: unknown): Violation | undefined {
    try {
      return this.findViolation(value);
    } catch {
      return unfinished;
    }
  }

  /** The same where an error has to be told apart. @throws when the budget is spent or the stack is full, and what reading the value throws. */
  findViolation(value: unknown): Violation | undefined {
    this.meter.refill();
    const { generated } = this;
    const isClean = generated?.isClean() === true;
    if (isClean && generated?.isValid(value)) return undefined;
    const failure = this.interpreted(value);
    this.untilCode -= this.meter.taken;
    if (this.untilCode <= 0 && this.source !== undefined) this.generate(this.source);
    if (failure !== undefined) return describe(failure, value, this.declared);
    return isClean ? unfinished : undefined;
  }

  private generate(source: ValidatorSetting): void {
    this.source = undefined;
    try {
      this.generated = generateCheck(source);
    } catch {
      // It goes on without.
    }
  }
}

/** The values and names that the schemas list. */
function listed(nodes: readonly SchemaNode[]): number {
  const lists = nodes.flatMap(({ assertions }) => [
    assertions.get("enum"),
    assertions.get("required"),
  ]);
  return lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}

/**
 * Admits and compiles a schema.
 *
 * @param codeAfter the steps of checks after which code is generated.
 * @throws Inadmissible with the place and the reason.
 */
export function compile(schema: Plain, setting: CompileSetting, codeAfter = worthOfCode): Compiled {
  if (!isJsonObject(schema) && typeof schema !== "boolean") {
    throw new Inadmissible("", "a schema is an object or a boolean");
  }
  if (hasInheritedMembers()) {
    throw new NotNow("", "nothing compiles while Object.prototype has enumerable members");
  }
  const dialect = announcedDialect(isJsonObject(schema) ? schema : {}, setting.defaultDraft, "");
  holdToMetaSchema({ schema, pointer: "" }, dialect);
  return compileGraph(new Resources(schema, dialect.draft), setting, { codeAfter });
}

type PatternSetting = Pick<CompileSetting, "maxPatternInput" | "unsupportedPatterns">;

function compileGraph(
  resources: Resources,
  setting: PatternSetting,
  options: CompiledOptions,
): Compiled {
  const nodes = schemaGraph(resources, (location) =>
    holdToMetaSchema(location, location.resource.dialect),
  );
  const meter = new Meter(budget);
  const { patterns, skipped } = compilePatterns(nodes, meter, setting);
  return new Compiled(nodes, patterns, meter, { ...options, skipped });
}

interface CompiledPatterns {
  readonly patterns: ReadonlyMap<string, Pattern>;
  /** The places of `pattern` that were left out. */
  readonly skipped: readonly string[];
}

function compilePatterns(
  nodes: readonly SchemaNode[],
  meter: Meter,
  { maxPatternInput, unsupportedPatterns }: PatternSetting,
): CompiledPatterns {
  const patterns = new Map<string, Pattern>();
  const skipped: string[] = [];
  const compiler = new PatternCompiler(meter, maxPatternInput);
  const add = (source: string, pointer: string) => {
    if (patterns.has(source)) return;
    try {
      patterns.set(source, compiler.compile(source));
    } catch (error) {
      if (isPassing(error)) throw error;
      const reason = error instanceof PatternError ? error.message : "it is no regular expression";
      throw new Inadmissible(pointer, `the pattern cannot be admitted: ${reason}`);
    }
  };
  for (const { pointer, assertions, maps } of nodes) {
    const pattern = assertions.get("pattern");
    if (typeof pattern === "string") {
      try {
        add(pattern, `${pointer}/pattern`);
      } catch (error) {
        if (unsupportedPatterns === "refuse" || isPassing(error)) throw error;
        assertions.delete("pattern");
        skipped.push(`${pointer}/pattern`);
      }
    }
    for (const source of maps.get("patternProperties")?.keys() ?? []) {
      add(source, `${pointer}/patternProperties/${escapeSegment(source)}`);
    }
  }
  return { patterns, skipped };
}

const metaSchemas = new Map<Draft, Compiled>();
const metaSetting = { maxPatternInput: 64 * 1024, unsupportedPatterns: "refuse" } as const;

function holdToMetaSchema(
  { schema, pointer: at }: Pick<Location, "schema" | "pointer">,
  dialect: Dialect,
): void {
  const { draft, uri } = dialect;
  let meta = metaSchemas.get(draft);
  if (meta === undefined) {
    const resources = new Resources(lenientMetaSchema(uri) as Plain, draft, lenientMetaSchema);
    meta = compileGraph(resources, metaSetting, {
      declared: everyName,
      codeAfter: Number.POSITIVE_INFINITY,
    });
    metaSchemas.set(draft, meta);
  }
  const found = violationOf(meta, schema);
  if (found === undefined) return;
  const { pointer, reason } = explainMalformed(schema, found, dialect);
  throw new Inadmissible(`${at}${pointer}`, `it is no valid ${draft} schema: ${reason}`);
}

/** @throws RangeError, which says nothing about the schema, at the end of the stack. */
function violationOf(meta: Compiled, schema: Plain): Violation | undefined {
  try {
    return meta.findViolation(schema);
  } catch (error) {
    if (isPassing(error)) throw error;
    return unfinished;
  }
}
