import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { refusedByCompiler } from "../../scripts/mutation/compiler.mjs";
import { MutationLog } from "../../scripts/mutation/log.mjs";
import { mutantsOf } from "../../scripts/mutation/mutants.mjs";
import { Endless, Turnstile, withinTurns } from "../../scripts/mutation/patience.mjs";
import { interval } from "../../scripts/mutation/results.mjs";
import { drawn } from "../../scripts/mutation/sample.mjs";
import { withMutant, withSwitches } from "../../scripts/mutation/switches.mjs";

const file = "packages/core/src/run/x.ts";
const found = (text: string) => mutantsOf(file, text);
const failOpen = (text: string) =>
  found(text)
    .filter((each) => each.failOpen)
    .map(({ kind, replacement }) => [kind, replacement]);

const source = fileURLToPath(new URL("../../packages/core/src/", import.meta.url));
const names = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((each) =>
  each.endsWith(".ts"),
);

/** The value of an expression with the mutant of this number switched on. */
function valueWith(text: string, on: number): unknown {
  const mutants = found(text).map((mutant, id) => ({ ...mutant, id }));
  const { outputText } = ts.transpileModule(withSwitches(text, mutants), {});
  return new Function("mutantIsOn", `${outputText}\nreturn f;`)((id: number) => id === on);
}

describe("the mutants of a source file", () => {
  it.each([
    ["if (wrong) throw new Error();", "check is skipped", "false"],
    ["if (wrong) refuse(run); else f();", "check is skipped", "false"],
    ["throw new Error();", "throw is removed", ""],
    ["refuse(run);", "refusal is removed", ""],
    ['const d = "deny";', "deny is turned into allow", '"allow"'],
    ["const f = async () => await g();", "await is dropped", "g()"],
    ["try { f(); } catch (e) { g(e); }", "catch is swallowed", "{}"],
    ["p.then(f, (e) => g(e));", "rejection is swallowed", "() => undefined"],
    ["function f() { g(); }", "function returns at once", "{ return; }"],
  ])("have in %s one that could let a call pass", (text, kind, replacement) => {
    expect(failOpen(text)).toContainEqual([kind, replacement]);
  });

  it.each([
    "a < b",
    "a === b",
    "a && b",
    "a ?? b",
    "!a",
    "a - b",
    "true",
    "7",
    '"text"',
    "`t`",
    "a ? b : c",
  ])("have one of the expression %s", (expression) => {
    const mutants = found(`const made = ${expression};`);
    expect(mutants.length).toBeGreaterThan(0);
    expect(mutants.filter(({ replacement, original }) => replacement === original)).toEqual([]);
  });

  it("are none of types, imports, exports and names", () => {
    const text = `
      import { a } from "b";
      export { c } from "d";
      type T = "e" | 1 | true;
      interface I { f: "g" }
      const h: "i" | undefined = undefined;`;
    expect(found(text)).toEqual([]);
  });

  it("leave the file as it was, or are switched on one at a time", () => {
    const text = `function f(a: number, b: number) {
      let log = "none";
      try {
        if (a < 0) throw new Error("negative");
        log = a > b && !(b === 0) ? "more" : "less";
      } catch (error) {
        log = "caught";
      }
      return log;
    }`;
    type Tried = (a: number, b: number) => string | undefined;
    const examples: [number, number][] = [
      [-1, 1],
      [2, 1],
      [1, 2],
      [2, 0],
      [2, 2],
      [0, 1],
    ];
    const all = (f: Tried) => examples.map(([a, b]) => f(a, b)).join();
    const asIs = all(valueWith(text, -1) as Tried);
    expect(asIs).toBe("caught,more,less,less,less,less");
    const changed = found(text).map((_, id) => all(valueWith(text, id) as Tried) !== asIs);
    // The text of the error is the only place that no example shows.
    expect(found(text).filter((_, id) => changed[id] === false)).toMatchObject([
      { original: '"none"' },
      { original: '"negative"' },
    ]);
  });

  it("are the same behind a switch and in the place of the source", () => {
    const text =
      "function f(a: number) { if (a > 1) return 'more'; return a === 1 ? 'one' : 'less'; }";
    const valuesOf = (made: string) => {
      const { outputText } = ts.transpileModule(made, {});
      const f = new Function(`${outputText}\nreturn f;`)();
      return [0, 1, 2].map(f);
    };
    const mutants = found(text);
    expect(mutants.length).toBeGreaterThan(5);
    for (const [id, mutant] of mutants.entries()) {
      const f = valueWith(text, id) as (a: number) => unknown;
      expect(valuesOf(withMutant(text, mutant))).toEqual([0, 1, 2].map(f));
    }
  });

  it("say which function they stand in", () => {
    const text = "class A { m() { const f = () => g(1); } constructor() { h(2); } } const x = 3;";
    expect(found(text).map(({ original, within }) => [original, within])).toEqual([
      ["{ const f = () => g(1); }", "A.m"],
      ["1", "A.m.f"],
      ["h(2);", "A.constructor"],
      ["2", "A.constructor"],
      ["3", "x"],
    ]);
  });

  it("can be put into each file of core", { tags: "long" }, () => {
    for (const name of names) {
      const text = readFileSync(source + name, "utf8");
      const mutants = mutantsOf(name, text).map((mutant, id) => ({ ...mutant, id }));
      const { diagnostics } = ts.transpileModule(withSwitches(text, mutants), {
        reportDiagnostics: true,
        compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
      });
      expect(diagnostics).toEqual([]);
    }
  });
});

