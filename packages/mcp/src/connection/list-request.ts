import { type ToolDefinition, ToolstileError } from "@toolstile/core";
import { fixedCopy } from "./call-result.js";
import { errorMessage, type JsonRpcId, type JsonRpcMessage, own, rpcCodes } from "./json-rpc.js";
import type { Occasion } from "./private-requests.js";
import type { PendingRequest, Requests } from "./requests.js";
import type { ServerTools } from "./server-tools.js";

interface ListSettings {
  readonly tools: ServerTools;
  readonly requests: Requests;
  /** Whether a tool is left off as a courtesy. */
  readonly isHidden: (tool: ToolDefinition) => boolean;
  readonly run: (work: Promise<void>) => void;
  readonly toClient: (message: JsonRpcMessage, extra?: unknown) => void;
  readonly failed: (id: JsonRpcId, error: unknown) => void;
}

/** One `tools/list` of the client's: of its answer the client sees what the guards took on. */
export class ListRequest implements PendingRequest {
  readonly #id: JsonRpcId;
  readonly #occasion: Occasion;
  readonly #settings: ListSettings;
  #isAnswered = false;
  #unheard = false;

  constructor(id: JsonRpcId, occasion: Occasion, settings: ListSettings) {
    this.#id = id;
    this.#occasion = occasion;
    this.#settings = settings;
  }

  answered(message: JsonRpcMessage, extra: unknown): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    this.#settings.run(this.#answer(message, extra));
  }

  cancelled(): boolean {
    this.#unheard = true;
    if (!this.#isAnswered) this.#settings.requests.abandon(this.#id);
    return !this.#isAnswered;
  }

  failed(error: unknown): void {
    // It has its answer, which is only held up here.
    if (this.#isAnswered) return;
    this.#settings.requests.over(this.#id);
    if (!this.#unheard) this.#settings.failed(this.#id, error);
  }

  async #answer(message: JsonRpcMessage, extra: unknown): Promise<void> {
    const filtered = await this.#filtered(message);
    this.#settings.requests.over(this.#id);
    if (!this.#unheard) this.#settings.toClient(filtered, extra);
  }

  async #filtered(answer: JsonRpcMessage): Promise<JsonRpcMessage> {
    // An error lists nothing; with a result beside it, some would read that.
    if (!Object.hasOwn(answer, "result")) return answer;
    try {
      // What the guards are told of is what the client is shown, however long that takes.
      const message = fixedCopy(answer);
      const result = own(message, "result");
      if (Object.hasOwn(message, "error")) throw new TypeError("a result and an error at once");
      const { tools, isHidden } = this.#settings;
      const page = own(result, "tools") as unknown[];
      const isFirst = (own(this.#occasion.params, "cursor") ?? undefined) === undefined;
      const shown = await tools.shown(result, isFirst, this.#occasion);
      const kept = page.filter((tool) => shown.has(tool) && !isHidden(definitionOf(tool)));
      if (kept.length === page.length) return message;
      return { ...message, result: { ...(result as object), tools: kept } };
    } catch (error) {
      const text = ToolstileError.isInstance(error)
        ? error.message
        : "The server's list of tools could not be read.";
      return errorMessage(this.#id, rpcCodes.internal, text);
    }
  }
}

function definitionOf(tool: unknown): ToolDefinition {
  const { name, description, inputSchema, outputSchema, annotations } = tool as ToolDefinition & {
    inputSchema?: ToolDefinition["parameters"];
  };
  return { name, description, parameters: inputSchema, outputSchema, annotations };
}
