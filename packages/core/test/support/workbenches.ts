import { deny, type JsonObject, type ToolDefinition, type ToolResult } from "../../src/index.js";
import type { Workbench, WorkbenchCallOptions } from "../../src/workbench/index.js";
import { guard } from "./runners.js";

/** A workbench as somebody else would write one: no guards, no runner. */
export class InnerBench implements Workbench {
  tools: ToolDefinition[];
  readonly calls: [name: string, args: unknown, options: WorkbenchCallOptions][] = [];
  readonly log: string[] = [];
  state: JsonObject = {};
  answer: (name: string, args: unknown) => Partial<ToolResult> | Promise<Partial<ToolResult>> =
    () => ({ content: "done" });

  constructor(...names: string[]) {
    this.tools = names.map((name) => ({ name }));
  }
  async listTools(): Promise<readonly ToolDefinition[]> {
    this.log.push("listTools");
    return this.tools;
  }
  async callTool(name: string, args: unknown, options: WorkbenchCallOptions): Promise<ToolResult> {
    this.calls.push([name, args, options]);
    return {
      callId: options.callId ?? "",
      name,
      isError: false,
      content: "",
      ...(await this.answer(name, args)),
    };
  }
  async *callToolStream(
    name: string,
    args: unknown,
    options: WorkbenchCallOptions,
  ): AsyncGenerator<unknown, void> {
    yield "piece";
    yield await this.callTool(name, args, options);
  }
  async start(): Promise<void> {
    this.log.push("start");
  }
  async stop(): Promise<void> {
    this.log.push("stop");
  }
  async reset(): Promise<void> {
    this.log.push("reset");
  }
  async saveState(): Promise<JsonObject> {
    return this.state;
  }
  async loadState(state: JsonObject): Promise<void> {
    this.state = state;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.log.push("dispose");
  }
}

export async function pieces(stream: AsyncGenerator<unknown, void>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const piece of stream) all.push(piece);
  return all;
}
export const last = async (stream: AsyncGenerator<unknown, void>): Promise<ToolResult> =>
  (await pieces(stream)).at(-1) as ToolResult;

export const denies = () => guard("no", { evaluate: () => deny("no", { code: "nope" }) });
