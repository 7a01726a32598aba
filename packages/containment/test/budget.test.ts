import { type ToolOutcome, ToolRunner } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { containment } from "../src/index.js";
import { world } from "./world.js";

function sender(bytesPerDestination: number, execute: () => unknown = () => 1) {
  const guard = containment({ tools: world, unknownTools: "ignore", bytesPerDestination });
  const runner = new ToolRunner({ guardrails: [guard], tools: [{ name: "send_mail", execute }] });
  return (to: string, body: string): Promise<ToolOutcome> =>
    runner.run(
      { name: "send_mail", arguments: { to: [to], body } },
      { context: { sessionId: "s" } },
    );
}

/** `{"body":"…","to":["ann@example.com"]}` without the text. */
const frame = 36;

describe("bytesPerDestination", () => {
  it("counts all bytes of arguments to one destination, and holds the call that is too much", async () => {
    const send = sender(2 * frame + 10);
    expect((await send("ann@example.com", "12345")).status).toBe("executed");
    expect((await send("Ann <ann@EXAMPLE.com>", "1")).status).toBe("denied");
    expect((await send("ann@example.com", "12345")).status).toBe("executed");
    expect(await send("ann@example.com", "")).toMatchObject({ status: "denied", code: "budget" });
    expect((await send("bob@example.com", "12345")).status).toBe("executed");
  });

  it("counts all URLs of a host together", async () => {
    const guard = containment({ tools: world, unknownTools: "ignore", bytesPerDestination: 80 });
    const tools = [{ name: "fetch", execute: () => 1 }];
    const runner = new ToolRunner({ guardrails: [guard], tools });
    const statuses = [];
    for (const url of ["https://a.com/?part=1", "http://A.com:8080/other", "https://a.com/third"]) {
      const request = { name: "fetch", arguments: { url } };
      statuses.push((await runner.run(request, { context: { sessionId: "s" } })).status);
    }
    expect(statuses).toEqual(["executed", "executed", "denied"]);
  });

  it("gives back what a call took that did not run", async () => {
    const guard = containment({
      tools: world,
      unknownTools: "ignore",
      bytesPerDestination: frame + 5,
    });
    const last = {
      name: "last",
      evaluate: () => ({ decision: "allow" }) as const,
      admit: () => ({ decision: "deny", reason: "no" }) as const,
    };
    const tools = [{ name: "send_mail", execute: () => "sent" }];
    const refused = new ToolRunner({ guardrails: [guard, last], tools });
    const request = { name: "send_mail", arguments: { to: ["ann@example.com"], body: "12345" } };
    const options = { context: { sessionId: "s" } };
    expect((await refused.run(request, options)).status).toBe("denied");
    const runner = new ToolRunner({ guardrails: [guard], tools });
    expect((await runner.run(request, options)).status).toBe("executed");
    expect((await runner.run(request, options)).status).toBe("denied");
  });

  it("is not exceeded by calls at once", async () => {
    let ran = 0;
    const send = sender(frame + 5, () => {
      ran += 1;
    });
    await Promise.all(Array.from({ length: 8 }, () => send("ann@example.com", "12345")));
    expect(ran).toBe(1);
  });
});
