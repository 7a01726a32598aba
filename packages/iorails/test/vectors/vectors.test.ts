import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { expectOutcome } from "./compare.js";
import { runVector, type Vector } from "./run-vector.js";

const file = fileURLToPath(
  new URL("../../../../../shared/data/iorails-today/vectors.jsonl", import.meta.url),
);

const typed =
  "an expression is checked against the schema of the tool when the configuration is loaded";
const nobodys =
  "mail at a domain of documentation is nobody's for @toolstile/redact, which is loaded";
const notFound =
  "@toolstile/redact finds no US_BANK_NUMBER, and reads no recognisers: it is refused";

/** Vectors that this engine answers otherwise, and why. One that comes out as written must leave this list. */
const otherwise: ReadonlyMap<string, string> = new Map([
  ["cel-not-bool", typed],
  ["cel-no-coercion", typed],
  ["cel-null", typed],
  ["cel-lookahead", typed],
  ...[
    "detect-email",
    "mask-email",
    "mask-token",
    "out-mask",
    "in-model",
    "stream-mask",
    "stream-split",
  ].map((id) => [`sdd-${id}`, nobodys] as const),
  ...["threshold", "threshold-low", "mask-threshold", "recog"].map(
    (id) => [`sdd-${id}`, notFound] as const,
  ),
  ["tv-schema", "the path of a missing property is that of the object that lacks it"],
  [
    "tv-result-noname",
    "under the name tool_result a result need not name its tool, as in NeMo 0.25",
  ],
  ["tv-auto", "without railTypes, check() asks tool rails too if they are configured"],
]);

const vectors = existsSync(file)
  ? readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line): Vector => JSON.parse(line))
  : [];

describe.skipIf(vectors.length === 0)("NeMo's cases (needs ../shared/data)", () => {
  it.for(vectors.map((vector) => [vector.area, vector.id, vector] as const))(
    "%s: %s comes out as written",
    async ([, id, vector]) => {
      const { expect: theirs, ruling } = vector;
      // A ruling with another outcome leaves nothing of what NeMo says then.
      const isOther = ruling?.outcome !== undefined && ruling.outcome !== theirs.outcome;
      const wanted = isOther ? ruling : { ...theirs, ...ruling };
      const found = await runVector(vector);
      const compare = (): void => expectOutcome(found, wanted);
      if (otherwise.has(id)) expect(compare, otherwise.get(id)).toThrow();
      else compare();
    },
  );
});
