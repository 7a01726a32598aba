import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import type { GuardrailProvider } from "@toolstile/core";
import { plugin } from "@toolstile/rate-limit/redis";
import { createClient } from "redis";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { clients } from "./redis-clients.js";
import { ownPrefix, removeAll, someRedis } from "./redis-server.js";
import { toolCall } from "./tool-call.js";

const server = await someRedis();
const prefix = ownPrefix();
const limits = { limit: 2, windowMs: 60_000 };
const made = (redis: object) =>
  plugin.create({ ...limits, redis: { prefix, ...redis } } as never) as GuardrailProvider;

describe.skipIf(server === undefined)("the plugin of a rate limit on Redis", () => {
  const url = server?.url ?? "";
  afterAll(async () => {
    const [, open] = clients[1] as (typeof clients)[number];
    const client = open(url);
    await removeAll(client, prefix);
    client.close();
    await server?.remove();
  });

  it("P14 counts for all that share a server", async () => {
    const [one, other] = [made({ url, timeoutMs: 5_000 }), made({ url, timeoutMs: 5_000 })];
    expect(await one.admit?.(toolCall("search"))).toMatchObject({ decision: "allow" });
    expect(await other.admit?.(toolCall("search"))).toMatchObject({ decision: "allow" });
    expect(await one.admit?.(toolCall("search"))).toMatchObject({
      decision: "deny",
      code: "rate_limit",
    });
    await Promise.all([one.close?.(), other.close?.()]);
  });

  it("closes its connection", async () => {
    const admin = createClient({ url });
    await admin.connect();
    const id = Number(await admin.sendCommand(["CLIENT", "ID"]));
    const limiter = made({ url, timeoutMs: 5_000 });
    await limiter.evaluate(toolCall("search"));
    const connected = async () =>
      String(await admin.sendCommand(["CLIENT", "LIST"])).match(/^id=(\d+)/gm) ?? [];
    const later = (ids: readonly string[]) => ids.filter((each) => Number(each.slice(3)) > id);
    const before = later(await connected());
    await limiter.close?.();
    await expect.poll(async () => later(await connected()).length).toBeLessThan(before.length);
    await admin.close();
  });
});

describe("the plugin of a rate limit on Redis", () => {
  it("P1 denies while nothing answers there, and closes all the same", async () => {
    const limiter = made({ url: "redis://127.0.0.1:1", firstTimeoutMs: 25 });
    expect(await limiter.evaluate(toolCall("search"))).toMatchObject({ code: "rate_limit_store" });
    await limiter.close?.();
  });

  it("connects when it is first asked, and not for those who only look at it", async () => {
    let connections = 0;
    const service = createServer((socket) => {
      connections += 1;
      socket.on("error", () => {}).destroy();
    }).listen(0, "127.0.0.1");
    await once(service, "listening");
    onTestFinished(() => void service.close());
    const { port } = service.address() as AddressInfo;
    const limiter = made({ url: `redis://127.0.0.1:${port}`, firstTimeoutMs: 25 });
    limiter.register?.({ name: "search" });
    // A server accepts in the order in which it is asked.
    await once(connect(port, "127.0.0.1"), "close");
    expect(connections).toBe(1);
    expect(await limiter.evaluate(toolCall("search"))).toMatchObject({ code: "rate_limit_store" });
    await expect.poll(() => connections).toBeGreaterThan(1);
    await limiter.close?.();
  });

  it("closes though it never was asked, and connects to nothing after that", async () => {
    const limiter = made({ url: "redis://127.0.0.1:1" });
    await limiter.close?.();
    expect(await limiter.evaluate(toolCall("search"))).toMatchObject({ code: "rate_limit_store" });
    await limiter.close?.();
  });

  it.each([
    [{ redis: {} }, "'url'"],
    [{ redis: { url: "redis://x", timeoutMs: 1 } }, "timeoutMs"],
    [{ redis: { url: "redis://x", urls: "x" } }, "Did you mean 'url'?"],
    [{ redis: { url: "redis://x" }, limit: 0 }, "limit"],
    [{}, "redis"],
  ])("P5 refuses %j", (options, message) => {
    expect(() => plugin.create({ ...limits, ...options } as never)).toThrow(message);
  });

  it("has a schema that says every option but functions, and is JSON", () => {
    const { optionsSchema } = plugin;
    expect(JSON.parse(JSON.stringify(optionsSchema))).toEqual(optionsSchema);
    const properties = optionsSchema["properties"] as Record<string, { properties: object }>;
    expect(Object.keys(properties).sort().join(" ")).toBe(
      "algorithm burst concurrency cost key limit limits name reason redis windowMs",
    );
    expect(
      Object.keys(properties["redis"]?.properties ?? {})
        .sort()
        .join(" "),
    ).toBe("firstTimeoutMs leaseMs maxKeys onOutage peek prefix timeoutMs url");
  });
});
