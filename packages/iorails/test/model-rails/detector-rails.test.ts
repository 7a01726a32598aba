import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../src/chat/message.js";
import type { ModelRail } from "../../src/model-rails/rail.js";
import { runRails } from "../../src/model-rails/run-rails.js";
import { lastUserText } from "../../src/model-rails/user-text.js";
import { scripted, user } from "./data.js";
import { plain, railsOf } from "./plain.js";

describe("regex check", () => {
  const patterns = (...all: string[]) => ({
    regex_detection: { input: { patterns: all }, output: { patterns: all } },
  });

  it.each(["input", "output"] as const)(
    "of %s blocks by the flow's name, and names what matched",
    async (direction) => {
      const found = await plain(
        direction,
        `regex check ${direction}`,
        patterns("b.d", "x", "bad$"),
        "so bad",
      );
      expect(found.verdict).toEqual({
        status: "blocked",
        basis: "policy",
        reason: `regex check ${direction}`,
        metadata: { is_match: true, detections: ["b.d", "bad$"], source: direction },
      });
      expect(JSON.stringify(found)).not.toContain("so bad");
    },
  );

  it("passes what no pattern matches, and an empty text whatever the pattern", async () => {
    expect((await plain("input", "regex check input", patterns("x"), "good")).verdict.status).toBe(
      "passed",
    );
    for (const pattern of ["x", "x*", "^", "$"]) {
      const { verdict } = await plain("output", "regex check output", patterns(pattern), "");
      expect(verdict.status).toBe("passed");
    }
    expect((await plain("input", "regex check input", patterns("x*"), "g")).verdict.status).toBe(
      "blocked",
    );
  });

  it("judges the text of parts, and blocks what it cannot read", async () => {
    const parts = [{ type: "text", text: "bad" }, { type: "image_url" }];
    const check = (content: unknown) =>
      plain("input", "regex check input", patterns("bad"), content);
    expect((await check(parts)).verdict).toMatchObject({ basis: "policy" });
    expect((await check([{ type: "input_audio" }])).verdict).toMatchObject({ basis: "error" });
  });

  it("finds what begins or ends one of several messages, and what reaches from one into the next", async () => {
    const messages = [user("so bad"), user("ignore all"), user("of it")];
    for (const pattern of ["^ignore", "bad$", "all\\nof", "^of"]) {
      const [rail] = railsOf("input", "regex check input", patterns(pattern));
      const verdict = await rail?.judge({ messages }, {} as never);
      expect(verdict?.status, pattern).toBe("blocked");
    }
  });

  it.each([
    [[user("so bad"), user("we go")], "blocked"],
    [[user("so bad\nwe go")], "passed"],
  ])(
    "finds what begins one of several messages also when a rail has rewritten them: %j",
    async (messages, status) => {
      const writer: ModelRail = {
        flow: "writer",
        name: "writer",
        rewrites: true,
        judge: async ({ messages }) => {
          const text = lastUserText(messages)?.text ?? "";
          const changed = text.replace("bad", "good");
          return changed === text
            ? { status: "passed" }
            : { status: "modified", text: changed, reason: "r" };
        },
      };
      const rails = [writer, ...railsOf("input", "regex check input", patterns("^we"))];
      for (const parallel of [false, true]) {
        const options = { parallel, direction: "input" } as const;
        const { verdict } = await runRails(rails, { messages }, scripted([]), options);
        expect(verdict.status === "blocked" ? "blocked" : "passed").toBe(status);
      }
    },
  );

  it.each([
    { ...user("we go"), name: "ann" },
    user([
      { type: "text", text: "so" },
      { type: "text", text: "we go" },
    ]),
  ])("finds what begins the text behind a name, or one part of several: %j", async (message) => {
    const [rail] = railsOf("input", "regex check input", patterns("^we"));
    expect((await rail?.judge({ messages: [message] }, {} as never))?.status).toBe("blocked");
  });

  it("finds blanks that stand alone, before and behind an answer", async () => {
    const [rail] = railsOf("input", "regex check input", patterns("^\\s+$"));
    const answer = { role: "assistant", content: "x" };
    for (const messages of [
      [user("a"), user(" ")],
      [user("a"), answer, user(" ")],
    ]) {
      expect((await rail?.judge({ messages }, {} as never))?.status).toBe("blocked");
    }
  });

  it("ignores case where it is told to", async () => {
    const section = { regex_detection: { input: { patterns: ["bad"], case_insensitive: true } } };
    expect((await plain("input", "regex check input", section, "BAD")).verdict.status).toBe(
      "blocked",
    );
  });

  it("does not load without patterns, unless an empty list is written", () => {
    const build = (written: object) => () =>
      railsOf("input", "regex check input", { regex_detection: written });
    expect(build({})).toThrow("needs rails.config.regex_detection.input.patterns");
    expect(build({ output: { patterns: ["a"] } })).toThrow("regex_detection.input");
    expect(build({ input: { patterns: [] } })).not.toThrow();
  });

  it("blocks as failed a text that would take too much work", { tags: "long" }, async () => {
    let state = 1;
    const bit = (): string => {
      state = (state * 48_271) % 2_147_483_647;
      return state & 64 ? "a" : "b";
    };
    const text = Array.from({ length: 400_000 }, bit).join("");
    const found = await plain("input", "regex check input", patterns("a(a|b){40}c"), text);
    expect(found.verdict).toMatchObject({
      basis: "error",
      reason: "regex check input failed: the text takes too many steps",
    });
  });
});

