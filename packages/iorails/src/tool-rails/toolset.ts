import type { ToolDeclaration } from "@toolstile/core/host";
import { deepFreeze, quoted, sameJson } from "@toolstile/core/provider";
import { invalid } from "../errors.js";
import { JsonText } from "../http/json-text.js";
import { Latest } from "../latest.js";
import { type DeclaredTool, readTool, toolKey } from "./declared-tool.js";
import { hasShape, type JsonShape, shapeOf } from "./same-json.js";

/** The tools that one request may call. */
export interface Toolset {
  /** By `toolKey`. */
  readonly tools: ReadonlyMap<string, DeclaredTool>;
  /** For `open`, which finds the one it needs by name. */
  readonly declarations: readonly ToolDeclaration[];
  readonly resultDeclarations: readonly ToolDeclaration[];
  /** The tools as the request has them, fit to be sent on: only these are. */
  readonly forwarded: JsonText | undefined;
  /** The reason for which no call can be judged. */
  readonly fault: string | undefined;
}

/** Bytes that remembered tool definitions may take, as far as they can be told. */
const mostBytes = 32 * 1024 * 1024;

/** Measured on V8 12: of 9 characters a tool takes 530 bytes, and of 180,000 in lists without members 11 MB. */
function bytesOf(text: string): number {
  let values = 0;
  for (const _ of text.matchAll(/[,[{]/g)) values++;
  return 512 + 4 * text.length + 128 * values;
}

/**
 * Reads the tools of requests, beside those of the configuration.
 *
 * A tool that is passed again is known by its object, an equal one by its name,
 * both after a look whether it says the same; and any by its JSON text.
 */
export class Toolsets {
  readonly #configured: Toolset;
  /** No tool, and what is configured of results: they stay what they must be, whichever tools may be called. */
  readonly #nothing: Toolset;
  readonly #byObject = new WeakMap<object, Known>();
  /** The latest of each name. */
  readonly #byName = new Map<unknown, Known>();
  readonly #byText = new Latest<Known>(
    mostBytes,
    (_, text) => bytesOf(text),
    (known) => {
      const name = nameOf(known.tool.wire);
      if (this.#byName.get(name) === known) this.#byName.delete(name);
    },
  );
  /** The latest that began with a tool. */
  readonly #merged = new WeakMap<DeclaredTool | Unread, Merged>();

  /** @param configured the `tools` among the parameters of the main model. */
  constructor(configured: unknown) {
    this.#configured = this.#merge(this.#read(configured), undefined);
    const { resultDeclarations } = this.#configured;
    this.#nothing = { ...this.#merge([], undefined), resultDeclarations };
  }

  /** The tools of a request together with those configured; the request's definition wins. @param only those of the request alone may be called. */
  of(requested: unknown, only = false): Toolset {
    const base = only ? this.#nothing : this.#configured;
    if (requested === undefined || requested === null) return base;
    const read = this.#read(requested);
    const first = read?.[0];
    if (read === undefined || first === undefined) return this.#merge(read, base);
    const merged = this.#merged.get(first);
    if (merged !== undefined && merged.base === base && areSame(merged.read, read)) {
      return merged.toolset;
    }
    const toolset = this.#merge(read, base);
    this.#merged.set(first, { read, base, toolset });
    return toolset;
  }

  /**
   * The result of `of`, as far as calls of these names are concerned: most
   * requests list many tools and call few.
   *
   * Everything is read where the whole decides: where a name stands twice, a
   * tool says what its results are, or one is not what it looks like unread.
   */
  forCalls(requested: unknown, names: ReadonlySet<unknown>, only = false): Toolset {
    const { resultDeclarations } = this.#configured;
    if (!Array.isArray(requested) || resultDeclarations.length > 0) {
      return this.of(requested, only);
    }
    const seen = new Set<unknown>();
    const called: unknown[] = [];
    for (const tool of requested as readonly unknown[]) {
      const name = nameOf(tool);
      if (seen.has(name) || !saysOnlyItsName(tool)) return this.of(requested, only);
      seen.add(name);
      if (names.has(name)) called.push(tool);
    }
    return this.#merge(this.#read(called), only ? this.#nothing : this.#configured);
  }

  #read(tools: unknown): readonly (DeclaredTool | Unread)[] | undefined {
    if (tools === undefined || tools === null) return [];
    if (!Array.isArray(tools)) return undefined;
    return Array.from(tools as readonly unknown[], (tool, index) => this.#one(tool, index));
  }

  #merge(read: readonly (DeclaredTool | Unread)[] | undefined, base: Toolset | undefined): Toolset {
    const tools = new Map<string, DeclaredTool>();
    let fault = base?.fault;
    if (read === undefined) fault ??= "tool parsing failed: tools is not a list";
    for (const tool of read ?? []) {
      if (!("kind" in tool)) continue;
      const key = toolKey(tool.kind, tool.name);
      const earlier = tools.get(key);
      const isOne = earlier === undefined || earlier.wire === tool.wire;
      if (isOne || sameJson(earlier.wire, tool.wire)) tools.set(key, tool);
      else fault ??= `tool parsing failed: duplicate tool ${quoted(tool.name)} in toolset`;
    }
    for (const [key, tool] of base?.tools ?? []) if (!tools.has(key)) tools.set(key, tool);
    const all = [...tools.values()];
    return {
      tools,
      declarations: all.map(({ declaration }) => declaration),
      resultDeclarations: [
        ...new Set([
          ...all.flatMap(({ resultDeclaration }) => resultDeclaration ?? []),
          ...(base?.resultDeclarations ?? []),
        ]),
      ],
      forwarded: base && read && new JsonText(read.map(({ wire }) => wire)),
      fault,
    };
  }

  #one(tool: unknown, index: number): DeclaredTool | Unread {
    if (typeof tool !== "object" || tool === null) {
      textOfTool(tool, index);
      return { wire: tool };
    }
    const known = this.#byObject.get(tool);
    if (known !== undefined && hasShape(tool, known.shape)) return known.tool;
    const named = this.#byName.get(nameOf(tool));
    if (named !== undefined && hasShape(tool, named.shape)) return named.tool;
    const read = this.#byContent(tool, index);
    this.#byObject.set(tool, read);
    return read.tool;
  }

  #byContent(tool: object, index: number): Known {
    const text = textOfTool(tool, index);
    const known = this.#byText.get(text);
    if (known !== undefined) {
      this.#byName.set(nameOf(known.tool.wire), known);
      return known;
    }
    const wire: unknown = deepFreeze(JSON.parse(text));
    const read = { tool: readTool(wire) ?? { wire }, shape: shapeOf(wire) };
    if (this.#byText.set(text, read)) this.#byName.set(nameOf(wire), read);
    return read;
  }
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for what JSON cannot hold: it could neither be read nor forwarded. */
function textOfTool(tool: unknown, index: number): string {
  let text: string | undefined;
  let cause: unknown;
  try {
    text = JSON.stringify(tool);
  } catch (thrown) {
    cause = thrown;
  }
  if (text !== undefined) return text;
  const message = `tools[${index}] is not what JSON can hold.`;
  throw invalid(message, cause);
}

/**
 * The name by which a tool is found, if it is one: a
 * function's or a custom tool's name, a hosted tool's type.
 *
 * Read by plain access, at a tenth of the cost: it is only for finding a tool,
 * which is then read by what is its own.
 */
function nameOf(tool: unknown): unknown {
  const entry = tool as Listed | null | undefined;
  return entry?.function?.name ?? entry?.custom?.name ?? entry?.type;
}

/** True if only the name of an entry matters to calls of other tools, and JSON has the same name. */
function saysOnlyItsName(tool: unknown): boolean {
  if (typeof tool !== "object" || tool === null || "toJSON" in tool) return false;
  const { type, function: definition, custom } = tool as Listed;
  if (typeof custom === "object" && custom !== null) return false;
  if (typeof definition !== "object" || definition === null) return typeof type === "string";
  if ("toJSON" in definition || definition.outputSchema !== undefined) return false;
  return typeof definition.name === "string";
}

/** An entry of `tools`, as far as anything can be said of it unread. */
interface Listed {
  readonly type?: unknown;
  readonly custom?: { readonly name?: unknown } | null;
  readonly function?: { readonly name?: unknown; readonly outputSchema?: unknown } | null;
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((tool, index) => tool === other[index]);
}

/** A tool that was read, and how to know it again. */
interface Known {
  readonly tool: DeclaredTool | Unread;
  readonly shape: JsonShape;
}

/** Tools that were read, and what they are together. */
interface Merged {
  readonly base: Toolset;
  readonly read: readonly (DeclaredTool | Unread)[];
  readonly toolset: Toolset;
}

/** An entry that declares no tool; it is forwarded all the same. */
interface Unread {
  readonly wire: unknown;
}
