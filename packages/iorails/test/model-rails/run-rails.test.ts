import { describe, expect, it } from "vitest";
import type { ModelRail, RailPorts, RailSubject, RailVerdict } from "../../src/model-rails/rail.js";
import { type RunRailsOptions, runRails } from "../../src/model-rails/run-rails.js";
import { scripted, user } from "./data.js";
import { passed, policy } from "./judged.js";

const modified = (text: string): RailVerdict => ({ status: "modified", text, reason: "r" });

type Judge = ModelRail["judge"];
const rail = (flow: string, judge: Judge): ModelRail => ({ flow, name: flow, judge });
const writer = (flow: string, judge: Judge): ModelRail => ({
  ...rail(flow, judge),
  rewrites: true,
});
const ports: RailPorts = scripted([]);
const run = (
  rails: readonly ModelRail[],
  options: Partial<RunRailsOptions> = {},
  subject: RailSubject = { messages: [user("a")], botResponse: "b" },
) => runRails(rails, subject, ports, { parallel: false, direction: "output", ...options });

/** A rail that ends only when its signal aborts, and tells so. */
function waiting(flow: string, ended: string[]): ModelRail {
  return rail(
    flow,
    ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => {
          queueMicrotask(() => {
            ended.push(flow);
            reject(signal.reason);
          });
        });
      }),
  );
}

/** Writes at the end of the text, once. */
const appending = (flow: string): ModelRail =>
  writer(flow, async ({ botResponse = "" }) =>
    botResponse.includes(flow) ? passed : modified(botResponse + flow),
  );

describe.each([false, true])("runRails, parallel %s", (parallel) => {
  it("passes where there are no rails, and where all pass", async () => {
    const nothing = { verdict: passed, flow: undefined, text: undefined };
    expect(await run([], { parallel })).toEqual(nothing);
    expect(
      await run([rail("x", async () => passed), rail("y", async () => passed)], { parallel }),
    ).toEqual(nothing);
  });

  it.each<[string, Judge]>([
    [
      "throws",
      async () => {
        throw new Error("hunter2");
      },
    ],
    [
      "throws at once",
      () => {
        throw new Error("hunter2");
      },
    ],
    [
      "throws no error",
      async () => {
        throw "hunter2";
      },
    ],
    ["gives nothing", async () => undefined as never],
    ["gives a boolean", async () => true as never],
    ["misspells the status", async () => ({ status: "pass" }) as never],
    ["inherits its status", async () => Object.create({ status: "passed" })],
    ["modifies to no text", async () => ({ status: "modified", reason: "r" }) as never],
    ["rewrites, and does not say that it may", async () => modified("x")],
    ["gives no promise", (() => ({ status: "PASSED" })) as never],
  ])("blocks as an error, and leaks no cause, where a rail %s", async (_, judge) => {
    const found = await run([rail("x", async () => passed), rail("bad", judge)], { parallel });
    expect(found).toEqual({
      verdict: { status: "blocked", reason: "bad failed", basis: "error" },
      flow: "bad",
      text: undefined,
    });
  });

  it("is not made to pass by a polluted prototype", async () => {
    Object.defineProperty(Object.prototype, "status", { value: "passed", configurable: true });
    try {
      const found = await run(
        [rail("x", async () => ({}) as never), rail("y", async () => passed)],
        { parallel },
      );
      expect(found.verdict).toMatchObject({ status: "blocked", basis: "error" });
    } finally {
      delete (Object.prototype as { status?: unknown }).status;
    }
  });

  it("loses no rewrite", async () => {
    const found = await run(
      [appending("x"), rail("p", async () => passed), appending("y"), appending("z")],
      { parallel },
    );
    expect(found).toMatchObject({ text: "bxyz", flow: "z", verdict: modified("bxyz") });
  });

  it("lets rails that may rewrite run first, wherever they stand", async () => {
    const judged: unknown[] = [];
    const noting = rail("n", async ({ botResponse }) => {
      judged.push(botResponse);
      return passed;
    });
    const found = await run([noting, appending("x"), noting, appending("y")], { parallel });
    expect(found).toMatchObject({ text: "bxy", flow: "y" });
    expect(judged).toEqual(["bxy", "bxy"]);
  });

  it("finds nothing modified where the text at the end is the one at the start", async () => {
    const back = writer("back", async () => modified("b"));
    expect(await run([appending("x"), back], { parallel })).toEqual({
      verdict: passed,
      flow: undefined,
      text: undefined,
    });
  });

  it("blocks a rewrite of what the user said where no user has said anything", async () => {
    const found = await run(
      [writer("x", async () => modified("new"))],
      { parallel, direction: "input" },
      { messages: [{ role: "assistant", content: "a" }] },
    );
    expect(found.verdict).toMatchObject({
      reason: "x failed: a rail rewrote a message this request does not have",
      basis: "error",
    });
  });

  it("hands on what a rail found, for logs, and its own refusal", async () => {
    const seen: unknown[] = [];
    const metadata = { is_match: true };
    await run([rail("x", async () => ({ ...policy("r"), metadata, refusal: "Non." }))], {
      parallel,
      onRail: async (_, judge) => {
        seen.push(await judge());
        return seen[0] as RailVerdict;
      },
    });
    expect(seen).toEqual([{ ...policy("r"), metadata, refusal: "Non." }]);
  });

  it("gives no text where a rail blocks after a rewrite", async () => {
    const found = await run([appending("x"), rail("no", async () => policy("r"))], { parallel });
    expect(found).toEqual({ verdict: policy("r"), flow: "no", text: undefined });
  });

  it("rejects with the caller's abort, before and while it runs", async () => {
    const reason = new Error("the caller left");
    const early = { messages: [], signal: AbortSignal.abort(reason) };
    await expect(
      run([rail("x", async () => passed), rail("y", async () => passed)], { parallel }, early),
    ).rejects.toBe(reason);
    const controller = new AbortController();
    const ended: string[] = [];
    const going = run(
      [waiting("x", ended), waiting("y", ended)],
      { parallel },
      { messages: [], signal: controller.signal },
    );
    controller.abort(reason);
    await expect(going).rejects.toBe(reason);
    expect(ended).toEqual(parallel ? ["x", "y"] : ["x"]);
  });

  it("rejects with the caller's abort also where a rail then fails, blocks or passes", async () => {
    const reason = new Error("the caller left");
    const ends: Judge[] = [
      async () => policy("r"),
      async () => passed,
      async () => {
        throw new Error("other");
      },
    ];
    for (const end of ends) {
      const controller = new AbortController();
      const late = rail("x", async (subject, all) => {
        controller.abort(reason);
        return end(subject, all);
      });
      await expect(
        run([late, late], { parallel }, { messages: [], signal: controller.signal }),
      ).rejects.toBe(reason);
    }
  });

  it("tells the observer of each rail, with its failure as a verdict", async () => {
    const seen: unknown[] = [];
    const bad = rail("bad", async () => {
      throw new Error("x");
    });
    await run([rail("x", async () => passed), bad], {
      parallel,
      onRail: async ({ flow }, judge) => {
        const verdict = await judge();
        seen.push([flow, verdict.status]);
        return verdict;
      },
    });
    expect(seen).toEqual([
      ["x", "passed"],
      ["bad", "blocked"],
    ]);
  });

  it.each<[string, NonNullable<RunRailsOptions["onRail"]>]>([
    [
      "throws",
      async () => {
        throw new Error("x");
      },
    ],
    ["gives nothing", async () => undefined as never],
  ])("blocks where the observer %s", async (_, onRail) => {
    const found = await run([rail("x", async () => passed), rail("y", async () => passed)], {
      parallel,
      onRail,
    });
    expect(found).toMatchObject({ flow: "x", verdict: { status: "blocked", basis: "error" } });
  });
});

