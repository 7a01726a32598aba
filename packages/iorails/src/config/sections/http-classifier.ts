import type { JsonObject } from "@toolstile/core";
import {
  checked,
  httpUrl,
  jsonObject,
  listOf,
  mappingOf,
  number,
  orNull,
  scalar,
  section,
  text,
  textLike,
} from "../shape.js";

/** A service of any vendor's that judges texts: what it is asked, and how its answer is read. */
export interface HttpClassifier {
  readonly url: string;
  readonly api_key_env_var: string | null;
  /** The header that has the key. Default: the key is a bearer's token. */
  readonly key_header: string | null;
  /** Seconds. */
  readonly timeout: number | null;
  /** The body. Wherever a text in it is exactly `{text}`, the text to judge stands. */
  readonly request: JsonObject;
  readonly verdict: HttpVerdict;
}

/** A value of the answer: one of a list, or a score. */
export interface HttpVerdict {
  /** A JSON Pointer to the value. */
  readonly pointer: string;
  /** The values that block, and those that allow. Any other is no verdict. */
  readonly block: readonly (string | number | boolean)[] | null;
  readonly allow: readonly (string | number | boolean)[] | null;
  /** In place of both: the least score that blocks. */
  readonly block_from: number | null;
}

/** By the name that flows use. */
export type HttpClassifierSection = Readonly<Record<string, HttpClassifier>>;

export const httpClassifier = checked(
  mappingOf(
    section({
      url: httpUrl,
      api_key_env_var: orNull(text),
      key_header: orNull(textLike(/^[A-Za-z0-9-]{1,64}$/, "the name of a header")),
      timeout: orNull(number(0.001)),
      request: jsonObject,
      verdict: section({
        pointer: textLike(/^(?:\/|$)/, "a JSON Pointer", "a JSON Pointer"),
        block: orNull(listOf(scalar, 1)),
        allow: orNull(listOf(scalar, 1)),
        block_from: orNull(number()),
      }),
    }),
  ),
  (classifiers, report) => {
    for (const [name, { url, api_key_env_var, request, verdict }] of Object.entries(classifiers)) {
      if (api_key_env_var !== null && !/^https:/i.test(url)) {
        report([name, "url"], "must be an https:// URL: the key would travel unencrypted");
      }
      if (!JSON.stringify(request).includes('"{text}"')) {
        report([name, "request"], "must have the text {text} somewhere: nothing would be judged");
      }
      const { block, allow, block_from } = verdict;
      const isRight =
        block_from === null ? block !== null && allow !== null : block === null && allow === null;
      if (!isRight) {
        report([name, "verdict"], "must have both block and allow, or block_from alone");
      }
      const both = (block ?? []).find((value) => allow?.includes(value) === true);
      if (both !== undefined)
        report([name, "verdict"], "must not have a value in block and in allow");
    }
  },
);
