import {
  deny,
  type GuardrailProvider,
  quoted,
  type ToolCall,
  type ToolRunner,
  ToolstileError,
  when,
} from "@toolstile/core";
import type { DefinitionPins } from "../pins/definition-pins.js";
import { own } from "./json-rpc.js";
import { type ListedTool, readTool, toolOf, withoutTwins } from "./listed-tool.js";
import type { Occasion } from "./private-requests.js";
import { mostTools, ToolPages } from "./tool-pages.js";

export interface ServerToolsOptions {
  readonly pins: DefinitionPins | undefined;
  readonly serverName: string | undefined;
  /** Ask the server for one page of its list. */
  readonly ask: (params: object, occasion: Occasion) => Promise<unknown>;
  readonly report: (phase: string, error: unknown) => void;
}

/**
 * The tools of one server, as its guards took them on.
 *
 * What a guard was told of a tool, what the client is shown and what a call is
 * checked against is one definition.
 */
export class ServerTools {
  readonly #options: ServerToolsOptions;
  #runner: ToolRunner | undefined;
  #tools: ReadonlyMap<string, ListedTool> = new Map();
  #admitted: ReadonlySet<string> = new Set();
  /** Why a tool is withheld, by name. */
  #withheld: ReadonlyMap<string, string> = new Map();
  /** Why no tool of the server can be used. */
  #problem: ToolstileError | undefined;
  #isFresh = false;
  #walking: Promise<void> | undefined;
  #loading: Promise<void> = Promise.resolve();

  constructor(options: ServerToolsOptions) {
    this.#options = options;
  }

  /** Calls that cannot be judged, by call id: why. */
  readonly #unfit = new Map<string, string>();

  /** What denies calls that cannot be judged, and those of tools that are withheld. It has no say about any other, and so judges none. */
  readonly guardrail: GuardrailProvider = when((call) => this.#refusal(call) !== undefined, {
    name: "mcp-connection",
    evaluate: (call) => deny(this.#refusal(call) ?? "the tool is withheld", { code: "withheld" }),
  });

  /** The runner that takes the tools on. */
  set runner(runner: ToolRunner) {
    this.#runner = runner;
  }

  #refusal({ toolName, callId }: ToolCall): string | undefined {
    const unfit = this.#unfit.get(callId);
    if (unfit !== undefined) return unfit;
    if (this.#problem !== undefined) return "the server's tools could not be taken on";
    const reason = this.#withheld.get(toolName);
    return reason === undefined ? undefined : `tool ${quoted(toolName)} is withheld: ${reason}`;
  }

  /** Have one call denied for this reason, while it is decided. */
  async refusing<T>(callId: string, reason: string, act: () => Promise<T>): Promise<T> {
    this.#unfit.set(callId, reason);
    try {
      return await act();
    } finally {
      this.#unfit.delete(callId);
    }
  }

  /** The list may have changed: it is read again before it is next used. */
  changed(): void {
    this.#isFresh = false;
  }

  definition(name: string): Readonly<Record<string, unknown>> | undefined {
    return this.#tools.get(name)?.definition;
  }

