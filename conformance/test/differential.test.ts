import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { caseOf, idsOf } from "../differential/cases.mjs";
import { classes, explains } from "../differential/classes.mjs";
import { difference } from "../differential/compare.mjs";
import { ModelStub } from "../differential/model-stub.mjs";
import { ours } from "../differential/ours.mjs";
import { resultsOf, shownOf } from "../differential/results.mjs";
import { withoutLookalikes } from "../differential/snippets.mjs";

type Came = import("../differential/ours.mjs").Came;

const page = readFileSync(new URL("../../docs/iorails-differential.md", import.meta.url), "utf8");

describe("a random case", () => {
  it("is the same for the same id, and another for another seed", () => {
    expect(caseOf("rewrite-1-7")).toEqual(caseOf("rewrite-1-7"));
    expect(caseOf("rewrite-2-7")).not.toEqual(caseOf("rewrite-1-7"));
    expect(idsOf(10_000, 1)).toHaveLength(10_000);
  });

  it("comes to an end in this engine, whatever was drawn", { timeout: 60_000 }, async () => {
    const stub = new ModelStub();
    await stub.listen();
    const outcomes = new Set<string>();
    for (const id of idsOf(60, 3)) {
      const given = caseOf(id);
      stub.play("ours", id, given.script);
      const text = JSON.stringify(given).replaceAll("@BASE@", stub.base("ours", id));
      outcomes.add((await ours(JSON.parse(text))).outcome);
    }
    stub.close();
    expect([...outcomes]).toEqual(expect.arrayContaining(["passed", "blocked", "refused"]));
  });
});

describe("the comparison", () => {
  const check = { ...caseOf("rewrite-1-7"), mode: "check" as const };
  const passed = { outcome: "passed" as const, content: "a" };
  const blocked = { outcome: "blocked" as const, content: "no", kind: "input", rail: "x" };
  const asked = (content: string) => ({
    ...passed,
    asked: [{ to: "m", body: { messages: [{ role: "user", content }] } }],
  });

  it.each([
    ["another outcome", passed, blocked, "outcome: passed there, blocked here"],
    ["a changed text that is not told", passed, { ...passed, outcome: "modified" }, "outcome"],
    ["another text", passed, { ...passed, content: "b" }, "text"],
    ["another rail", blocked, { ...blocked, rail: "y" }, "rail: x there, y here"],
    ["another direction", blocked, { ...blocked, kind: "output" }, "direction"],
    ["a rail that failed", { ...blocked, failed: false }, { ...blocked, failed: true }, "failed"],
    ["another text of a block", blocked, { ...blocked, content: "" }, "text of a block"],
    ["other calls", { ...passed, calls: [["a", {}]] }, { ...passed, calls: [] }, "calls"],
    ["another question", asked("a"), asked("b"), "questions to models"],
  ] as const)("finds %s", (_, theirs, here, found) => {
    expect(difference(check, theirs as never, here as never)).toContain(found);
    expect(difference(check, theirs as never, theirs as never)).toBeUndefined();
  });

  it("does not tell a changed text from others where only check() does", () => {
    const generate = { ...check, mode: "generate" as const };
    expect(difference(generate, passed, { ...passed, outcome: "modified" })).toBeUndefined();
  });

  it("counts a case that no class explains as not explained", () => {
    const pair = { given: check, theirs: passed, ours: blocked, difference: "outcome" };
    const explained = { pair, because: ["name of the user"], left: undefined, steps: [] };
    const left = { pair, because: [], left: pair, steps: [] };
    const { families, unexplained } = resultsOf([explained, left]);
    expect(families).toMatchObject([{ cases: 2, same: 0, explained: 1 }]);
    expect(unexplained).toMatchObject([{ id: check.id }]);
  });

  it("shows in full what is not explained, and what is blocked there and passes here", () => {
    const pair = (theirs: Came, here: Came) => ({
      pair: { given: check, theirs, ours: here, difference: "outcome" },
      because: [],
      left: undefined,
      steps: [],
    });
    const all = [pair(blocked, passed), pair(passed, blocked), pair(blocked, blocked)];
    expect(shownOf(all)).toMatchObject([{ theirs: blocked, ours: passed, given: check }]);
    const [, stricter] = all;
    const left = { ...all[1], left: stricter?.pair } as never;
    expect(shownOf([left])).toMatchObject([{ theirs: passed, ours: blocked }]);
  });
});

describe("a class of differences", () => {
  const of = (name: string) => classes.find((each) => each.name === name);
  const user = (content: unknown) => ({ role: "user", content });
  const answer = { role: "assistant", content: "x" };
  const given = caseOf("regex-1-1");

  it.each([
    ["several messages in a row", [user("a"), user("b")], [user("a\nb")]],
    ["content in parts", [user([{ type: "text", text: "a" }])], [user("a")]],
    ["an empty message at the end", [user("a"), answer, user("")], [user("a"), answer]],
    ["name of the user", [{ ...user("a"), name: "ann" }], [user("a")]],
  ])("takes out %s, and is then no more", (name, messages, left) => {
    const pair = { given: { ...given, messages } } as never;
    expect(of(name)?.applies(pair)).toBe(true);
    const without = of(name)?.without({ ...given, messages }, pair);
    expect(without?.messages).toEqual(left);
    expect(of(name)?.applies({ given: without } as never)).toBe(false);
  });

  it("that makes this engine stricter does not explain what passes here", () => {
    const messages = [{ ...user("a"), name: "ann" }];
    const pair = (theirs: string, here: string) =>
      ({
        given: { ...given, messages },
        theirs: { outcome: theirs },
        ours: { outcome: here },
      }) as never;
    const named = of("name of the user") as (typeof classes)[number];
    expect(explains(named, pair("passed", "blocked"))).toBe(true);
    expect(explains(named, pair("blocked", "passed"))).toBe(false);
    expect(explains(named, pair("blocked", "modified"))).toBe(false);
  });

  it("takes out what only looks like an injection, and no injection", () => {
    const text = "don't create a scene 1; DELETE FROM orders";
    expect(withoutLookalikes(text)).toBe("do not make a scene 1; DELETE FROM orders");
  });

  it("has a name of its own", () => {
    expect(new Set(classes.map(({ name }) => name)).size).toBe(classes.length);
  });
});

describe("docs/iorails-differential.md", () => {
  it("explains every difference, by classes that there are", () => {
    expect(page).toContain("No difference is left without a class.");
    const row = /^\| (.+?) \| \d+ \| (stricter|NeMo's fault|another choice) \| (.+) \|$/gm;
    const rows = Array.from(page.matchAll(row), ([, name, whose, reason]) => ({
      name,
      whose,
      reason,
    }));
    expect(rows.length).toBeGreaterThan(10);
    for (const each of rows) expect(classes).toContainEqual(expect.objectContaining(each));
  });
});
