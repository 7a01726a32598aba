import { approvals, memoryStore } from "@toolstile/approval";
import { type Approver, allow, deny, type GuardrailProvider, type ToolCall } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { answer, call, text, Wire } from "./support/wire.js";

const destructive = (code: string): GuardrailProvider => ({
  name: `guard-${code}`,
  evaluate: ({ toolName }: ToolCall) =>
    toolName === "send"
      ? deny(`${code} needs a yes`, { code, approval: { summary: `May it ${code}?` } })
      : allow(),
});
const pending = async (approver: ReturnType<typeof approvals>) =>
  (await approver.list()).records.map(({ id }) => id);
const words = ({ result }: { readonly result?: object | undefined }) => JSON.stringify(result);

function setUp(...codes: string[]) {
  const approver = approvals({ store: memoryStore() });
  const wire = new Wire({ guardrails: codes.map(destructive), approver });
  const say = async (id: string | undefined, decision: "approved" | "denied", reason?: string) =>
    approver.answer(id ?? "", {
      decision,
      by: "ops",
      ...(reason !== undefined && { reason }),
    } as never);
  return { approver, wire, say };
}

describe("a call that is repeated because it waits for an approval", () => {
  it("asks no second question, and runs once when it is approved", async () => {
    const { approver, wire, say } = setUp("drop");
    for (const id of [1, 2]) {
      expect(words(await wire.refused(call(id, "send", { to: "x" })))).toContain(
        "has been asked for",
      );
    }
    const [first, ...others] = await pending(approver);
    expect(others).toEqual([]);
    await say(first, "approved");
    await wire.forwarded(call(3, "send", { to: "x" }));
    wire.connection.fromServer(answer(3, { content: [text("ok")] }));
    await wire.reached("client", 3);
    expect(words(await wire.refused(call(4, "send", { to: "x" })))).toContain("has been asked for");
    expect(await pending(approver)).toHaveLength(1);
  });

  it("runs once, also where it is repeated twice at the same time", async () => {
    const { approver, wire, say } = setUp("drop");
    await wire.refused(call(1, "send"));
    await say((await pending(approver))[0], "approved");
    for (const id of [2, 3, 4]) wire.connection.fromClient(call(id, "send"));
    await wire.reached("client", 3);
    expect(wire.server).toHaveLength(1);
  });

  it.each<[string, object]>([
    ["other arguments", { to: "y" }],
    ["more arguments", { to: "x", all: true }],
    ["no arguments", {}],
  ])("is another call with %s, and the grant is not for it", async (_, args) => {
    const { approver, wire, say } = setUp("drop");
    await wire.refused(call(1, "send", { to: "x" }));
    await say((await pending(approver))[0], "approved");
    expect(words(await wire.refused(call(2, "send", args)))).toContain("has been asked for");
    expect(wire.server).toEqual([]);
  });

  it("is another call in another session", async () => {
    const approver = approvals({ store: memoryStore() });
    const wires = [1, 2].map(() => new Wire({ guardrails: [destructive("drop")], approver }));
    await wires[0]?.refused(call(1, "send"));
    await approver.answer((await pending(approver))[0] ?? "", { decision: "approved", by: "ops" });
    expect(words((await wires[1]?.refused(call(1, "send"))) ?? {})).toContain("has been asked for");
  });

  it("is asked about no longer when its connection ends, and what another one asked stays", async () => {
    const approver = approvals({ store: memoryStore() });
    const wires = [1, 2].map(() => new Wire({ guardrails: [destructive("drop")], approver }));
    await wires[0]?.refused(call(1, "send", { to: "x" }));
    await wires[0]?.refused(call(2, "send", { to: "y" }));
    const [given] = await pending(approver);
    await approver.answer(given ?? "", { decision: "approved", by: "ops" });
    await wires[1]?.refused(call(1, "send", { to: "x" }));
    expect(await pending(approver)).toHaveLength(3);
    await wires[0]?.connection.close();
    const left = (await approver.list()).records;
    expect(left.map(({ question }) => question.args)).toEqual([{ to: "x" }]);
    expect(left[0]?.answer).toBeUndefined();
  });

  it("tells the model that a person has been asked, and that the same call is to be made again", async () => {
    const { approver, wire } = setUp("drop");
    const answered = words(await wire.refused(call(1, "send")));
    const [id] = await pending(approver);
    expect(answered).toContain(
      `drop needs a yes; a person has been asked for approval '${id}'. Once it is given, make this very call again: it then runs, once`,
    );
  });

  it.each([
    ["a reason", "not on a Friday", "a person refused it and said why: not on a Friday. This is"],
    ["none", undefined, "a person refused it. This is final: do not make this call again"],
  ])(
    "stays denied where a human has said no with %s, and nobody is asked again",
    async (_, reason, said) => {
      const { approver, wire, say } = setUp("drop");
      await wire.refused(call(1, "send"));
      await say((await pending(approver))[0], "denied", reason);
      for (const id of [2, 3]) expect(words(await wire.refused(call(id, "send")))).toContain(said);
      expect(await pending(approver)).toEqual([]);
    },
  );

  it("stays denied after the store has forgotten the no", async () => {
    let [now, isKept] = [1_000_000, true];
    const store = memoryStore();
    const approver = approvals({
      store: { ...store, read: (id) => (isKept ? store.read(id) : undefined) },
      clock: { now: () => now, setTimeout, clearTimeout },
    });
    const wire = new Wire({ guardrails: [destructive("drop")], approver });
    await wire.refused(call(1, "send"));
    await approver.answer((await pending(approver))[0] ?? "", { decision: "denied", by: "ops" });
    await wire.refused(call(2, "send"));
    [now, isKept] = [now + 86_400_000, false];
    expect(words(await wire.refused(call(3, "send")))).toContain("This is final");
    expect(await pending(approver)).toEqual([]);
  });

  it("stays denied where it waited for the no, and waits for no other", async () => {
    const store = memoryStore();
    const approver = approvals({ store, wait: true });
    const wire = new Wire({ guardrails: [destructive("drop")], approver });
    const refused = wire.refused(call(1, "send"));
    await expect.poll(() => pending(approver)).toHaveLength(1);
    await approver.answer((await pending(approver))[0] ?? "", { decision: "denied", by: "ops" });
    expect(words(await refused)).toContain("This is final");
    expect(words(await wire.refused(call(2, "send")))).toContain("This is final");
  });

  it("is asked about again where nobody has said no", async () => {
    const { approver, wire } = setUp("drop");
    const full = approvals({ store: { ...memoryStore(), add: () => false } });
    const other = new Wire({ guardrails: [destructive("drop")], approver: full });
    const answered = words(await other.refused(call(1, "send")));
    expect(answered).toContain("too many approvals are open");
    expect(answered).not.toContain("final");
    await wire.refused(call(1, "send"));
    expect(await pending(approver)).toHaveLength(1);
  });

  it("runs once each of its denials has been lifted", async () => {
    const { approver, wire, say } = setUp("drop", "pay");
    await wire.refused(call(1, "send"));
    await say((await pending(approver))[0], "approved");
    await wire.refused(call(2, "send"));
    const open = (await approver.list()).records.find(({ question }) => question.code === "pay");
    await say(open?.id, "approved");
    await wire.forwarded(call(3, "send"));
  });

  it("is asked about anew by an approver that says nothing of its approvals", async () => {
    let asked = 0;
    const approver: Approver = {
      name: "a",
      ask: () => ({ decision: "pending", approvalId: `id-${++asked}` }),
      recall: () => undefined,
      consume: () => false,
    };
    const wire = new Wire({ guardrails: [destructive("drop")], approver });
    for (const id of [1, 2]) await wire.refused(call(id, "send"));
    expect(asked).toBe(2);
  });
});
