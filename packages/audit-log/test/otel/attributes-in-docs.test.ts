import { readFileSync } from "node:fs";
import { allowAll, deny, type GuardrailProvider, ToolRunner } from "@toolstile/core";
import { fakeTool } from "@toolstile/testing";
import { expect, it } from "vitest";
import { otel } from "../../src/otel.js";
import { recorded } from "./recorded.js";

const pages = ["docs/operate/opentelemetry.md", "docs/providers/audit-log-otel.md"].map((path) => ({
  path,
  text: readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8"),
}));

const signals = ["span", "calls, duration", "denials", "log record"] as const;
type Attributed = Record<(typeof signals)[number], readonly string[]>;

/** The attributes that each signal has, of calls that end in every way that has an attribute of its own. */
async function sent(): Promise<Attributed> {
  const sdk = recorded();
  const { tracerProvider, meterProvider, loggerProvider } = sdk;
  const noGin: GuardrailProvider = {
    name: "no-gin",
    evaluate: ({ args }) =>
      args["q"] === "gin" ? deny("no", { code: "gin" }) : { decision: "allow" },
  };
  const fails = () => {
    throw new TypeError("no");
  };
  const runner = new ToolRunner({
    tools: [fakeTool("search"), fakeTool("fail", { execute: fails })],
    guardrails: [allowAll(), noGin],
    observers: [otel({ tracerProvider, meterProvider, loggerProvider, captureContent: true })],
  });
  for (const [name, args] of [
    ["search", {}],
    ["search", { q: "gin" }],
    ["fail", {}],
  ] as const) {
    await runner.run({ name, arguments: args }, { agentName: "support" });
  }
  const names = (all: readonly object[]) => [...new Set(all.flatMap(Object.keys))].sort();
  const points = async (name: string) =>
    (await sdk.points(`toolstile.tool.${name}`)).map(({ attributes }) => attributes);
  return {
    span: names(sdk.spans().map(({ attributes }) => attributes)),
    "calls, duration": names([...(await points("calls")), ...(await points("duration"))]),
    denials: names(await points("denials")),
    "log record": names(sdk.logs().map(({ attributes }) => attributes)),
  };
}

/** The same, as the table of a page says it. */
function said(text: string): Attributed {
  const rows = [...text.matchAll(/^\| `([a-z_.]+\.[a-z_.]+)` \|(.*)\|$/gm)].map(
    ([, name = "", rest = ""]) => ({
      name,
      cells: rest.split("|").map((cell) => cell.trim()),
    }),
  );
  const of = (column: number) =>
    rows
      .filter(({ cells }) => cells[column] === "yes")
      .map(({ name }) => name)
      .sort();
  return { span: of(0), "calls, duration": of(1), denials: of(2), "log record": of(3) };
}

it.each(pages)("$path names the attributes of each signal, and no others", async ({ text }) => {
  const found = await sent();
  expect(found.span).toContain("toolstile.basis");
  expect(said(text)).toEqual(found);
});