describe("runRails in order", () => {
  it("asks no rail after a block", async () => {
    const asked: string[] = [];
    const noting = (flow: string, verdict: RailVerdict) =>
      rail(flow, async () => {
        asked.push(flow);
        return verdict;
      });
    const found = await run([
      noting("x", passed),
      noting("y", policy("r")),
      noting("z", policy("s")),
    ]);
    expect(found).toMatchObject({ flow: "y", verdict: policy("r") });
    expect(asked).toEqual(["x", "y"]);
  });

  it("lets the next rail judge a rewritten user message, other parts kept", async () => {
    const image = { type: "image_url" };
    const seen: unknown[] = [];
    const rails = [
      writer("x", async () => modified("new")),
      rail("y", async ({ messages }) => {
        seen.push(messages);
        return passed;
      }),
    ];
    const reply = { role: "assistant", content: "c" };
    await run(rails, { direction: "input" }, { messages: [user("a"), reply] });
    await run(
      rails,
      { direction: "input" },
      { messages: [user([{ type: "text", text: "a" }, image])] },
    );
    expect(seen).toEqual([[user("new"), reply], [user([{ type: "text", text: "new" }, image])]]);
  });
});

describe("runRails in parallel", () => {
  it("starts all, and on a block cancels the others and waits for them", async () => {
    const ended: string[] = [];
    const found = await run(
      [waiting("x", ended), rail("no", async () => policy("r")), waiting("y", ended)],
      { parallel: true },
    );
    expect(found).toMatchObject({ flow: "no", verdict: policy("r") });
    expect(ended).toEqual(["x", "y"]);
  });

  it("cancels on a rail that fails", async () => {
    const ended: string[] = [];
    const bad = rail("bad", async () => {
      throw new Error("x");
    });
    expect((await run([waiting("x", ended), bad], { parallel: true })).flow).toBe("bad");
    expect(ended).toEqual(["x"]);
  });

  it("reports of several blocks the first in the configuration", async () => {
    const later = rail("x", async () => {
      await null;
      await null;
      return policy("1");
    });
    const found = await run([later, rail("y", async () => policy("2"))], { parallel: true });
    expect(found).toMatchObject({ flow: "x", verdict: policy("1") });
  });

  it("leaves no listener on the caller's signal", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const [add, remove] = [
      signal.addEventListener.bind(signal),
      signal.removeEventListener.bind(signal),
    ];
    signal.addEventListener = (...all: Parameters<typeof add>) => {
      listeners += 1;
      add(...all);
    };
    signal.removeEventListener = (...all: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...all);
    };
    await run(
      [rail("x", async () => passed), rail("y", async () => policy("r"))],
      { parallel: true },
      { messages: [], signal },
    );
    expect(listeners).toBe(0);
  });
});
