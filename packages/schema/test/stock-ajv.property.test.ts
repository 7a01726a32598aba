import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, inject, it } from "vitest";
import { Meter } from "../src/cost/meter.js";
import { type Plain, plainCopy } from "../src/document/plain-copy.js";
import { Resources } from "../src/graph/resources.js";
import { schemaGraph } from "../src/graph/schema-graph.js";
import { compileSchema } from "../src/index.js";
import { interpret } from "../src/interpreter/interpret.js";
import { PatternCompiler } from "../src/patterns/pattern.js";
import { generateCheck } from "../src/validator/generated-check.js";
import { compileBothWays } from "./both-ways.js";
import { mailSchema } from "./calls.js";

const name = fc.constantFrom("a", "b", "c", "long name", "d/e");
const text = fc
  .array(fc.constantFrom("a", "b", "1", "@", " ", "\u{1F600}", "\ud800"), { maxLength: 6 })
  .map((parts) => parts.join(""));
const scalar = fc.oneof(
  text,
  fc.integer({ min: -5, max: 20 }),
  fc.constantFrom(0.5, -0, null, true, false),
);
/** With the prototypes that parsed JSON has: stock Ajv compares those too. */
const parsed = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  arbitrary.map((made) => JSON.parse(JSON.stringify(made)) as Value);
const { value: generated } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 4 }),
  ),
}));
const value = parsed(generated);
const type = fc.constantFrom("string", "number", "integer", "object", "array", "boolean", "null");
const size = fc.integer({ min: 0, max: 4 });
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.boolean(),
    fc.record(
      {
        type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
        enum: fc.array(value, { minLength: 1, maxLength: 3 }),
        const: value,
        minLength: size,
        maxLength: size,
        pattern: fc.constantFrom("^a", "b$", "(a|b)+1", "^[^@]+@[^@]+$", "\\d"),
        minimum: size,
        exclusiveMaximum: size,
        multipleOf: fc.constantFrom(1, 2, 5),
        minItems: size,
        maxItems: size,
        uniqueItems: fc.boolean(),
        minProperties: size,
        required: fc.uniqueArray(name, { maxLength: 2 }),
        dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), {
          maxKeys: 2,
        }),
        properties: fc.dictionary(name, tie("schema"), { maxKeys: 3 }),
        patternProperties: fc.dictionary(fc.constantFrom("^a", "b", "^[a-c]$"), tie("schema"), {
          maxKeys: 2,
        }),
        additionalProperties: tie("schema"),
        propertyNames: fc.record({ maxLength: size }),
        items: tie("schema"),
        prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        contains: tie("schema"),
        minContains: size,
        allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
        oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
        not: tie("schema"),
        if: tie("schema"),
        ["then"]: tie("schema"),
        else: tie("schema"),
        dependentSchemas: fc.dictionary(name, tie("schema"), { maxKeys: 2 }),
      },
      { requiredKeys: [] },
    ),
  ),
}));

/** Of a schema and all below it: what stands in a place where data does not. At least as many as there are. */
function subschemas(schema: unknown): number {
  if (typeof schema === "boolean") return 1;
  if (typeof schema !== "object" || schema === null) return 0;
  const own = Array.isArray(schema) ? 0 : 1;
  return Object.values(schema).reduce((sum: number, each) => sum + subschemas(each), own);
}
const mostSubschemas = 1_000;

/**
 * Runs stock Ajv and nothing else. For some schemas the code that it generates names a variable
 * that it never declared (`items1 is not defined`): there is no verdict to compare with, and the
 * generated case is skipped. Any other throw fails the test.
 */
function oracle<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    fc.pre(!(error instanceof ReferenceError));
    throw error;
  }
}

it.each([
  [new ReferenceError("items1 is not defined"), "PreconditionFailure"],
  [new TypeError("items1 is not a function"), "TypeError"],
])(
  "skips a case in which stock Ajv throws what its own code lacks, and no other: %s",
  (thrown, name) => {
    const run = () =>
      oracle(() => {
        throw thrown;
      });
    expect(run).toThrow(
      expect.objectContaining({ constructor: expect.objectContaining({ name }) }),
    );
  },
);

