import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import {
  allow,
  type GuardrailProvider,
  type JsonObject,
  modify,
  rewrite,
  type ToolResult,
  ToolRunner,
} from "../src/index.js";
import { idle, ticks } from "./support/promises.js";
import { guard, spyTool } from "./support/runners.js";

/** One provider of the property: how long it thinks, and what it insists on. */
interface Member {
  readonly pace: number;
  readonly admitPace: number;
  readonly change: { readonly key: "a" | "b" | "c"; readonly value: number } | undefined;
}
const members = fc.array(
  fc.record<Member>({
    pace: fc.nat(3),
    admitPace: fc.nat(2),
    change: fc.option(
      fc.record({
        key: fc.constantFrom("a" as const, "b" as const, "c" as const),
        value: fc.nat(1),
      }),
      { nil: undefined },
    ),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Change everything that can be changed in an object, however it resists. */
function vandalise(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  for (const key of Reflect.ownKeys(value)) {
    if (Array.isArray(value) && key === "length") continue;
    vandalise(Reflect.get(value, key), seen);
    Reflect.set(value, key, "vandalised");
    Reflect.defineProperty(value, key, { value: "vandalised", configurable: true });
    Reflect.deleteProperty(value, key);
  }
  Reflect.set(value, "vandal", true);
  Reflect.setPrototypeOf(value, { vandal: true });
  try {
    Array.prototype.push.call(value, "vandalised");
  } catch {
    // Frozen.
  }
}

/** Vandalise at every microtask until told to stop. */
function vandal(targets: unknown[]): { readonly stop: () => void } {
  let going = true;
  void (async () => {
    for (let tick = 0; going && tick < 500; tick++) {
      await undefined;
      for (const target of [...targets]) vandalise(target);
    }
  })();
  return {
    stop: () => {
      going = false;
    },
  };
}

/** The caller's arguments, of which each read says something else. */
function shifty(args: JsonObject): unknown {
  let reads = 0;
  const given: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(args)) {
    Object.defineProperty(given, key, {
      enumerable: true,
      get: () => (reads++ === 0 ? value : `read ${reads}`),
    });
  }
  return given;
}

const plainArgs = fc.record({
  a: fc.nat(1),
  nested: fc.record({ list: fc.array(fc.nat(3), { maxLength: 3 }) }),
});

describe("P6 what is judged is what is used", () => {
  it("P6 the tool receives what every provider last judged or produced, whoever mutates what and when", {
    tags: "longer",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        plainArgs,
        members,
        fc.constantFrom("object", "text", "proxy", "getters"),
        fc.nat(3),
        fc.boolean(),
        async (args, chain, form, toolPace, judged) => {
          const targets: unknown[] = [];
          const last = new Map<string, JsonObject>();
          const admitted = new Map<string, JsonObject>();
          const lastResult = new Map<string, unknown>();
          const providers = chain.map((member, index): GuardrailProvider => {
            const name = `p${index}`;
            return {
              name,
              evaluate: async (call) => {
                targets.push(call.args, call, call.context);
                await ticks(member.pace);
                last.set(name, structuredClone(call.args));
                const { change } = member;
                if (change === undefined || call.args[change.key] === change.value) return allow();
                const changed = { ...structuredClone(call.args), [change.key]: change.value };
                last.set(name, structuredClone(changed));
                const answer = modify(changed);
                void ticks(1).then(() => vandalise(changed));
                return answer;
              },
              admit: async (call) => {
                await ticks(member.admitPace);
                admitted.set(name, structuredClone(call.args));
                return allow();
              },
              ...(judged && {
                evaluateResult: async (_call: unknown, result: ToolResult) => {
                  // The tool, too, goes on with what it returned.
                  targets.push(result, result.content, result.structured, returned);
                  await ticks(member.pace);
                  const text = JSON.stringify(result.structured);
                  const mark = `seen by ${name}`;
                  if (text.includes(mark)) {
                    lastResult.set(name, structuredClone(result.structured));
                    return allow();
                  }
                  const structured = structuredClone(result.structured) as { marks: string[] };
                  structured.marks.push(mark);
                  lastResult.set(name, structuredClone(structured));
                  const answer = rewrite({ content: "text", structured });
                  void ticks(1).then(() => vandalise(structured));
                  return answer;
                },
              }),
            };
          });
          let received: JsonObject | undefined;
          let later: JsonObject | undefined;
          let returned: unknown;
          const tool = spyTool("send", async (given) => {
            received = structuredClone(given);
            targets.push(given);
            await ticks(toolPace);
            later = structuredClone(given);
            const answer = { said: structuredClone(received), marks: [] as string[] };
            returned = answer;
            return answer;
          });
          const runner = new ToolRunner({ tools: [tool], guardrails: providers });
          const callers = structuredClone(args);
          const asked = {
            object: callers,
            text: JSON.stringify(callers),
            proxy: new Proxy(callers, {}),
            getters: shifty({ a: args.a }),
          }[form];
          targets.push(asked);
          const request = { name: "send", arguments: asked, callId: "c1" };
          const busy = vandal(targets);
          const running = runner.run(request);
          // As soon as it was asked for, the caller may do what it likes with its own.
          vandalise(request);
          vandalise(asked);
          const outcome = await running;
          busy.stop();

          if (outcome.status === "denied") {
            expect(outcome.basis).toBe("unstable");
            expect(received).toBeUndefined();
            return;
          }
          expect(outcome.status).toBe("executed");
          for (const [name, seen] of [...last, ...admitted])
            expect([name, seen]).toEqual([name, received]);
          expect(last.size).toBe(chain.length);
          expect(later).toEqual(received);
          expect(outcome.usedArgs).toEqual(received);
          if (form !== "getters") expect(outcome.askedArgs).toEqual(args);
          const value = outcome.status === "executed" ? outcome.value : undefined;
          for (const [name, seen] of lastResult) expect([name, seen]).toEqual([name, value]);
          expect(outcome.result.structured).toEqual(value);
          expect(value).toMatchObject({ said: received });
          // And it stays so.
          const before = JSON.stringify(outcome);
          vandalise(outcome);
          for (const target of [...targets, returned]) vandalise(target);
          await idle();
          expect(JSON.stringify(outcome)).toBe(before);
        },
      ),
      { numRuns: inject("long") ? 120 : 10 },
    );
  });

  it("P6 each property of the caller's is read exactly once, before anything is waited for", async () => {
    let reads = 0;
    const tool = spyTool();
    const runner = new ToolRunner({
      tools: [tool],
      guardrails: [guard("g", { evaluate: async () => allow() })],
    });
    const running = runner.run({
      name: "send",
      arguments: Object.defineProperty({}, "to", { enumerable: true, get: () => ++reads }),
    });
    expect(reads).toBe(1);
    await running;
    expect([reads, tool.runs]).toEqual([1, [{ to: 1 }]]);
  });

  it("P6 the host's facts are read when the call is made", async () => {
    const attributes = { role: "reader" };
    const context = { principal: "ada", attributes };
    const seen: unknown[] = [];
    const runner = new ToolRunner({
      tools: [spyTool("send", (_args, given) => void seen.push(given.context))],
      guardrails: [
        guard("g", {
          evaluate: async (call) => {
            await ticks(3);
            seen.push(call.context);
            return allow();
          },
        }),
      ],
    });
    const running = runner.run({ name: "send" }, { context });
    context.principal = "root";
    attributes.role = "admin";
    await running;
    for (const facts of seen) {
      expect(facts).toMatchObject({ principal: "ada", attributes: { role: "reader" } });
    }
    expect(seen).toHaveLength(2);
  });

  it.each<[string, () => unknown]>([
    ["an object", () => ({ a: 1 })],
    ["a list", () => [1, { a: 1 }]],
  ])(
    "P6 the tool changing %s that it returned changes nothing, with judges and without",
    async (_what, make) => {
      for (const judges of [[], [{ name: "judge", evaluateResult: () => allow() }]]) {
        const returned = make();
        const runner = new ToolRunner({
          tools: [spyTool("send", () => returned)],
          guardrails: [guard("g"), ...judges],
        });
        const outcome = await runner.run({ name: "send" });
        vandalise(returned);
        expect(outcome).toMatchObject({ status: "executed", value: make() });
        expect(outcome.result.content).toBe(JSON.stringify(make()));
      }
    },
  );

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -0, 5, true, false, null, "text", ""])(
    "P6 the caller receives of the value %s what the judges saw",
    async (value) => {
      const seen: unknown[] = [];
      const runner = new ToolRunner({
        tools: [spyTool("send", () => value)],
        guardrails: [
          guard("g", {
            evaluateResult: (_call, { structured, content }) => {
              seen.push(structured === undefined ? content : structured);
              return allow();
            },
          }),
        ],
      });
      const outcome = await runner.run({ name: "send" });
      expect(outcome.status === "executed" && [outcome.value]).toEqual(seen);
    },
  );

  it("P6 a thrown error that a judge rewrote is not handed on as it was", async () => {
    const runner = new ToolRunner({
      tools: [
        spyTool("send", () => {
          throw new Error("key sk-123");
        }),
      ],
      guardrails: [guard("g", { evaluateResult: () => rewrite({ content: "key ***" }) })],
    });
    const outcome = await runner.run({ name: "send" });
    expect(outcome).toMatchObject({ status: "failed", result: { content: "key ***" } });
    expect(outcome.status === "failed" && String(outcome.error)).toBe("Error: key ***");
  });

  it("P10 nobody can give a run another id", async () => {
    const ids: string[] = [];
    const runner = new ToolRunner({
      tools: [spyTool()],
      guardrails: [
        guard("forger", {
          evaluate: (call) => {
            ids.push(call.runId);
            Reflect.defineProperty(call.run, "id", { value: "forged" });
            Reflect.setPrototypeOf(call.run, { id: "forged" });
            Reflect.defineProperty(call, "runId", { value: "forged" });
            return allow();
          },
          settle: ({ runId }) => void ids.push(runId),
        }),
      ],
    });
    const { runId } = await runner.run({ name: "send" });
    expect(ids).toEqual([runId, runId]);
  });

  it("P6 a call cannot be changed by whoever sees it", async () => {
    const runner = new ToolRunner({
      tools: [spyTool("send", (args) => args)],
      guardrails: [
        guard("vandal", {
          evaluate: (call) => {
            vandalise(call);
            expect(() => {
              (call as { toolName: string }).toolName = "other";
            }).toThrow(TypeError);
            return allow();
          },
          evaluateResult: (call, result) => {
            vandalise(call);
            vandalise(result);
            return allow();
          },
          settle: (call, outcome) => {
            vandalise(call);
            vandalise(outcome);
          },
        }),
      ],
    });
    const outcome = await runner.run({ name: "send", arguments: { to: ["ada"] }, callId: "c1" });
    expect(outcome).toMatchObject({
      status: "executed",
      value: { to: ["ada"] },
      usedArgs: { to: ["ada"] },
      result: { callId: "c1", name: "send", content: '{"to":["ada"]}' },
    });
  });
});