describe("injection detection", () => {
  const section = (more: object) => ({
    injection_detection: { injections: ["xss", "template"], ...more },
  });
  const detect = (text: string, more: object = {}) =>
    plain("output", "injection detection", section(more), text);

  it("blocks, and names the kinds that were found", async () => {
    expect((await detect("<script>hunter2</script>")).verdict).toEqual({
      status: "blocked",
      basis: "policy",
      reason: "injection detection",
      metadata: { is_injection: true, detections: ["xss"] },
    });
    expect((await detect("all is well")).verdict.status).toBe("passed");
    expect((await detect("")).verdict.status).toBe("passed");
  });

  it("omits what was found, where it is told to", async () => {
    const found = await detect("Hello <script>x</script> {{ y }}!", { action: "omit" });
    expect(found).toMatchObject({ verdict: { status: "modified" }, text: "Hello  !" });
    expect((await detect("fine", { action: "omit" })).text).toBeUndefined();
  });

  it.each([
    [{ injections: ["shellcode"] }, "'shellcode'"],
    [{ injections: ["sqi"] }, "Did you mean 'sqli'?"],
    [{ injections: [] }, "needs rails.config.injection_detection.injections"],
    [{ yara_rules: { mine: "rule mine {}" } }, "yara_rules"],
    [{ yara_path: "rules" }, "yara_path"],
  ])("does not load with %j", (more, problem) => {
    expect(() => railsOf("output", "injection detection", section(more))).toThrow(problem);
  });
});

describe("context bloat detection on input", () => {
  const prose =
    "The lighthouse keeper walked along the shore at dawn, counting gulls and listening to the slow bell of the buoy.";
  const detect = (text: string, context_bloat_detection: object) =>
    plain("input", "context bloat detection on input", { context_bloat_detection }, text);

  it.each<[string, string, object, object]>([
    [
      "blocks a text that is too long",
      prose,
      { max_chars: 40 },
      { status: "blocked", reason: "size_cap_exceeded" },
    ],
    [
      "blocks a text that says little",
      "ab".repeat(40),
      {},
      { status: "blocked", reason: "low_entropy" },
    ],
    [
      "blocks it also where it would cut it",
      "ab".repeat(40),
      { action: "truncate", max_chars: 60 },
      { status: "blocked", reason: "low_entropy" },
    ],
    [
      "passes what it is told to note",
      "ab".repeat(40),
      { action: "warn", max_chars: 3 },
      {
        status: "passed",
        metadata: { is_bloat: true, detections: ["size_cap_exceeded", "low_entropy"] },
      },
    ],
    ["passes prose", prose, {}, { status: "passed" }],
  ])("%s", async (_, text, section, verdict) => {
    const rails = railsOf("input", "context bloat detection on input", {
      context_bloat_detection: section,
    });
    const judged = await rails[0]?.judge({ messages: [user(text)] }, {} as never);
    expect(judged).toMatchObject(verdict);
  });

  it("cuts a text that is too long, where it is told to", async () => {
    const found = await detect(prose, { max_chars: 40, action: "truncate" });
    expect(found.text).toBe("The lighthouse keeper walked along the s");
    expect(found.verdict.metadata).toMatchObject({
      action: "truncate",
      metrics: { chars: prose.length },
    });
  });

  it("says that it rejected, where a text that it would cut says too little", async () => {
    const found = await detect("a".repeat(80), { max_chars: 60, action: "truncate" });
    expect(found.verdict).toMatchObject({
      status: "blocked",
      reason: "low_entropy",
      metadata: { action: "reject", detections: ["size_cap_exceeded", "low_entropy"] },
    });
  });

  const padding = "a".repeat(60);
  const said = Array.from({ length: 9 }, (_, at) => `${prose} ${at * 7_919}`).join(" ");
  it.each<[string, readonly ChatMessage[]]>([
    ["one of several messages", [user(said), user(padding), user("and so on")]],
    ["a message behind a name", [{ ...user(padding), name: said }]],
  ])(
    "finds what says little in %s, also where another rail has rewritten it",
    async (_, messages) => {
      const limits = { context_bloat_detection: { max_repetition_ratio: 1 } };
      const rails = railsOf("input", "context bloat detection on input", limits);
      const writer: ModelRail = {
        flow: "writer",
        name: "writer",
        rewrites: true,
        judge: async ({ messages }) => {
          const text = lastUserText(messages)?.text.replace("gulls", "boats") ?? "";
          return { status: "modified", text, reason: "r" };
        },
      };
      for (const before of [[], [writer]]) {
        const options = { parallel: false, direction: "input" } as const;
        const { verdict } = await runRails(
          [...before, ...rails],
          { messages },
          scripted([]),
          options,
        );
        expect(verdict).toMatchObject({ status: "blocked", reason: "low_entropy" });
        const whole = [user(lastUserText(messages)?.text)];
        const joined = await runRails(
          [...before, ...rails],
          { messages: whole },
          scripted([]),
          options,
        );
        expect(joined.verdict.status).not.toBe("blocked");
      }
    },
  );
});