it("judges as stock Ajv does, on generated schemas and values", { tags: "long" }, () => {
  fc.assert(
    fc.property(
      parsed(schema),
      fc.array(value, { minLength: 1, maxLength: 20 }),
      (schema, values) => {
        const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });
        const stock = oracle(() => ajv.compile(schema as object));
        // Larger ones are refused, and what is refused is not judged.
        fc.pre(subschemas(schema) <= mostSubschemas);
        const ours = compileBothWays(schema);
        for (const candidate of values) {
          const accepted = ours.check(candidate) === undefined;
          const expected = oracle(() => stock(candidate));
          expect(accepted, JSON.stringify([schema, candidate])).toBe(expected);
        }
      },
    ),
    { numRuns: 60 },
  );
});

/** The two checks of a schema without references: the interpreter's, and the generated one where there is one. */
function bothChecks(schema: Plain) {
  const nodes = schemaGraph(new Resources(schema, "2020-12"));
  const meter = new Meter(1e12);
  const compiler = new PatternCompiler(meter, 65_536);
  const sources = ["^a", "b$", "(a|b)+1", "^[^@]+@[^@]+$", "\\d", "b", "^[a-c]$"];
  const patterns = new Map(sources.map((source) => [source, compiler.compile(source)]));
  const interpreted = interpret(nodes, patterns, meter);
  return { interpreted, generated: generateCheck({ nodes, patterns, meter }) };
}

it("finds valid by generated code what it finds valid without", { tags: "longer" }, () => {
  let compared = 0;
  fc.assert(
    fc.property(
      parsed(schema),
      fc.array(value, { minLength: 1, maxLength: 20 }),
      (schema, values) => {
        fc.pre(subschemas(schema) <= mostSubschemas);
        const { interpreted, generated } = bothChecks(plainCopy(schema).value);
        if (generated === undefined) return;
        for (const candidate of values) {
          const told = JSON.stringify([schema, candidate]);
          expect(generated.isValid(candidate), told).toBe(interpreted(candidate) === undefined);
          compared++;
        }
      },
    ),
    { numRuns: inject("long") ? 500 : 60 },
  );
  expect(compared).toBeGreaterThan(40);
});

const short = fc.string({ unit: "binary", maxLength: 6 });
const nearMail = fc.record(
  {
    to: fc.oneof(
      value,
      fc.array(fc.oneof(short, fc.constantFrom("ann@example.com", "a@b")), { maxLength: 3 }),
    ),
    cc: fc.oneof(value, fc.array(short, { maxLength: 2 })),
    subject: fc.oneof(
      value,
      short,
      fc.integer({ min: 95, max: 205 }).map((n) => "\u{1F600}".repeat(n)),
    ),
    body: fc.oneof(short, value),
    attachments: fc.array(
      fc.record(
        {
          name: short,
          size: fc.oneof(fc.nat(), value),
          mime: fc.constantFrom("text/plain", "x"),
          x: value,
        },
        { requiredKeys: ["name"] },
      ),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ["to"] },
);

it("judges mail as stock Ajv does, with a clean prototype and without generated code", {
  tags: "longer",
}, () => {
  const stock = new Ajv2020({ strict: false }).compile(mailSchema);
  const ours = compileSchema(mailSchema);
  fc.assert(
    fc.property(nearMail, (candidate) => {
      const valid = stock(candidate);
      expect(ours.check(candidate) === undefined).toBe(valid);
      Object.defineProperty(Object.prototype, "cc", { value: 5, configurable: true });
      try {
        expect(ours.check(candidate) === undefined).toBe(valid);
      } finally {
        Reflect.deleteProperty(Object.prototype, "cc");
      }
    }),
    { numRuns: inject("long") ? 1000 : 100 },
  );
});
