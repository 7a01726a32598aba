import type { ToolDeclaration } from "@toolstile/core";
import { quoted } from "@toolstile/core";
import { type DeclaredTool, readTool } from "./declared-tool.js";
import { freezeJson, isSameJson } from "./same-json.js";

/** The tools that one request may call. */
export interface Toolset {
  readonly tools: ReadonlyMap<string, DeclaredTool>;
  /** For `open`, which finds the one it needs by name. */
  readonly declarations: readonly ToolDeclaration[];
  readonly resultDeclarations: readonly ToolDeclaration[];
  /** The tools as the request has them, fit to be sent on: only these are. */
  readonly forwarded: readonly unknown[] | undefined;
  /** Why no call can be judged. */
  readonly fault: string | undefined;
}

/** Characters of tool definitions that are remembered by what they say. */
const mostCharacters = 8 * 1024 * 1024;

/**
 * Reads the tools of requests, beside those of the configuration.
 *
 * A tool that is passed again is known by its object, after a look whether it
 * still says the same; an equal one by its JSON text.
 */
export class Toolsets {
  readonly #configured: Toolset;
  readonly #byObject = new WeakMap<object, DeclaredTool | Unread>();
  readonly #byText = new Map<string, DeclaredTool | Unread>();
  #characters = 0;

  /** @param configured the `tools` among the parameters of the main model. */
  constructor(configured: unknown) {
    this.#configured = this.#merge(this.#read(configured), undefined);
  }

  /** The tools of a request together with those configured; the request's definition wins. */
  of(requested: unknown): Toolset {
    if (requested === undefined || requested === null) return this.#configured;
    return this.#merge(this.#read(requested), this.#configured);
  }

  #read(tools: unknown): readonly (DeclaredTool | Unread)[] | undefined {
    if (tools === undefined || tools === null) return [];
    if (!Array.isArray(tools)) return undefined;
    return Array.from(tools as readonly unknown[], (tool) => this.#one(tool));
  }

  #merge(read: readonly (DeclaredTool | Unread)[] | undefined, base: Toolset | undefined): Toolset {
    const tools = new Map<string, DeclaredTool>();
    let fault = base?.fault;
    if (read === undefined) fault ??= "tool parsing failed: tools is not a list";
    for (const tool of read ?? []) {
      if (!("key" in tool)) continue;
      const earlier = tools.get(tool.key);
      if (earlier === undefined || isSameJson(earlier.wire, tool.wire)) tools.set(tool.key, tool);
      else fault ??= `tool parsing failed: duplicate tool ${quoted(tool.key)} in toolset`;
    }
    for (const [key, tool] of base?.tools ?? []) if (!tools.has(key)) tools.set(key, tool);
    const all = [...tools.values()];
    return {
      tools,
      declarations: all.map(({ declaration }) => declaration),
      resultDeclarations: all.flatMap(({ resultDeclaration }) => resultDeclaration ?? []),
      forwarded: base === undefined ? undefined : read?.map(({ wire }) => wire),
      fault,
    };
  }

  #one(tool: unknown): DeclaredTool | Unread {
    if (typeof tool !== "object" || tool === null) return { wire: tool };
    const known = this.#byObject.get(tool);
    if (known !== undefined && isSameJson(tool, known.wire)) return known;
    const read = this.#byContent(tool);
    this.#byObject.set(tool, read);
    return read;
  }

  #byContent(tool: object): DeclaredTool | Unread {
    let text: string | undefined;
    try {
      text = JSON.stringify(tool);
    } catch {
      text = undefined;
    }
    if (text === undefined) return { wire: null };
    const known = this.#byText.get(text);
    if (known !== undefined) {
      // The latest used go last, and the first ones go when there is no more room.
      this.#byText.delete(text);
      this.#byText.set(text, known);
      return known;
    }
    const wire: unknown = freezeJson(JSON.parse(text));
    const read = readTool(wire) ?? { wire };
    this.#remember(text, read);
    return read;
  }

  #remember(text: string, read: DeclaredTool | Unread): void {
    if (text.length > mostCharacters) return;
    this.#byText.set(text, read);
    this.#characters += text.length;
    for (const oldest of this.#byText.keys()) {
      if (this.#characters <= mostCharacters) break;
      this.#byText.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}

/** An entry that declares no tool; it is forwarded all the same. */
interface Unread {
  readonly wire: unknown;
}
