import { type Compiled, type CompileSetting, compile } from "./compile.js";
import { Inadmissible } from "./inadmissible.js";
import { maxCharacters, type Plain, plainCopy } from "./plain-copy.js";

interface Entry {
  /** The same text for the same content. */
  readonly content: string;
  readonly compiled: Compiled | Inadmissible;
}

/**
 * Compiled schemas by content, the least recently used of them forgotten first.
 *
 * Equal schemas share one entry, however often a list of tools brings fresh
 * copies and in whatever order their keys come. A schema that is frozen to its
 * leaves is also known by identity, which costs next to nothing; any other is
 * written out each time, because it may have changed.
 */
export class SchemaCache {
  private readonly setting: CompileSetting;
  private readonly byContent: LeastRecentlyUsed<Entry>;
  /** The same entries by their JSON text as it comes, which is quicker to make. */
  private readonly byText: LeastRecentlyUsed<Entry>;
  private readonly frozen = new WeakMap<object, Compiled>();

  constructor(setting: CompileSetting, limit: number) {
    this.setting = setting;
    this.byContent = new LeastRecentlyUsed(limit);
    this.byText = new LeastRecentlyUsed(limit);
  }

  /** @throws Inadmissible when the schema is refused, each time it is asked for. */
  get(schema: object | boolean): Compiled {
    if (typeof schema !== "object") return this.read(schema);
    return this.frozen.get(schema) ?? this.read(schema);
  }

  private read(schema: object | boolean): Compiled {
    const text = jsonText(schema);
    let entry = this.byText.get(text);
    if (entry === undefined || Object.isFrozen(schema)) {
      const { value, text: content, frozen } = plainCopy(schema);
      entry = this.byContent.get(content) ?? { content, compiled: this.compile(value) };
      if (frozen && typeof schema === "object" && !(entry.compiled instanceof Inadmissible)) {
        this.frozen.set(schema, entry.compiled);
      }
    }
    this.byContent.set(entry.content, entry);
    this.byText.set(text, entry);
    if (entry.compiled instanceof Inadmissible) throw entry.compiled;
    return entry.compiled;
  }

  private compile(schema: Plain): Compiled | Inadmissible {
    try {
      return compile(schema, this.setting);
    } catch (error) {
      return error instanceof Inadmissible
        ? error
        : new Inadmissible("", "it does not compile", error);
    }
  }
}

function jsonText(schema: object | boolean): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(schema);
  } catch {
    // A cycle, or too deep: the text stays undefined.
  }
  if (text === undefined) throw new Inadmissible("", "the schema is not JSON");
  // What is too long to be admitted must not be kept either.
  if (text.length > 2 * maxCharacters) throw new Inadmissible("", "the schema is too long");
  return text;
}

class LeastRecentlyUsed<Value> {
  private readonly limit: number;
  private readonly entries = new Map<string, Value>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get(key: string): Value | undefined {
    return this.entries.get(key);
  }

  set(key: string, value: Value): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > this.limit) {
      this.entries.delete(this.entries.keys().next().value as string);
    }
  }
}
