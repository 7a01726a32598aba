import { allowAll } from "@toolstile/core";
import { fakeClock } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { answer, call, request, Wire } from "./support/wire.js";

const progress = (progressToken: unknown, step = 1) => ({
  jsonrpc: "2.0" as const,
  method: "notifications/progress",
  params: { progressToken, progress: step },
});
const withToken = (progressToken: unknown) => ({ _meta: { progressToken } });
const heard = (wire: Wire) => wire.client.map(({ method }) => method).filter(Boolean);

describe("the progress of a request", () => {
  it.each([0, "", "t", 7])(
    "is passed on while the request waits for its answer, by token %j",
    async (token) => {
      const wire = new Wire({ guardrails: [allowAll()] });
      await wire.forwarded(call(1, "send", {}, withToken(token)));
      await wire.forwarded(request(2, "resources/list"));
      wire.connection.fromServer(progress(token));
      wire.connection.fromServer(progress(String(token)));
      wire.connection.fromServer(answer(1, { content: [] }));
      await wire.reached("client", 3);
      wire.connection.fromServer(progress(token));
      expect(heard(wire)).toEqual(["notifications/progress", "notifications/progress"]);
    },
  );

  it("goes no further after the deadline's answer", async () => {
    const clock = fakeClock();
    const wire = new Wire({ guardrails: [allowAll()], clock, callTimeoutMs: 100 });
    await wire.forwarded(call(1, "send", {}, withToken("t")));
    clock.advance(100);
    wire.connection.fromServer(progress("t"));
    await wire.reached("client", 1);
    wire.connection.fromServer(progress("t"));
    expect(heard(wire)).toEqual([]);
  });

  it.each(["tools/call", "resources/read"])(
    "of a %s goes no further once the client has cancelled it",
    async (method) => {
      const wire = new Wire({ guardrails: [allowAll()] });
      const asked =
        method === "tools/call"
          ? call(1, "send", {}, withToken("t"))
          : request(1, method, withToken("t"));
      await wire.forwarded(asked);
      wire.connection.fromClient({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: 1 },
      });
      wire.connection.fromServer(progress("t"));
      expect(heard(wire)).toEqual([]);
    },
  );

  it("goes on for one request where another with the same token is over", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    for (const id of [1, 2]) await wire.forwarded(request(id, "prompts/list", withToken("t")));
    wire.connection.fromServer(answer(1, {}));
    wire.connection.fromServer(progress("t"));
    wire.connection.fromServer(answer(2, {}));
    wire.connection.fromServer(progress("t"));
    expect(heard(wire)).toEqual(["notifications/progress"]);
  });

  it.each([undefined, null, "other", {}, ["t"]])(
    "that has the token %j belongs to none, and is dropped",
    async (token) => {
      const wire = new Wire({ guardrails: [allowAll()] });
      await wire.forwarded(call(1, "send", {}, withToken("t")));
      wire.connection.fromServer(progress(token));
      expect(heard(wire)).toEqual([]);
    },
  );
});
