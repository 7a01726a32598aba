import { allowAll } from "@toolstile/core";
import { CallerAbort } from "@toolstile/core/provider";
import { describe, expect, it } from "vitest";
import { call, text, Wire } from "./support/wire.js";

describe("a signal of the host's", () => {
  it("P4 that is a CallerAbort ends a call as the platform's does, and not one that is over", async () => {
    const stop = new CallerAbort();
    const wire = new Wire({ guardrails: [allowAll()], describe: () => ({ signal: stop }) });
    await wire.exchange(call(1, "send"), { content: [] });
    await wire.forwarded(call(2, "send"));
    stop.abort();
    expect((await wire.reached("client", 2)).result).toMatchObject({
      content: [text("Tool call aborted.")],
    });
    const cancelled = wire.server.filter(({ method }) => method === "notifications/cancelled");
    expect(cancelled).toMatchObject([{ params: { requestId: 2 } }]);
    expect((await wire.refused(call(3, "send"))).result).toMatchObject({ isError: true });
  });

  it.each<[string, unknown]>([
    ["its controller", new AbortController()],
    ["null", null],
    ["text", "stop"],
  ])("that is %s, which nothing could end, has the call denied", async (_, signal) => {
    const describe = () => ({ signal }) as never;
    const wire = new Wire({ guardrails: [allowAll()], describe });
    expect((await wire.refused(call(1, "send"))).result).toMatchObject({
      content: [text(expect.stringContaining("must be an AbortSignal") as never)],
      isError: true,
    });
  });
});
