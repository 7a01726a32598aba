import { Inadmissible, isPassing } from "../document/inadmissible.js";
import { maxCharacters, plainCopy } from "../document/plain-copy.js";
import { type Compiled, type CompileSetting, compile } from "./compile.js";
import { KeptSchemas, ReadSchema } from "./kept-schemas.js";

/** Those of all guards of the process. */
const ofProcess = new KeptSchemas();

/**
 * Compiled schemas by content.
 *
 * Equal schemas are compiled once for all guards that read them alike, however
 * often a list of tools brings fresh copies and in whatever order their keys
 * come. A schema that is frozen to its leaves is also known by identity, which
 * costs next to nothing; any other is written out each time, because it may
 * have changed.
 */
export class SchemaCache {
  private readonly setting: CompileSetting;
  private readonly kept: KeptSchemas;
  /** The setting, before each text. */
  private readonly prefix: string;
  private readonly frozen = new WeakMap<object, ReadSchema>();

  constructor(setting: CompileSetting, kept = ofProcess) {
    const { defaultDraft, maxPatternInput, unsupportedPatterns } = setting;
    this.setting = { defaultDraft, maxPatternInput, unsupportedPatterns };
    this.kept = kept;
    this.prefix = `${defaultDraft} ${maxPatternInput} ${unsupportedPatterns} `;
  }

  /** @throws Inadmissible when the schema is refused, each time it is asked for. */
  get(schema: object | boolean): Compiled {
    const known = typeof schema === "object" ? this.frozen.get(schema) : undefined;
    const { compiled } = known ?? this.read(schema);
    if (compiled instanceof Inadmissible) throw compiled;
    return compiled;
  }

  private read(schema: object | boolean): ReadSchema {
    const text = this.prefix + jsonText(schema);
    let known = this.kept.byText(text);
    if (known === undefined || Object.isFrozen(schema)) {
      const { value, text: own, frozen } = plainCopy(schema);
      const content = this.prefix + own;
      known ??=
        this.kept.byContent(content) ?? compiled(content, () => compile(value, this.setting));
      if (frozen && typeof schema === "object") {
        this.frozen.set(schema, known);
        this.kept.findWhileHeld(known);
      }
    }
    this.kept.keep(known, text);
    return known;
  }
}

/** @throws Inadmissible for a reason that may pass, which must not be remembered. */
function compiled(content: string, act: () => Compiled): ReadSchema {
  try {
    return new ReadSchema(content, act());
  } catch (error) {
    if (isPassing(error)) throw error;
    const isOurs = error instanceof Inadmissible;
    const refusal = isOurs ? error : new Inadmissible("", "it does not compile", error);
    return new ReadSchema(content, refusal);
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
