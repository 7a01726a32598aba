import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { castsIn, openingsOf } from "../../scripts/structure/figures.mjs";
import { enteredByOneCall } from "../../scripts/structure/one-call.mjs";
import { rules } from "../../scripts/structure/shared.mjs";
import { parse } from "../../scripts/structure/source.mjs";
import { tableOf } from "../../scripts/structure/table.mjs";

/** The places that a rule finds in a file. */
function found(rule: string, text: string, path = "packages/core/src/file.ts"): string[] {
  const { find } = rules.find(({ name }) => name === rule) ?? {};
  if (find === undefined) throw new Error(`there is no rule ${rule}`);
  return find(parse(path, text));
}

const counted: [rule: string, text: string, names: string[]][] = [
  [
    "safe property read",
    "function own(o: object, key: string) { return Object.hasOwn(o, key) ? o[key] : undefined; }",
    ["own"],
  ],
  [
    "safe property read",
    "const read = (o: unknown, k: string): unknown => Object.getOwnPropertyDescriptor(o, k)?.value;",
    ["read"],
  ],
  [
    "safe property read",
    "function has(o: object, key: string): boolean { return Object.hasOwn(o, key); }",
    [],
  ],
  [
    "safe property read",
    'function name(o: { name: string }) { return Object.hasOwn(o, "name") ? o.name : ""; }',
    [],
  ],
  [
    "plain-object test",
    'function isObject(value: unknown): value is object { return typeof value === "object" && value !== null; }',
    ["isObject"],
  ],
  [
    "plain-object test",
    "function isPlain(v: object): boolean { if (Array.isArray(v)) return false; const p = Object.getPrototypeOf(v); return p === null; }",
    ["isPlain"],
  ],
  [
    "plain-object test",
    'function isOpen(value: unknown): boolean { return typeof value === "object" && value.open === true; }',
    [],
  ],
  [
    "plain-object test",
    'function objectOf(value: unknown): object { return typeof value === "object" ? value : {}; }',
    [],
  ],
  [
    "deep freeze",
    "function freeze(v: object) { for (const each of Object.values(v)) freeze(each); return Object.freeze(v); }",
    ["freeze"],
  ],
  ["deep freeze", "const frozen = (v: object[]) => Object.freeze(v.map(frozen));", ["frozen"]],
  ["deep freeze", "function once(v: object) { return Object.freeze(v); }", []],
  [
    "deep freeze",
    "function rules(o: Options) { const { rules } = o; return Object.freeze(indexOf(rules)); }",
    [],
  ],
  ["codeOf", "function codeOf(e: unknown) {} function codeOfAll() {}", ["codeOf"]],
  ["textOf", "class A { textOf() {} }\nconst textOf = () => '';", ["textOf", "textOf"]],
  [
    "bounded wait",
    "function inTime(p: Promise<void>) { return new Promise((yes) => { deadline(clock, 5, yes); p.then(yes); }); }",
    ["inTime"],
  ],
  [
    "bounded wait",
    'class Watch { wait() { return new Promise(() => {}); } listen(s) { s.addEventListener("abort", this.leave); } }',
    ["Watch"],
  ],
  [
    "bounded wait",
    "class Wait { constructor() { deadline(clock, 5, this.stop); } on(p) { Promise.resolve(p).then(this.stop); } }",
    ["Wait"],
  ],
  ["bounded wait", "function forever() { return new Promise(() => {}); }", []],
  [
    "bounded wait",
    'function once(s) { s.addEventListener("close", () => new Promise(() => {})); }',
    [],
  ],
  [
    "option reader",
    'function refuse() { throw new ToolstileError("ERR_INVALID_OPTION", ""); }',
    ["refuse"],
  ],
  ["option reader", "/** @throws ERR_INVALID_OPTION */ function read() { refuse(); }", []],
  ["durable file", 'await open(path, "wx", 0o600);\n', ["1 lines"]],
  ["durable file", "openSync(path, O_RDONLY | O_NOFOLLOW);\nfsyncSync(1);\n", ["2 lines"]],
  ["durable file", 'await open(path, "w");\n', []],
  ["YAML with places", 'import { LineCounter } from "yaml";\n', ["1 lines"]],
  ["YAML with places", 'import { parseEvents } from "js-yaml";\n', ["1 lines"]],
  ["YAML with places", 'import { parse } from "yaml";\n', []],
  [
    "identity of a call spelt out",
    "const question = { runId, callId, toolName, agentName, context };",
    ["question"],
  ],
  [
    "identity of a call spelt out",
    "class Head { constructor(runId: string, turnId: string, callId: string, toolName: string, receipt: string) {} }",
    ["Head"],
  ],
  ["identity of a call spelt out", "const { runId, callId, toolName, agentName } = call;", []],
];

