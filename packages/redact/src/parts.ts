import type { ContentPart, JsonValue, ToolContent } from "@toolstile/core";
import { isJsonObject, isPlain, type ResultBody, type rewrite } from "@toolstile/core/provider";

export type Body = Parameters<typeof rewrite>[0];

/** The values of a result that are looked into, and the way back. */
export class Parts {
  readonly #result: ResultBody;
  readonly #bytes: Bytes;
  readonly values: readonly JsonValue[];

  /** @param isItem - true for a text that holds an item as it stands. */
  constructor(result: ResultBody, isItem: (text: string) => boolean) {
    this.#result = result;
    this.#bytes = new Bytes(isItem);
    const { content, structured } = result;
    const ofContent =
      typeof content === "string"
        ? [content]
        : content.flatMap((part) =>
            membersOf(part).map((name) => this.#bytes.outOf(part, name, part[name] as JsonValue)),
          );
    this.values = structured === undefined ? ofContent : [...ofContent, structured];
  }

  /** The result with these values in place of its own. */
  with(values: readonly JsonValue[]): Body {
    const rest = values.values();
    const next = () => rest.next().value as JsonValue;
    const { content, structured } = this.#result;
    const own: ToolContent =
      typeof content === "string"
        ? this.#ofText(next() as string)
        : content.map((part): ContentPart => {
            const changed = membersOf(part).map((name) => [
              name,
              this.#bytes.backInto(next(), part[name] as JsonValue),
            ]);
            return { ...part, ...Object.fromEntries(changed), type: part.type };
          });
    return { content: own, ...(structured === undefined ? {} : { structured: next() }) };
  }

  /** The text of a number is JSON: a mark in place of it is a string there. */
  #ofText(text: string): string {
    const { content, structured } = this.#result;
    return typeof structured === "number" && text !== content ? JSON.stringify(text) : text;
  }
}

/** The members of a part that are looked into. */
function membersOf(part: ContentPart): readonly string[] {
  return Object.keys(part).filter((name) => name !== "type");
}

const media = new Set(["image", "audio", "image_url", "input_image", "input_audio"]);
const dataUrl = /^data:(?:[a-z]+\/[\w.+-]{1,64})?(?:;[\w=.+-]{1,64})?;base64,[\w+/-]*={0,2}$/;
const digits = /^[\w+/\r\n-]*={0,2}\s*$/;
/** No item in such digits is longer. In more of them, something looks like an item by chance. */
const longestItem = 1_024;

/** The bytes in parts of images and sound, which are left alone: changed ones would be no image. */
class Bytes {
  readonly #isItem: (text: string) => boolean;
  readonly #texts = new Set<string>();

  constructor(isItem: (text: string) => boolean) {
    this.#isItem = isItem;
  }

  /** A member of a part without the bytes in it. */
  outOf(part: ContentPart, name: string, value: JsonValue): JsonValue {
    if (!media.has(part.type)) return value;
    if (typeof value === "string") {
      if (!this.#areBytes(value, name === "data" || name === part.type)) return value;
      this.#texts.add(value);
      return "";
    }
    if (Array.isArray(value)) return value.map((each: JsonValue) => this.outOf(part, name, each));
    if (!isJsonObject(value) || !isPlain(value)) return value;
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([name, each]) => [name, this.outOf(part, name, each as JsonValue)]),
    );
  }

  /** The same member as it was redacted, with the bytes that the given one has. */
  backInto(redacted: JsonValue, given: JsonValue): JsonValue {
    if (this.#texts.size === 0) return redacted;
    if (typeof given === "string") return this.#texts.has(given) ? given : redacted;
    if (Array.isArray(given) && Array.isArray(redacted))
      return redacted.map((each: JsonValue, index) =>
        this.backInto(each, given[index] as JsonValue),
      );
    if (!isJsonObject(given) || !isJsonObject(redacted)) return redacted;
    const own = Object.values(given);
    // Names may have been redacted: their order was not.
    return Object.fromEntries(
      Object.entries(redacted).map(([name, each], index) => [
        name,
        this.backInto(each as JsonValue, own[index] as JsonValue),
      ]),
    );
  }

  #areBytes(text: string, mayBeDigits: boolean): boolean {
    if (!dataUrl.test(text) && !(mayBeDigits && digits.test(text))) return false;
    return text.length > longestItem || !this.#isItem(text);
  }
}
