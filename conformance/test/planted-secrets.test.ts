import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect, promisify } from "node:util";
import { AIMessage } from "@langchain/core/messages";
import { tool as langchainTool } from "@langchain/core/tools";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { guardTools } from "@toolstile/ai-sdk";
import { approvals, fileStore, render } from "@toolstile/approval";
import { auditLog, folder } from "@toolstile/audit-log";
import { otel } from "@toolstile/audit-log/otel";
import {
  allowAll,
  deny,
  type JsonObject,
  type JsonValue,
  ToolRunner,
  tool,
  toolResult,
} from "@toolstile/core";
import { guardExecutor } from "@toolstile/core/executor";
import { Guardrails, RailsConfig } from "@toolstile/iorails";
import { GuardedToolNode } from "@toolstile/langchain";
import { kindNames, redact, redactor } from "@toolstile/redact";
import { schemaValidation } from "@toolstile/schema";
import { completionBody, completionChunk, modelServer } from "@toolstile/testing";
import { tool as sdkTool } from "ai";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { recorded } from "../../packages/audit-log/test/otel/recorded.js";
import { forms, plantedItems, plantedKinds } from "../../packages/redact/test/planted.js";
import { Traces } from "./traces.js";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const cli = here("../../packages/toolstile/dist/cli.js");
const planted = plantedItems(1_000, 16);
const traces = new Traces(planted);
const makers = Object.values(forms);
/** Every item once, each in another form than the one before. */
const values = planted.map(({ phrase }, index): JsonValue => {
  const make = makers[index % makers.length];
  return make === undefined ? phrase : make(phrase);
});
const batches = Array.from({ length: 20 }, (_, index) => 50 * index);

