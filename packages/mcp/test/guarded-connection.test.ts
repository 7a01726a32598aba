import { allowAll, deny, modify } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { call, text, Wire } from "./support/wire.js";

describe("a call through a guarded connection", () => {
  it("reaches the server under its id, with its metadata, and its answer is the server's own object", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    const meta = { _meta: { progressToken: 7 } };
    const sent = await wire.forwarded(call(1, "send", { to: "ada" }, meta));
    expect(sent).toEqual(call(1, "send", { to: "ada" }, meta));
    const answer = { jsonrpc: "2.0" as const, id: 1, result: { content: [text("ok")], x: 1 } };
    wire.connection.fromServer(answer);
    expect(await wire.reached("client", 1)).toBe(answer);
  });

  it("that is denied is answered by an error result, and never reaches the server", async () => {
    const guard = { name: "g", evaluate: () => deny("not today") };
    const wire = new Wire({ guardrails: [guard] });
    expect(await wire.refused(call(1, "send"))).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: { content: [text("Tool call denied: not today")], isError: true },
    });
  });

  it("P6 is passed on with the arguments that were decided", async () => {
    const guard = { name: "g", evaluate: () => modify({ to: "bob" }) };
    const wire = new Wire({ guardrails: [guard] });
    expect((await wire.forwarded(call(1, "send", { to: "ada" }))).params).toEqual({
      name: "send",
      arguments: { to: "bob" },
    });
  });
});
