import { ToolstileError } from "@toolstile/core";
import { ownValue } from "@toolstile/core/provider";
import {
  envelopeOf,
  errorMessage,
  type JsonRpcId,
  type JsonRpcMessage,
  rpcCodes,
} from "../message/json-rpc.js";
import type { ListOccasion, Occasion } from "../tools/occasion.js";
import type { ServerTools } from "../tools/server-tools.js";
import type { OpenRequest } from "./open-requests.js";
import type { RequestSettings } from "./passed-request.js";

interface ListSettings extends RequestSettings {
  readonly tools: ServerTools;
  /** True for a tool that is left off the list as a courtesy. */
  readonly isHidden: (toolName: string) => boolean;
  /** An answer that cannot change while it is judged. @throws where JSON cannot hold it. */
  readonly fixed: (answer: JsonRpcMessage) => JsonRpcMessage;
  /** Keeps count of what is under way. */
  readonly run: (work: Promise<void>) => void;
}

/** A `tools/list` of the client's. Of the server's answer, the client sees the tools that the guards accepted. */
export class ListRequest implements OpenRequest {
  readonly #id: JsonRpcId;
  readonly #occasion: ListOccasion;
  readonly #settings: ListSettings;
  #isAnswered = false;
  #isGivenUp = false;

  constructor(id: JsonRpcId, occasion: Occasion, settings: ListSettings) {
    this.#id = id;
    this.#settings = settings;
    // A change that the server reports from now on may be missing from its answer.
    const { revision } = settings.tools;
    const isFirst = (ownValue(occasion.params, "cursor") ?? undefined) === undefined;
    // The rest of the params is not kept while the server takes its time.
    const params = { _meta: envelopeOf(occasion.params) };
    this.#occasion = { params, extra: occasion.extra, revision, isFirst };
  }

  get extra(): unknown {
    return this.#occasion.extra;
  }

  get isAwaited(): boolean {
    return !this.#isAnswered;
  }

  answered(message: JsonRpcMessage, extra: unknown): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    this.#settings.run(this.#answer(message, extra));
  }

  cancelled(): boolean {
    this.#isGivenUp = true;
    if (!this.#isAnswered) this.#settings.requests.remove(this.#id, true);
    return !this.#isAnswered;
  }

  failed(error: unknown): void {
    // The answer is there, and is only being judged.
    if (this.#isAnswered) return;
    this.#settings.requests.remove(this.#id);
    if (!this.#isGivenUp) this.#settings.failed(this.#id, error, this.extra);
  }

  async #answer(message: JsonRpcMessage, extra: unknown): Promise<void> {
    const filtered = await this.#filtered(message);
    this.#settings.requests.remove(this.#id);
    if (!this.#isGivenUp) this.#settings.toClient(filtered, extra, this.extra);
  }

  async #filtered(answer: JsonRpcMessage): Promise<JsonRpcMessage> {
    // An error lists nothing; with a result beside it, some would read that.
    if (!Object.hasOwn(answer, "result")) return answer;
    const { tools, isHidden, fixed } = this.#settings;
    try {
      // The guards learn of exactly what the client is shown, however long that takes.
      const message = fixed(answer);
      const result = ownValue(message, "result");
      if (Object.hasOwn(message, "error")) throw new TypeError("a result and an error at once");
      const page = ownValue(result, "tools") as unknown[];
      const shown = await tools.shown(result, this.#occasion);
      const kept = page.filter((_, index) => {
        const tool = shown[index];
        return tool !== undefined && !isHidden(tool.name);
      });
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
