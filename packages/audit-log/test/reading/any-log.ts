import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { AuditRecord, RecordFilter } from "../../src/index.js";
import { segmentFile } from "./log-folder.js";

type Members = Readonly<Record<string, unknown>>;

const names = ["search", "find", 'a "b"', "sé", "x y", "\\"];
const name = fc.constantFrom(...names);
const times = fc.constantFrom<number | null>(null, 0, 1, 2, 2, 3, 4, 1_795_839_193_000, 2.5, -1);

/** Records draw the members of calls from few values, so that some match a filter. */
const members: fc.Arbitrary<Members> = fc.record(
  {
    runId: fc.constantFrom<unknown>("r1", "r2", "r3", "r4", 'r"5', "ré6", 7),
    callId: fc.constantFrom("c".repeat(90), "c\u2014"),
    session: fc.constantFrom<unknown>({ id: "anna", seq: 1 }, { id: "bob" }, { x: 1 }, 7),
    principal: name,
    tenant: name,
    requestedName: name,
    toolName: name,
    status: fc.constantFrom<unknown>("executed", "denied", null),
    code: fc.option(name, { nil: undefined }),
    decisions: fc.array(
      fc.record({
        provider: name,
        decision: fc.constantFrom("allow", "deny"),
        code: name,
        reason: fc.constantFrom("No.", "It is not on the list."),
      }),
      { maxLength: 2 },
    ),
    payloads: fc.constantFrom<unknown>({ asked: { status: "denied", session: { id: "anna" } } }),
    dropped: fc.constantFrom<unknown>(3, 0, "many"),
  },
  { requiredKeys: ["callId"] },
);

const kinds = ["outcome", "outcome", "outcome", "intent", "intent", "gap", "close", "other"];

/** Each form writes a line: as the writer does, or in another way that JSON permits. */
const forms: Readonly<Record<string, (members: Members) => string>> = {
  own: (members: Members) => ascii(JSON.stringify(members)),
  spaced: (members: Members) => JSON.stringify(members, null, 1).replaceAll("\n", " \t\r"),
  raw: (members: Members) => JSON.stringify(members),
  turned: ({ seq, prev, v, kind, time, ...rest }: Members) => {
    const turned = Object.fromEntries(Object.entries(rest).reverse());
    return ascii(JSON.stringify({ seq, prev, v, kind, time, ...turned }));
  },
  escaped: (members: Members) =>
    JSON.stringify(members).replace(/(?<=:")[a-z]/g, (letter) => unicode(letter)),
  /** No JSON: no number begins so. */
  wrong: (members: Members) => ascii(JSON.stringify(members)).replace('"time":', '"time":0'),
  /** No JSON: its end is missing. */
  cut: (members: Members) => ascii(JSON.stringify(members)).slice(0, -90).concat(`"}`),
  foreign: (members: Members) => ascii(JSON.stringify({ time: members["time"], ...members })),
};

const noRecords = [
  "",
  "{",
  "[]",
  "null",
  '{"seq":1}',
  '{"seq":1,"prev":"',
  "\0\0\0",
  "y".repeat(300),
];

interface Line {
  readonly kind: string;
  readonly time: number | null;
  readonly members: Members;
  readonly form: string;
  readonly isNone: string | undefined;
}

const line: fc.Arbitrary<Line> = fc.record({
  kind: fc.constantFrom(...kinds),
  time: times,
  members,
  form: fc.constantFrom("own", "own", "own", ...Object.keys(forms)),
  isNone: fc.oneof(
    { weight: 9, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...noRecords) },
  ),
});

/** Chains of segments of lines. */
export const anyLog = fc.array(fc.array(fc.array(line, { maxLength: 12 }), { maxLength: 3 }), {
  maxLength: 3,
});

type Filter = Omit<RecordFilter, "kind">;

const one = {
  runId: fc.constantFrom("r1", 'r"5', "ré6"),
  session: fc.constantFrom("anna", "bob"),
  principal: name,
  tenant: name,
  tool: name,
  provider: name,
  decision: fc.constantFrom("allow", "deny"),
  code: name,
  status: fc.constantFrom("executed", "denied"),
  from: fc.constantFrom(1, 2),
  to: fc.constantFrom(3, 4),
} satisfies Record<keyof Filter, unknown>;

/** Mostly of one member: what fits several is rare. */
export const anyFilter: fc.Arbitrary<Filter> = fc
  .subarray(Object.keys(one) as (keyof Filter)[], { maxLength: 2 })
  .chain((keys) => fc.record<Filter>(Object.fromEntries(keys.map((key) => [key, one[key]]))));

/** Writes them, each segment with a torn line at its end. */
export function writeLog(path: string, log: readonly (readonly (readonly Line[])[])[]): void {
  mkdirSync(path, { recursive: true });
  for (const [index, segments] of log.entries()) {
    const chain = join(path, `chain-${index}`);
    mkdirSync(chain);
    let seq = 0;
    for (const [number, lines] of segments.entries()) {
      const texts = lines.map(({ kind, time, members, form, isNone }) => {
        seq++;
        if (isNone !== undefined) return isNone;
        const beginning = { seq, prev: "0".repeat(64), v: 1, kind, time };
        return forms[form]?.({ ...beginning, ...members, hash: "f".repeat(64) });
      });
      writeFileSync(join(chain, segmentFile(number + 1)), `${texts.join("\n")}\n{"seq":`);
    }
  }
}

function ascii(json: string): string {
  return json.replace(/[\x7f-\uffff]/g, unicode);
}

function unicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** One record as the reference reads it. */
export type Found = Omit<AuditRecord, "payloads">;