  /** Look for a tool that is not known, or cannot be used and may be by now; once for all who look at the same time. It never rejects. */
  know(name: string, occasion: Occasion): Promise<void> | undefined {
    const isUsable = this.#problem === undefined && !this.#withheld.has(name);
    if (this.#isFresh && this.#tools.has(name) && isUsable) return undefined;
    return this.#walk(occasion);
  }

  /**
   * What of a page of the server's list the client is shown.
   *
   * @param isFirst whether the client asked for the list from its start.
   * @throws ToolstileError where the guards do not fit the server's tools.
   */
  async shown(result: unknown, isFirst: boolean, occasion: Occasion): Promise<Set<unknown>> {
    const page = own(result, "tools");
    if (!Array.isArray(page)) throw new TypeError("The server's list of tools is none.");
    const more = own(result, "nextCursor");
    if (isFirst && (more === undefined || more === null)) {
      // Before anything is waited for: a change that is told of in the meantime must not be lost.
      this.#isFresh = true;
      await this.#load(page);
    } else if (isFirst || !this.#isFresh || !page.every((tool) => this.#isKnown(tool))) {
      await this.#walk(occasion);
    }
    if (this.#problem !== undefined) throw this.#problem;
    return new Set(page.filter((tool) => this.#isShown(tool)));
  }

  #isShown(tool: unknown): boolean {
    const name = own(tool, "name") as string;
    return this.#isKnown(tool) && this.#admitted.has(name) && !this.#withheld.has(name);
  }

  #isKnown(tool: unknown): boolean {
    const read = readTool(tool);
    return read !== undefined && this.#tools.get(read.name)?.text === read.text;
  }

  /** Read the whole list, over all pages. */
  #walk(occasion: Occasion): Promise<void> {
    this.#walking ??= this.#readAll(occasion).finally(() => {
      this.#walking = undefined;
    });
    return this.#walking;
  }

  async #readAll(occasion: Occasion): Promise<void> {
    this.#isFresh = true;
    try {
      const pages = new ToolPages();
      let cursor: unknown;
      for (;;) {
        const params = cursor === undefined ? {} : { cursor };
        const result = await this.#options.ask(params, occasion);
        const page = own(result, "tools");
        if (!Array.isArray(page)) throw new TypeError("The server's list of tools is none.");
        cursor = pages.add(page, own(result, "nextCursor"));
        if (cursor === undefined) break;
      }
      await this.#load(pages.tools);
    } catch (error) {
      this.#isFresh = false;
      this.#refuseAll("The server's tools could not be listed.", error);
    }
  }

  /** One list after the other: the one that came last holds. */
  #load(listed: readonly unknown[]): Promise<void> {
    this.#loading = this.#loading.then(() => this.#take(listed));
    return this.#loading;
  }

  async #take(listed: readonly unknown[]): Promise<void> {
    const { pins, serverName } = this.#options;
    try {
      if (listed.length > mostTools) throw new RangeError("The server lists too many tools.");
      const tools = listed.flatMap((tool) => readTool(tool) ?? []);
      const withheld =
        pins === undefined || serverName === undefined
          ? new Map<string, string>()
          : await pins.withheld(serverName, withoutTwins(tools));
      if (!this.#isSame(tools)) this.#register(tools);
      this.#withheld = withheld;
      this.#problem = undefined;
    } catch (error) {
      this.#refuseAll("The server's tools could not be taken on.", error);
    }
  }

  /** Whether the guards have taken on just these: they are told of a change, and not of each look. */
  #isSame(tools: readonly ListedTool[]): boolean {
    if (this.#problem !== undefined || tools.length !== this.#tools.size) return false;
    return tools.every(({ name, text }) => this.#tools.get(name)?.text === text);
  }

  /** Have the guards take the tools on. @throws ToolstileError where the guards do not fit them. */
  #register(tools: readonly ListedTool[]): void {
    const runner = this.#runner as ToolRunner;
    const refused = runner.setTools(tools.map(({ definition }) => toolOf(definition)));
    const causes = new Map<string, unknown[]>();
    for (const { name, refusedBy, cause } of refused) {
      this.#options.report(
        "register",
        new Error(`${quoted(refusedBy)} refused the tool ${quoted(name)}.`, { cause }),
      );
      causes.set(name, [...(causes.get(name) ?? []), cause]);
    }
    for (const [cause, ...others] of causes.values()) {
      // Not the server's doing but the host's own: all of its tools would be gone without a word.
      if (this.#tools.size === 0 && others.length === 0 && isHostsFault(cause)) throw cause;
    }
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#admitted = new Set(runner.tools.map(({ name }) => name));
  }

  #refuseAll(message: string, cause: unknown): void {
    this.#options.report("tools/list", cause);
    this.#problem = isHostsFault(cause)
      ? cause
      : new ToolstileError("ERR_INVALID_TOOL", message, { cause });
  }
}

/** Guards that check no arguments, or that name tools which are not there. */
function isHostsFault(cause: unknown): cause is ToolstileError {
  return (
    ToolstileError.isInstance(cause) &&
    (cause.code === "ERR_UNCHECKED_TOOL" || cause.code === "ERR_UNKNOWN_TOOL")
  );
}