describe("a sample of mutants", () => {
  const many = found(Array.from({ length: 200 }, (_, at) => `f(${at});`).join("\n"));

  it("is the same for the same seed, and another for another", () => {
    const lines = (seed: number) => drawn(many, seed, 40).map(({ line }) => line);
    expect(lines(1)).toEqual(lines(1));
    expect(lines(1)).not.toEqual(lines(2));
    expect(lines(1)).toHaveLength(40);
  });

  it("has every mutant that could let a call pass", () => {
    const all = [...many, ...found('deny("x");')];
    expect(drawn(all, 1, 0).map(({ failOpen }) => failOpen)).toEqual([true]);
  });
});

describe("the log of what was tried", () => {
  const reached = ["t1", "t2"].map((test) => ({
    test,
    file: "a.test.ts",
    name: test,
    took: 1,
    failed: false,
    ids: [0, 1],
  }));
  const all = { budget: 100, tests: 100 };
  const logOf = (lines: string[], effort = all, killers?: Map<number, string>) =>
    new MutationLog(reached, lines, effort, killers);

  it("tries a mutant with each test that reaches it, until one kills it", () => {
    expect(logOf([]).waitingOf("t1")).toEqual([0, 1]);
    const log = logOf(["s 0 t1 99", "a 0 t1 5", "s 1 t1 99", "k 1 t1"]);
    expect([log.waitingOf("t1"), log.waitingOf("t2")]).toEqual([[], [0]]);
  });

  it("begins with the test that killed a mutant before", () => {
    const one = { budget: 100, tests: 1 };
    const [before, now] = [logOf([], one), logOf([], one, new Map([[1, "t2"]]))];
    expect([before.waitingOf("t1"), before.waitingOf("t2")]).toEqual([[0, 1], []]);
    expect([now.waitingOf("t1"), now.waitingOf("t2")]).toEqual([[0], [1]]);
  });

  it("knows for which mutants a test did not end", () => {
    const log = logOf(["k 0 t1 endless", "s 1 t1 20000", "h 1 t1"]);
    expect([...log.endless]).toEqual([0, 1]);
    expect([...log.killed.keys()]).toEqual([0, 1]);
  });

  it("counts a mutant as killed only if the test passes again without it, or it fails twice", () => {
    expect(logOf(["u 0 t1"]).killed.has(0)).toBe(false);
    expect(logOf(["u 0 t1", "u 0 t2"]).killed.has(0)).toBe(true);
  });

  it("tries no more what the compiler refuses", () => {
    expect(logOf(["c 0"]).waitingOf("t1")).toEqual([1]);
  });

  it("gives up on a mutant that has had its time", () => {
    expect(logOf(["a 0 t1 101"]).waitingOf("t2")).toEqual([1]);
  });
});

describe("the patience with a test", () => {
  it("ends with the promise that it waits for, or after so many turns", async () => {
    const later = new Promise((resolve) => setImmediate(() => resolve("done")));
    expect(await withinTurns(() => later, 100)).toBe("done");
    const fails = () => Promise.reject(new Error("its own"));
    await expect(withinTurns(fails, 100)).rejects.toThrow("its own");
    await expect(withinTurns(() => new Promise(() => {}), 2)).rejects.toThrow(Endless);
  });

  it("does not end while another process is at work for it", async () => {
    const begin = () => {
      const child = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
      child.stdin.end();
      return once(child, "exit");
    };
    expect(await withinTurns(begin, 0)).toEqual([0, null]);
  });

  it("ends a loop that passes more often than it may, and begins anew", () => {
    const turnstile = new Turnstile();
    const loop = () => {
      for (;;) turnstile.pass();
    };
    turnstile.open(1_000);
    expect(loop).toThrow(Endless);
    expect(turnstile.isShut).toBe(true);
    turnstile.open();
    turnstile.pass();
    expect([turnstile.passed, turnstile.isShut]).toEqual([1, false]);
  });
});

describe("the compiler", () => {
  it("refuses a mutant that is of another type, and takes one that is not", {
    tags: "long",
  }, () => {
    const name = "call/text.ts";
    const mutants = mutantsOf(`packages/core/src/${name}`, readFileSync(source + name, "utf8"));
    const refused = refusedByCompiler(mutants);
    const kinds = [...refused.keys()].map(({ kind }) => kind);
    expect(kinds).toContain("function returns at once");
    expect(kinds).not.toContain("literal is flipped");
    expect(refused.size).toBeLessThan(mutants.length);
  });
});

describe("the interval of a share", () => {
  it("has the share in it, ends at none and at all, and is narrower for a larger sample", () => {
    for (const size of [1, 10, 650]) {
      for (let hits = 0; hits <= size; hits++) {
        const [low, high] = interval(hits, size);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(hits / size + 1e-9);
        expect(high).toBeGreaterThanOrEqual(hits / size - 1e-9);
      }
    }
    const width = (size: number) => {
      const [low, high] = interval(size * 0.9, size);
      return high - low;
    };
    expect(width(1_000)).toBeLessThan(width(100));
    // Worked out by hand.
    expect(interval(9, 10).map((each) => each.toFixed(3))).toEqual(["0.596", "0.982"]);
  });
});
