import { Inadmissible } from "../document/inadmissible.js";
import type { Compiled } from "./compile.js";

/** A schema that was read, and what came of it. */
export class ReadSchema {
  /** The same text for the same content. */
  readonly content: string;
  readonly compiled: Compiled | Inadmissible;
  /** The texts by which it is known. */
  readonly texts: string[] = [];
  /** Its place among those that are kept. */
  place: number | undefined;
  /** True if it can be found for as long as somebody holds it. */
  isFindable = false;

  constructor(content: string, compiled: Compiled | Inadmissible) {
    this.content = content;
    this.compiled = compiled;
  }

  /** About what it weighs in memory. */
  get bytes(): number {
    const own = this.compiled instanceof Inadmissible ? 0 : this.compiled.bytes;
    return bytesPerEntry + bytesPerCharacter * this.content.length + own;
  }
}

/** Measured, and never less. */
const bytesPerCharacter = 10;
const bytesPerEntry = 4_000;
/** Some 2,600 schemas of five properties; of the longest that are admitted, some twenty. */
const defaultBytes = 64 * 1024 * 1024;
/** The weight of all schemas that can be found, as a multiple of those that are kept. One that is dropped counts until it has been collected. */
const mostFindable = 4;
/** The texts, with keys in other orders, of one schema. */
const mostTexts = 4;

/**
 * The schemas of a process that were read, each of them once.
 *
 * It keeps so many bytes of them. One that somebody holds besides, because a
 * tool in force has it, is found as long as that lasts.
 *
 * Which one gives way is left to chance. Were it the least recently used, a
 * list that is a little longer than what is kept, gone through in order, would
 * find none of its schemas; so it finds most of them.
 */
export class KeptSchemas {
  readonly #mostBytes: number;
  readonly #byText = new Map<string, ReadSchema>();
  readonly #kept: ReadSchema[] = [];
  #bytes = 0;
  readonly #findable = new Map<string, WeakRef<ReadSchema>>();
  readonly #dropped: FinalizationRegistry<{ content: string; bytes: number }> | undefined;
  #findableBytes = 0;
  #chance = 1;

  constructor(mostBytes = defaultBytes) {
    this.#mostBytes = mostBytes;
    // Some runtimes at the edge have none: there a schema is found only while it is kept.
    if (typeof FinalizationRegistry !== "function") return;
    this.#dropped = new FinalizationRegistry(({ content, bytes }) => {
      this.#findableBytes -= bytes;
      if (this.#findable.get(content)?.deref() === undefined) this.#findable.delete(content);
    });
  }

  /** The number of schemas that are kept. */
  get size(): number {
    return this.#kept.length;
  }

  /** The bytes that they are taken to weigh. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The number of schemas that can be found while somebody holds them. */
  get findable(): number {
    return this.#findable.size;
  }

  byText(text: string): ReadSchema | undefined {
    return this.#byText.get(text);
  }

  byContent(content: string): ReadSchema | undefined {
    return this.#byText.get(content) ?? this.#findable.get(content)?.deref();
  }

  /** Keeps a schema under this text, and others no longer if that is too much. */
  keep(schema: ReadSchema, text: string): void {
    if (this.#byText.has(text)) return;
    if (schema.place === undefined) {
      schema.place = this.#kept.push(schema) - 1;
      this.#bytes += schema.bytes;
      this.#know(schema, schema.content);
    }
    this.#know(schema, text);
    while (this.#bytes > this.#mostBytes && this.#kept.length > 1)
      this.#giveUp(this.#anyBut(schema));
    if (this.#bytes > this.#mostBytes) this.#giveUp(schema);
  }

  /** Lets a schema be found while somebody holds it. */
  findWhileHeld(schema: ReadSchema): void {
    const { content, bytes } = schema;
    if (schema.isFindable || this.#dropped === undefined) return;
    // A reference keeps what it refers to until the running job ends, and a job may read many.
    if (this.#findableBytes + bytes > mostFindable * this.#mostBytes) return;
    schema.isFindable = true;
    this.#findableBytes += bytes;
    this.#findable.set(content, new WeakRef(schema));
    this.#dropped.register(schema, { content, bytes });
  }

  #know(schema: ReadSchema, text: string): void {
    if (this.#byText.has(text)) return;
    if (schema.texts.length === mostTexts) this.#forget(schema, schema.texts[1] as string);
    schema.texts.push(text);
    this.#byText.set(text, schema);
    this.#bytes += textBytes(schema, text);
  }

  #forget(schema: ReadSchema, text: string): void {
    schema.texts.splice(schema.texts.indexOf(text), 1);
    this.#byText.delete(text);
    this.#bytes -= textBytes(schema, text);
  }

  #giveUp(schema: ReadSchema): void {
    const last = this.#kept.pop() as ReadSchema;
    if (last !== schema) {
      last.place = schema.place;
      this.#kept[schema.place as number] = last;
    }
    schema.place = undefined;
    this.#bytes -= schema.bytes;
    for (const text of [...schema.texts]) this.#forget(schema, text);
  }

  #anyBut(schema: ReadSchema): ReadSchema {
    // The constants of Numerical Recipes. Nothing depends on it but which schema is compiled again.
    this.#chance = (Math.imul(this.#chance, 1_664_525) + 1_013_904_223) >>> 0;
    const place = Math.floor((this.#chance / 2 ** 32) * this.#kept.length);
    const chosen = this.#kept[place] as ReadSchema;
    return chosen === schema ? (this.#kept[place === 0 ? 1 : place - 1] as ReadSchema) : chosen;
  }
}

/** The weight of a text beside its schema, which has its content in any case. */
function textBytes({ content }: ReadSchema, text: string): number {
  return text === content ? 0 : bytesPerCharacter * text.length;
}
