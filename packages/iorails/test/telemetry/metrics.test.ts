import { ToolstileError } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { generate, recorded } from "./recorded.js";

describe("the metrics of requests", () => {
  it("count them, those under way, and how long they took", async () => {
    const r = recorded();
    const open = r.telemetry.startRequest({ mode: "stream" });
    await r.telemetry.request(generate, async () => r.clock.advance(250));
    expect((await r.points("guardrails.requests"))[0]?.value).toBe(2);
    expect((await r.points("guardrails.requests.active"))[0]?.value).toBe(1);
    const [duration] = await r.points("guardrails.request.duration");
    expect(duration).toMatchObject({ value: 0.25, attributes: {} });
    expect([duration?.boundaries?.[0], duration?.boundaries?.at(-1)]).toEqual([0.005, 10]);
    open.end();
    open.end();
    expect((await r.points("guardrails.requests.active"))[0]?.value).toBe(0);
  });

  it("count a blocked request once, by the type of its rail", async () => {
    const r = recorded();
    await r.telemetry.request(generate, async (request) => {
      request.blocked("Output");
      request.blocked("Input");
    });
    await r.telemetry.request(generate, async (request) => request.blocked("Input"));
    const points = await r.points("guardrails.requests.blocked");
    expect(points.map(({ value, attributes }) => [value, attributes])).toEqual([
      [1, { "rail.type": "Output" }],
      [1, { "rail.type": "Input" }],
    ]);
    expect(await r.points("guardrails.requests.errors")).toEqual([]);
  });

  it("count one turned away as a rejection and as an error", async () => {
    const r = recorded();
    const attempt = r.telemetry.request(generate, async () => {
      r.telemetry.rejected("nonstream");
      throw new ToolstileError("ERR_BUSY", "no capacity");
    });
    await expect(attempt).rejects.toThrow();
    r.telemetry.rejected("stream");
    expect((await r.points("guardrails.nonstream.rejections"))[0]?.value).toBe(1);
    expect((await r.points("guardrails.stream.rejections"))[0]?.value).toBe(1);
    expect((await r.points("guardrails.requests.errors"))[0]).toMatchObject({
      value: 1,
      attributes: { "error.type": "ERR_BUSY" },
    });
  });

  it("tell how many wait and how many are at work", async () => {
    const r = recorded();
    r.telemetry.queued(1);
    r.telemetry.queued(1);
    r.telemetry.queued(-1);
    r.telemetry.active("nonstream", 1);
    r.telemetry.active("stream", 1);
    r.telemetry.active("stream", -1);
    expect((await r.points("guardrails.nonstream.queued"))[0]?.value).toBe(1);
    expect((await r.points("guardrails.nonstream.active"))[0]?.value).toBe(1);
    expect((await r.points("guardrails.stream.active"))[0]?.value).toBe(0);
  });
});
