import { allowAll, deny } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { DefinitionPins, type GuardedConnectionOptions } from "../src/index.js";
import { call, denied, Wire } from "./support/wire.js";

describe("what the host knows of a call", () => {
  const principal = {
    name: "g",
    evaluate: ({
      context,
    }: {
      context: { principal?: string | undefined; attributes?: object | undefined };
    }) => deny(`${context.principal} ${JSON.stringify(context.attributes)}`),
  };

  it("is described by the host, with the server's name beside its attributes", async () => {
    const wire = new Wire({
      guardrails: [principal],
      serverName: "mail",
      describe: ({ meta, params, extra }) => ({
        context: {
          principal: `${(params as { name: string }).name} ${(meta as { u: string }).u} ${extra}`,
          attributes: { a: 1 },
        },
      }),
    });
    wire.connection.fromClient(call(1, "send", {}, { _meta: { u: "ann" } }), "stdio");
    expect(await wire.reached("client", 1)).toEqual(
      denied(1, 'send ann stdio {"a":1,"mcpServer":"mail"}'),
    );
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("password=hunter2");
      },
    ],
    ["answers with a promise", async () => ({})],
    [
      "answers with a class instance",
      () =>
        new (class {
          get context() {
            return {};
          }
        })(),
    ],
    ["answers with a list", () => []],
    ["gives a map for context", () => ({ context: new Map() })],
    ["gives a promise for attributes", () => ({ context: { attributes: Promise.reject(1) } })],
    ["misspells a member", () => ({ agentname: "a" })],
  ])("P1 denies where it %s", async (_, describe) => {
    for (const serverName of ["mail", undefined]) {
      const wire = new Wire({
        guardrails: [allowAll()],
        serverName,
        describe: describe as never,
      });
      const told = JSON.stringify(await wire.refused(call(1, "send")));
      expect(told).toContain('"isError":true');
      expect(told).not.toContain("hunter2");
    }
  });

  it("declares no tools for a call", async () => {
    const wire = new Wire({
      guardrails: [allowAll()],
      describe: () => ({ tools: [{ name: "absent" }] }),
    });
    expect((await wire.refused(call(1, "absent"))).result).toMatchObject({ isError: true });
  });
});

describe("the options of a guarded connection", () => {
  it.each<[object, RegExp]>([
    [{ guardrail: [] }, /Did you mean 'guardrails'/],
    [{}, /'guardrails' must be an array of guardrails/],
    [{ tools: [] }, /no option 'tools'/],
    [{ serverName: "" }, /serverName/],
    [{ pins: {} }, /'pins' must be a DefinitionPins/],
    [{ pins: new DefinitionPins() }, /'pins' need a 'serverName'/],
    [{ passMethods: "x" }, /'passMethods' must be an array of names/],
    [{ approver: {} }, /'approver' must be/],
    [{ callTimeoutMs: 0 }, /callTimeoutMs/],
    [{ callTimeoutMs: "5" }, /callTimeoutMs/],
    [{ hideDenied: 1 }, /hideDenied/],
    [{ describe: {} }, /describe/],
  ])("P5 %j are refused at once", (options, message) => {
    const given =
      "guardrail" in options || Object.keys(options).length === 0
        ? options
        : { guardrails: [allowAll()], ...options };
    expect(() => new Wire(given as GuardedConnectionOptions)).toThrowError(message);
  });
});