describe("the figures of the source", () => {
  it.each(counted)("find of %s in: %s", (rule, text, names) => {
    expect(found(rule, text)).toEqual(names);
  });

  it("count audit verifiers in audit-log and a call's identity in core alone", () => {
    const verifies = "export function verifyRows() {}";
    expect(found("audit verifier", verifies, "packages/audit-log/src/a.ts")).toEqual([
      "verifyRows",
    ]);
    expect(found("audit verifier", verifies, "packages/mcp/src/a.ts")).toEqual([]);
    const head = "interface Head { runId; turnId; callId; toolName; agentName }";
    expect(found("identity of a call spelt out", head, "packages/core/src/a.ts")).toEqual(["Head"]);
    expect(found("identity of a call spelt out", head, "packages/mcp/src/a.ts")).toEqual([]);
  });

  it("count as a cast each `as` that is no `as const`", () => {
    const text =
      'const a = 1 as number;\nconst b = ["as"] as const;\nconst c = {} as unknown as A;';
    expect(castsIn(parse("packages/core/src/a.ts", text).file)).toBe(3);
  });

  it("read the opening words of doc comments, however they are laid out", () => {
    const text = "/** What it is. */\n/**\n * Whether it is.\n */\n// What no.\n/* Who no. */\n";
    expect(openingsOf(text)).toEqual(["What it is.", "Whether it is."]);
  });

  it("count the files, functions and calls that one call enters, and not what came before it", () => {
    const sources = {
      "packages/core/src/index.ts": `
        import { decide } from "./run/decide.js";
        export class ToolRunner {
          constructor(readonly options: { guardrails: { evaluate(): string }[] }) { this.prepare(); }
          prepare(): void {}
          run(): { status: string } {
            for (const index of [1, 2]) decide(index);
            return { status: this.options.guardrails[0]?.evaluate() === "yes" ? "executed" : "denied" };
          }
        }
        export const allow = (): string => "yes";`,
      "packages/core/src/run/decide.ts":
        "export function decide(_: number): void {}\nexport function never() {}",
      "packages/other/src/index.ts": "no source of core",
    };
    const parsed = Object.entries(sources).map(([path, text]) => parse(path, text));
    expect(enteredByOneCall(parsed)).toEqual({ files: 2, functions: 3, calls: 4 });
  });

  it("are not had of a core whose plain call is not allowed", () => {
    const text = `
      export class ToolRunner { run() { return { status: "denied" }; } }
      export const allow = () => "yes";`;
    expect(() => enteredByOneCall([parse("packages/core/src/index.ts", text)])).toThrow(
      "The call ended as 'denied'.",
    );
  });

  it("stand in aligned columns, those of a commit before today's, also what is gone or new", () => {
    const before = [
      { group: "Lines", name: "all", value: 2000 },
      { group: "Lines", name: "gone", value: 5 },
    ];
    const now = [
      { group: "Lines", name: "all", value: 1500 },
      { group: "Lines", name: "new", value: 7 },
    ];
    expect(tableOf(now, before, "0123456789abcdef").split("\n")).toEqual([
      "        0123456789ab    now        change",
      "",
      "Lines",
      "  all          2,000  1,500  −500 (−25 %)",
      "  new              –      7            +7",
      "  gone             5      –   −5 (−100 %)",
      "",
    ]);
    expect(tableOf(now, undefined, undefined).split("\n")).toEqual([
      "         now",
      "",
      "Lines",
      "  all  1,500",
      "  new      7",
      "",
    ]);
  });

  it("say by --help how each is counted", () => {
    const script = fileURLToPath(new URL("../../scripts/structure.mjs", import.meta.url));
    const { stdout } = spawnSync(process.execPath, [script, "--help"], { encoding: "utf8" });
    for (const { name, counts } of rules) expect(stdout).toContain(`${name}: ${counts}`);
  });
});
