import { allowAll } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { DefinitionPins, memoryPins } from "../src/index.js";
import { call, listed, request, text, Wire } from "./support/wire.js";

const changedSend = listed("send", { title: "Send to anybody" });

describe("a connection with pins", () => {
  const opened = (pins: DefinitionPins) =>
    new Wire({ guardrails: [allowAll()], serverName: "mail", pins });

  it("withholds a tool that has changed, from the list and from calls, until it is approved", async () => {
    const pins = new DefinitionPins();
    await opened(pins).forwarded(call(1, "send"));
    const wire = opened(pins);
    wire.pages = [[changedSend, listed("read")]];
    const told = await wire.exchange(request(1, "tools/list"), { tools: wire.pages[0] });
    expect(told.result).toEqual({ tools: [listed("read")] });
    expect((await wire.refused(call(2, "send"))).result).toEqual({
      content: [
        text(
          "Tool call denied: tool 'send' is withheld: its definition has changed since it was approved",
        ),
      ],
      isError: true,
    });
    await wire.forwarded(call(3, "read"));
    const [status] = (await pins.list()).filter(({ state }) => state === "changed");
    await pins.approve("mail", "send", status?.seen ?? "");
    await wire.forwarded(call(4, "send"));
  });

  it("P3 lets no call run that only the pins had a say about", async () => {
    const pins = new DefinitionPins();
    const wire = new Wire({ guardrails: [], serverName: "mail", pins });
    expect((await wire.refused(call(1, "send"))).result).toMatchObject({ isError: true });
  });

  it("P1 denies all calls where the pins cannot be read", async () => {
    const store = { ...memoryPins(), read: () => Promise.reject(new Error("hunter2")) };
    const wire = opened(new DefinitionPins({ store }));
    const list = request(1, "tools/list");
    const told = [
      await wire.exchange(list, { tools: [listed("send")] }),
      await wire.refused(call(2, "send")),
    ];
    expect(told[0]?.error).toMatchObject({ code: -32603 });
    expect(told[1]?.result).toMatchObject({ isError: true });
    expect(JSON.stringify(told)).not.toContain("hunter2");
  });

  it("uses a server's tools again once its pins are back, without another list of the client's", async () => {
    const store = memoryPins();
    let isThere = true;
    const read = () => (isThere ? store.read() : Promise.reject(new Error("gone")));
    const wire = opened(new DefinitionPins({ store: { ...store, read } }));
    await wire.forwarded(call(1, "send"));
    isThere = false;
    wire.connection.fromServer({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    expect((await wire.refused(call(2, "send"))).result).toMatchObject({ isError: true });
    isThere = true;
    await wire.forwarded(call(3, "send"));
  });
});
