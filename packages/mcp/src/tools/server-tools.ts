import {
  type Clock,
  deny,
  type GuardrailProvider,
  type ToolCall,
  type ToolRunner,
  ToolstileError,
  when,
} from "@toolstile/core";
import { ownValue, quoted } from "@toolstile/core/provider";
import type { DefinitionPins } from "../pins/definition-pins.js";
import { LatestList } from "./latest-list.js";
import { isHostsFault, listProblem } from "./list-problem.js";
import { ListRevision, presentListUnread, Readings } from "./list-revision.js";
import { ListedPage } from "./listed-page.js";
import type { ListedTool } from "./listed-tool.js";
import type { ListOccasion, Occasion } from "./occasion.js";
import { ToolList } from "./tool-list.js";
import { ToolPages } from "./tool-pages.js";
import { refusedTool, unreadable, withheldTool } from "./withheld.js";

export interface ServerToolsOptions {
  readonly pins: DefinitionPins | undefined;
  readonly serverName: string | undefined;
  /** Asks the server for one page of its list. */
  readonly ask: (params: object, occasion: Occasion) => Promise<unknown>;
  readonly report: (phase: string, error: unknown) => void;
  readonly clock: Clock | undefined;
}

/**
 * The tools of one server, as its guards accepted them.
 *
 * One definition of a tool is given to the guards, shown to the client and
 * used to check a call.
 */
export class ServerTools {
  readonly #options: ServerToolsOptions;
  readonly #revision = new ListRevision();
  readonly #readings = new Readings(this.#revision);
  #runner: ToolRunner | undefined;
  #list = ToolList.none;
  /** The names of the tools that a guard refuses. */
  #refused: ReadonlySet<string> = new Set();
  /** The reason why a tool is withheld, by its name. */
  #withheld: ReadonlyMap<string, string> = new Map();
  /** The reason why no tool of the server can be used. */
  #problem: ToolstileError | undefined;
  /** True for a list that is wrong by itself: to ask for it again would change nothing. */
  #isHopeless = false;
  #loading: Promise<void> = Promise.resolve();
  readonly #latest: LatestList<ToolList>;
  #retaking: Promise<void> | undefined;

  constructor(options: ServerToolsOptions) {
    this.#options = options;
    this.#latest = new LatestList(this.#revision, options.clock);
  }

  /** The reasons why calls cannot be judged, by call id. */
  readonly #unfit = new Map<string, string>();

  /** Denies calls that cannot be judged, and calls of tools that are withheld. It does not count as a guard of any other call. */
  readonly guardrail: GuardrailProvider = when((call) => this.#refusal(call) !== undefined, {
    name: "mcp-connection",
    evaluate: (call) => deny(this.#refusal(call) ?? "the tool is withheld", { code: "withheld" }),
  });

  /** The runner that registers the tools. */
  set runner(runner: ToolRunner) {
    this.#runner = runner;
  }

  #refusal({ toolName, callId }: ToolCall): string | undefined {
    const unfit = this.#unfit.get(callId);
    if (unfit !== undefined) return unfit;
    if (this.#problem !== undefined) return "the server's tools could not be taken on";
    if (!this.#revision.isInForce) return presentListUnread;
    const reason = this.#withheld.get(toolName);
    return reason === undefined ? undefined : `tool ${quoted(toolName)} is withheld: ${reason}`;
  }

  /** Denies one call for this reason, while it is decided. */
  async refusing<T>(callId: string, reason: string, act: () => Promise<T>): Promise<T> {
    this.#unfit.set(callId, reason);
    try {
      return await act();
    } finally {
      this.#unfit.delete(callId);
    }
  }

  /** Marks the list as changed: no call runs until it has been read again. */
  changed(): void {
    this.#revision.changed();
    this.#isHopeless = false;
  }

  get revision(): number {
    return this.#revision.current;
  }

  definition(name: string): Readonly<Record<string, unknown>> | undefined {
    return this.#list.byName.get(name)?.definition;
  }

  /**
   * Reads the list again for a tool that is unknown, or that could not be used. Calls at the same time share one reading. It never rejects.
   *
   * A list that was read just now is not read again: its tools are only held to
   * the pins and to the guards once more. Calls of made-up names must not cost a
   * list each.
   */
  know(name: string, occasion: Occasion): Promise<void> | undefined {
    const isUsable = this.#problem === undefined && !this.#withheld.has(name);
    if (this.#revision.isInForce && this.#list.byName.has(name) && isUsable) return undefined;
    if (this.#isHopeless) return undefined;
    const list = this.#latest.present;
    if (list === undefined) return this.#walk(occasion);
    return isUsable ? undefined : this.#retake(list);
  }

  #retake(list: ToolList): Promise<void> {
    this.#retaking ??= this.#load(list, this.#revision.current).finally(() => {
      this.#retaking = undefined;
    });
    return this.#retaking;
  }