function temporary(): string {
  const path = mkdtempSync(join(tmpdir(), "toolstile-planted-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** All texts below a folder. */
function textsIn(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
}

/** The rests of secrets in what was given out, with the kind and the form of each. */
function left(...outputs: readonly unknown[]): readonly string[] {
  const text = outputs.map((each) => (typeof each === "string" ? each : shown(each))).join("\n");
  return [...traces.in(text)].map(
    (index) => `${planted[index]?.kind} as ${Object.keys(forms)[index % makers.length]}`,
  );
}

function shown(value: unknown): string {
  const deep = { depth: 32, maxArrayLength: null, maxStringLength: null, breakLength: Infinity };
  return inspect(value, deep);
}

function masking() {
  return { guardrails: [redact({ arguments: "mask" })] };
}

async function toolstile(...args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [cli, ...args], {
    maxBuffer: 1 << 28,
  });
  return stdout + stderr;
}

describe("1,000 planted secrets, of each structured kind and in each form", {
  tags: "long",
  timeout: 600_000,
}, () => {
  it("are of all kinds, and each is found by what looks for them where nothing masks it", () => {
    expect(plantedKinds).toHaveLength(34);
    expect(new Set(plantedKinds)).toEqual(new Set(kindNames));
    for (const make of makers) {
      const raw = planted.map(({ phrase }) => make(phrase));
      expect(traces.in(JSON.stringify(raw)).size).toBe(1_000);
      expect(traces.in(shown(raw)).size).toBe(1_000);
    }
    expect(left(values)).toHaveLength(1_000);
  });

  it("are in nothing that a runner gives its tool or its model, tells of, logs or shows", async () => {
    const path = join(temporary(), "audit");
    const sdk = recorded();
    const { tracerProvider, meterProvider, loggerProvider } = sdk;
    const given: JsonObject[] = [];
    const told: unknown[] = [];
    const warned: unknown[] = [];
    const warn = (warning: Error) => warned.push(warning.message);
    process.on("warning", warn);
    onTestFinished(() => void process.off("warning", warn));
    const rowOf = ({ row }: JsonObject): JsonValue => values[Number(row)] ?? null;
    const rows = {
      plain: (args: JsonObject) => rowOf(args),
      parts: (args: JsonObject) => {
        const value = rowOf(args);
        const text = typeof value === "string" ? value : JSON.stringify(value);
        return toolResult({ content: [{ type: "text", text }], structured: { value } });
      },
      failing: (args: JsonObject) => {
        throw new TypeError(`no row: ${JSON.stringify(rowOf(args))}`);
      },
    };
    const tools = Object.entries(rows).map(([name, answer]) =>
      tool({
        name,
        execute: (args: JsonObject) => {
          given.push(args);
          return answer(args);
        },
      }),
    );
    const failing = {
      name: "failing-guard",
      evaluate: ({ args }: { args: JsonObject }) => {
        if (Number(args["row"]) % 7 === 0) throw new Error(JSON.stringify(args));
        return { decision: "allow" } as const;
      },
    };
    const log = auditLog({ sink: folder(path), metadata: true });
    const runner = new ToolRunner({
      tools,
      guardrails: [failing, redact({ arguments: "mask" })],
      observers: [log, otel({ tracerProvider, meterProvider, loggerProvider })],
    });
    // The rest of an event is for the host: the arguments as asked for, and what the tool returned or threw.
    runner.on("settled", ({ outcome, decisions }) => {
      const { status, result, usedArgs, modifiedBy } = outcome;
      told.push({ status, result, modifiedBy, decisions });
      if (outcome.executed === true) told.push(usedArgs);
    });
    const names = Object.keys(rows);
    const statuses = new Set<string>();
    for (const [row, note] of values.entries()) {
      const name = names[row % names.length] ?? "";
      const outcome = await runner.run({ name, arguments: { row, note, rows: [{ note }] } });
      statuses.add(outcome.status);
      told.push(outcome.result);
    }
    await runner.close();
    expect([...statuses].sort()).toEqual(["denied", "executed", "failed"]);
    expect(given.length).toBeGreaterThan(800);
    expect(left(given)).toEqual([]);
    expect(left(told)).toEqual([]);
    expect(warned.length).toBeGreaterThan(0);
    expect(left(warned)).toEqual([]);
    expect(sdk.spans()).toHaveLength(1_000);
    const spans = sdk.spans().map(({ name, attributes, events, status }) => ({
      ...{ name, attributes, events, status },
    }));
    const logs = sdk.logs().map(({ body, attributes }) => ({ body, attributes }));
    expect(left(spans, logs, await sdk.points("toolstile.tool.calls"))).toEqual([]);
    expect(left(...textsIn(path))).toEqual([]);
    const page = join(temporary(), "page.html");
    if (!existsSync(cli)) return;
    const pages = [
      await toolstile("audit", path, "--limit", "1000"),
      await toolstile("audit", path, "--json"),
      await toolstile("audit", path, "--html", page),
      await toolstile("verify", path),
    ];
    expect(left(...pages, readFileSync(page, "utf8"))).toEqual([]);
  });

  it("are in no denial, whoever denies, nor in the list of what waits for approval", async () => {
    const told: unknown[] = [];
    const runs = { type: "object", properties: { note: { type: "integer" } } } as const;
    const strict = { ...runs, additionalProperties: false, required: ["note"] } as const;
    const asks = { summary: "A note to somebody" };
    const store = join(temporary(), "approvals");
    const approver = approvals({ store: fileStore(store) });
    const runners = [
      new ToolRunner({
        tools: [tool({ name: "note", execute: () => "" })],
        guardrails: [redact({ arguments: "deny" })],
      }),
      new ToolRunner({
        tools: [tool({ name: "note", parameters: strict, execute: () => "" })],
        guardrails: [schemaValidation()],
      }),
      new ToolRunner({
        tools: [tool({ name: "note", execute: ({ note }: JsonObject) => note ?? null })],
        guardrails: [allowAll(), redact({ results: "deny" })],
      }),
      new ToolRunner({
        tools: [tool({ name: "note", execute: () => "" })],
        guardrails: [
          redact({ arguments: "mask" }),
          {
            name: "held",
            evaluate: () => deny("a note is held", { code: "held", approval: asks }),
          },
        ],
        approver,
      }),
    ];
    for (const [index, note] of values.entries()) {
      // One of each kind is held: each is a file on the disk.
      const runner = runners[index < plantedKinds.length ? 3 : index % 3];
      const { status, result, decisions } = await (runner as ToolRunner).run({
        name: "note",
        arguments: { note },
      });
      expect(["denied", "withheld"]).toContain(status);
      told.push(result, decisions);
    }
    expect(left(told)).toEqual([]);
    const { records } = await approver.list();
    expect(records).toHaveLength(plantedKinds.length);
    // The question has the arguments as the model asked for them, which the person must see; the masked ones have none.
    expect(left(records.map(({ question }) => question.args))).toEqual([]);
    for (const { question } of records) expect(render(question)).toContain("A note to somebody");
    if (existsSync(cli))
      expect(left(await toolstile("approvals", "list", "--store", store))).toEqual([]);
    await approver.close?.();
  });

  it("are in nothing that adapters and an executor give back", async () => {
    const given: unknown[] = [];
    const got: unknown[] = [];
    const rowsFrom = (from: number) => values.slice(from, from + 50);
    const input = z.object({ from: z.number(), notes: z.array(z.any()) });
    const execute = async (args: { readonly from: number }) => {
      given.push(args);
      return JSON.stringify(rowsFrom(args.from));
    };
    const sdk = guardTools({ rows: sdkTool({ inputSchema: input, execute }) }, masking());
    const run = sdk.rows.execute as (input: object, call: object) => Promise<unknown>;
    const node = new GuardedToolNode(
      [langchainTool(execute, { name: "rows", description: "", schema: input })],
      masking(),
    );
    await using executor = guardExecutor(async (_name, args) => execute(args as never), {
      tools: [{ name: "rows" }],
      ...masking(),
    });
    for (const from of batches) {
      const args = { from, notes: rowsFrom(from) };
      got.push(await run(args, { toolCallId: `c${from}`, messages: [] }));
      const calls = [{ id: "c1", name: "rows", args }];
      const { messages } = await node.invoke({
        messages: [new AIMessage({ content: "", tool_calls: calls })],
      });
      got.push(messages.map(({ content }: { readonly content: unknown }) => content));
      got.push(await executor("rows", args));
    }
    expect(given).toHaveLength(60);
    expect(left(given)).toEqual([]);
    expect(left(got)).toEqual([]);
  });

  it("are in no piece of an answer that comes in pieces, wherever it is cut", async () => {
    const text = values
      .map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
      .join("\n");
    const cut = (from: number): number => from + 1 + ((from * 7_919) % 61);
    const pieces = function* () {
      for (let at = 0; at < text.length; at = cut(at)) yield text.slice(at, cut(at));
    };
    const rows = async function* () {
      yield* pieces();
    };
    const runner = new ToolRunner({
      tools: [tool({ name: "rows", execute: rows })],
      guardrails: [allowAll(), redact()],
    });
    const read: unknown[] = [];
    const stream = runner.stream({ name: "rows" });
    let step = await stream.next();
    for (; !step.done; step = await stream.next()) read.push(step.value);
    const { result } = step.value;
    expect(left(text)).not.toEqual([]);
    expect(read.join("")).toContain("[redacted personal.email]");
    expect(left(read.join(""), result)).toEqual([]);
    const redacting = redactor().stream();
    const written = [...pieces()].map((piece) => redacting.push(piece));
    expect(left([...written, redacting.end()].join(""))).toEqual([]);
  });

  it("are in nothing that the engine sends to its model, answers, streams or traces", async () => {
    const sdk = recorded();
    const api = createRequire(here("../../packages/iorails/package.json"))("@opentelemetry/api");
    api.trace.setGlobalTracerProvider(sdk.tracerProvider);
    const texts = batches.map((from) => JSON.stringify(values.slice(from, from + 50)));
    let asked = 0;
    await using server = await modelServer(({ body }) => {
      const content = texts[asked++ % texts.length] ?? "";
      if (Reflect.get(Object(body), "stream") !== true)
        return { body: completionBody({ content }) };
      const cuts = Array.from({ length: Math.ceil(content.length / 23) }, (_, at) => 23 * at);
      return {
        events: cuts.map((at) => completionChunk({ content: content.slice(at, at + 23) })),
      };
    });
    const entities = ["SECRET", "CREDIT_CARD", "EMAIL_ADDRESS", "IBAN_CODE", "IP_ADDRESS"];
    const all = { entities: [...entities, "MAC_ADDRESS", "PHONE_NUMBER", "US_SSN"] };
    const config = await RailsConfig.fromContent({
      config: {
        models: [
          { type: "main", engine: "openai", model: "m", parameters: { base_url: server.url } },
        ],
        tracing: { enabled: true },
        rails: {
          config: { sensitive_data_detection: { input: all, output: all } },
          input: { flows: ["mask sensitive data on input"] },
          output: {
            flows: ["mask sensitive data on output"],
            streaming: { enabled: true, stream_first: false, context_size: 0 },
          },
        },
      },
    });
    await using rails = new Guardrails(config, { env: {} });
    const got: unknown[] = [];
    for (const text of texts) {
      const messages = [{ role: "user" as const, content: text }];
      const log = { activated_rails: true, llm_calls: true };
      got.push(await rails.generate({ messages, options: { log } }));
      const pieces: string[] = [];
      for await (const chunk of rails.stream({ messages }))
        pieces.push(chunk.type === "text" ? chunk.text : shown(chunk));
      got.push(pieces.join(""));
    }
    expect(server.requests).toHaveLength(2 * texts.length);
    expect(left(server.requests.map(({ body }) => body))).toEqual([]);
    expect(left(got)).toEqual([]);
    expect(sdk.spans().length).toBeGreaterThan(texts.length);
    expect(left(sdk.spans().map(({ attributes, events }) => ({ attributes, events })))).toEqual([]);
  });

  it.skipIf(!existsSync(cli))("are in nothing that passes an MCP proxy, either way", async () => {
    const path = temporary();
    const [rows, received] = [join(path, "rows.json"), join(path, "received")];
    writeFileSync(rows, JSON.stringify(values));
    const own = mkdtempSync(join(here(".."), ".toolstile-planted-"));
    onTestFinished(() => rmSync(own, { recursive: true, force: true }));
    writeFileSync(
      join(own, "guard.yaml"),
      `version: 1
guards:
  - use: "@toolstile/schema"
  - use: "@toolstile/redact"
    with: { arguments: mask }
observers:
  - use: "@toolstile/audit-log"
    with: { folder: { path: ${JSON.stringify(join(path, "audit"))} }, metadata: true }
`,
    );
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [
        ...[cli, "mcp", "--config", join(own, "guard.yaml"), "--no-pins", "--"],
        ...[process.execPath, here("echoing-server.mjs")],
      ],
      env: { PATH: process.env["PATH"] ?? "", VALUES: rows, RECEIVED: received },
      stderr: "pipe",
    });
    let complaints = "";
    transport.stderr?.on("data", (piece) => {
      complaints += piece;
    });
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(transport);
    const got: unknown[] = [];
    for (const from of batches) {
      const notes = values.slice(from, from + 50);
      got.push(await client.callTool({ name: "rows", arguments: { from, notes } }));
    }
    await client.close();
    const arrived = readFileSync(received, "utf8");
    expect(arrived.trim().split("\n")).toHaveLength(batches.length);
    expect(left(got)).toEqual([]);
    expect(left(arrived, complaints)).toEqual([]);
    expect(left(...textsIn(join(path, "audit")))).toEqual([]);
  });
});
