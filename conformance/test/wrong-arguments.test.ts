import * as aiSdk from "@toolstile/ai-sdk";
import * as allowlist from "@toolstile/allowlist";
import * as approval from "@toolstile/approval";
import * as approvalPostgres from "@toolstile/approval/postgres";
import * as auditLog from "@toolstile/audit-log";
import * as otel from "@toolstile/audit-log/otel";
import * as auditPostgres from "@toolstile/audit-log/postgres";
import * as claudeAgent from "@toolstile/claude-agent";
import * as config from "@toolstile/config";
import * as containment from "@toolstile/containment";
import * as scanner from "@toolstile/containment/scanner";
import * as core from "@toolstile/core";
import * as executor from "@toolstile/core/executor";
import * as iorails from "@toolstile/iorails";
import * as langchain from "@toolstile/langchain";
import * as mastra from "@toolstile/mastra";
import * as mcp from "@toolstile/mcp";
import * as openai from "@toolstile/openai";
import * as openaiAgents from "@toolstile/openai-agents";
import * as rateLimit from "@toolstile/rate-limit";
import * as redis from "@toolstile/rate-limit/redis";
import * as redact from "@toolstile/redact";
import * as resultLinkage from "@toolstile/result-linkage";
import * as rules from "@toolstile/rules";
import * as schema from "@toolstile/schema";
import * as testing from "@toolstile/testing";
import { describe, expect, it } from "vitest";

/** The packages that people import. The entries of core for packages take what their types say. */
const modules = {
  "ai-sdk": aiSdk,
  allowlist,
  approval,
  "approval/postgres": approvalPostgres,
  "audit-log": auditLog,
  "audit-log/otel": otel,
  "audit-log/postgres": auditPostgres,
  "claude-agent": claudeAgent,
  config,
  containment,
  "containment/scanner": scanner,
  core,
  "core/executor": executor,
  iorails,
  langchain,
  mastra,
  mcp,
  openai,
  "openai-agents": openaiAgents,
  "rate-limit": rateLimit,
  "rate-limit/redis": redis,
  redact,
  "result-linkage": resultLinkage,
  rules,
  schema,
  testing,
};

const functions = Object.entries(modules).flatMap(([module, exported]) =>
  Object.entries(exported)
    .filter((entry): entry is [string, (given?: unknown) => unknown] => isFunction(entry[1]))
    .map(([name, call]) => ({ name: `${module}: ${name}()`, call })),
);

/** Classes have fields and methods to be read, and are made by few. */
function isFunction(value: unknown): boolean {
  return typeof value === "function" && !/^class\b/.test(String(value));
}

/** The error of a call, at once or later. */
async function errorOf(call: (given?: unknown) => unknown, given: unknown): Promise<unknown> {
  try {
    const made = await call(given);
    const next: unknown = Object(made)[Symbol.asyncIterator]?.().next();
    await next;
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("a function that is given what it cannot use", () => {
  it.each(functions)("does not leave it to the engine to say so: $name", async ({ call }) => {
    const found: unknown[] = [];
    for (const given of [undefined, null, 5, {}, []]) {
      const error = await errorOf(call, given);
      if (error instanceof TypeError) found.push([given, error.message]);
    }
    expect(found).toEqual([]);
  });

  it.each<[string, () => unknown, string]>([
    ["verify()", () => auditLog.verify(undefined as never), "'source' must be the path of a file"],
    ["verify()", () => auditLog.verify(5 as never), "bytes, or its lines, received 5."],
    ["verify()", () => auditLog.verify({} as never), "or its lines, received object."],
    ["verify()", () => auditLog.verify([7] as never), "or its lines, received an array."],
    ["textOf()", () => core.textOf({ result: {} } as never), "as in outcome.result"],
    ["throwOnDeny()", () => core.throwOnDeny(Promise.resolve() as never), "the awaited outcome"],
    ["render()", () => approval.render({ question: {} } as never), "as in record.question"],
    ["chatTools()", () => openai.chatTools([] as never), "'runner' must be a ToolRunner"],
    ["memoryTokens()", () => redact.memoryTokens({ max: 5 } as never), "no option 'max'"],
  ])("%s says what it takes", async (where, call, words) => {
    const error = await errorOf(call, undefined);
    expect(core.ToolstileError.isInstance(error)).toBe(true);
    expect(String(error)).toContain(where);
    expect(String(error)).toContain(words);
  });
});