  /**
   * The tools of a page of the server's list, in the places of its entries: `undefined` for one that the client is not shown.
   *
   * @throws ToolstileError if the guards do not fit the server's tools.
   */
  async shown(
    result: unknown,
    occasion: ListOccasion,
  ): Promise<readonly (ListedTool | undefined)[]> {
    const { isFirst, revision } = occasion;
    const pages = new ToolPages();
    const { tools } = ListedPage.of(ownValue(result, "tools"));
    const isWhole =
      pages.add(ownValue(result, "tools"), ownValue(result, "nextCursor")) === undefined;
    if (isFirst && isWhole) await this.#read(pages.list, revision);
    const isRead = isFirst ? isWhole : tools.every((tool) => this.#isKnown(tool));
    // The list may have changed since the client asked for it: without the present one, all tools would be hidden.
    const isOld = this.#problem === undefined && !this.#revision.isInForce;
    if (!isRead || isOld) await this.#walk(occasion);
    if (this.#problem !== undefined) throw this.#problem;
    return tools.map((tool) => (this.#isShown(tool) ? tool : undefined));
  }

  #isShown(tool: ListedTool | undefined): boolean {
    if (tool === undefined || !this.#isKnown(tool)) return false;
    return !this.#refused.has(tool.name) && !this.#withheld.has(tool.name);
  }

  #isKnown(tool: ListedTool | undefined): boolean {
    return tool !== undefined && this.#list.byName.get(tool.name)?.text === tool.text;
  }

  /** Reads the whole list, over all pages. */
  #walk(occasion: Occasion): Promise<void> {
    return this.#readings.read((revision) => this.#readAll(occasion, revision));
  }

  async #readAll(occasion: Occasion, revision: number): Promise<void> {
    try {
      const pages = new ToolPages();
      let cursor: string | undefined;
      do {
        const params = cursor === undefined ? {} : { cursor };
        const result = await this.#options.ask(params, occasion);
        cursor = pages.add(ownValue(result, "tools"), ownValue(result, "nextCursor"));
      } while (cursor !== undefined);
      await this.#read(pages.list, revision);
    } catch (error) {
      if (!this.#revision.isNewer(revision)) return;
      this.#refuseAll("The server's tools could not be listed.", error);
      this.#isHopeless = ToolstileError.isInstance(error) && revision === this.revision;
    }
  }

  #read(list: ToolList, revision: number): Promise<void> {
    this.#latest.take(list, revision);
    return this.#load(list, revision);
  }

  /** Takes one list after the other, so that the last one holds. */
  #load(list: ToolList, revision: number): Promise<void> {
    this.#loading = this.#loading.then(() => this.#take(list, revision));
    return this.#loading;
  }

  async #take(list: ToolList, revision: number): Promise<void> {
    // A list that was asked for before the one in force says nothing any more.
    if (!this.#revision.isNewer(revision)) return;
    const { pins, serverName, report } = this.#options;
    try {
      const withheld =
        pins === undefined || serverName === undefined
          ? new Map<string, string>()
          : await pins.withheld(serverName, list.untwinned);
      if (!this.#isInForce(list)) {
        if (list.unreadable > 0) report("register", unreadable(list));
        this.#register(list);
      }
      for (const [name, reason] of withheld) {
        if (this.#withheld.get(name) !== reason) report("register", withheldTool(name, reason));
      }
      this.#withheld = withheld;
      this.#problem = undefined;
      this.#isHopeless = false;
      this.#revision.take(revision);
    } catch (error) {
      this.#refuseAll("The server's tools could not be taken on.", error);
    }
  }

  /** True if the guards have just these tools: they are told of a change, and not of each reading. */
  #isInForce(list: ToolList): boolean {
    const isEmpty = list.tools.length === 0 && this.#list.tools.length === 0;
    return this.#problem === undefined && (list === this.#list || isEmpty);
  }

  /** Registers the tools with the guards. @throws ToolstileError if the guards do not fit them. */
  #register(list: ToolList): void {
    const runner = this.#runner as ToolRunner;
    const refused = runner.setTools(list.definitions);
    const causes = new Map<string, unknown[]>();
    for (const each of refused) {
      const known = causes.get(each.name);
      if (known !== undefined) known.push(each.cause);
      else {
        causes.set(each.name, [each.cause]);
        this.#options.report("register", refusedTool(each));
      }
    }
    for (const [cause, ...others] of causes.values()) {
      // The host's mistake, not the server's: without an error, all tools would be missing for no visible reason.
      if (this.#list.tools.length === 0 && others.length === 0 && isHostsFault(cause)) throw cause;
    }
    this.#list = list;
    this.#refused = new Set(causes.keys());
  }

  #refuseAll(message: string, cause: unknown): void {
    const problem = listProblem(message, cause);
    this.#options.report("tools/list", problem);
    this.#problem = problem;
  }
}
