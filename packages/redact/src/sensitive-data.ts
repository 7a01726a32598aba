import type { JsonObject } from "@toolstile/core";
import {
  type Awaitable,
  type OptionTable,
  quoted,
  readOptions,
  ToolstileError,
} from "@toolstile/core/provider";
import { inHiddenText } from "./outside/hidden-text.js";
import { type Recognizer, recognizerList } from "./outside/recognizer.js";
import { redactor } from "./redactor/redactor.js";

/** Presidio's names, and the kinds that they stand for. Its `MEDICAL_LICENSE` and others have no structure that decides. */
const kindsOf: Readonly<Record<string, readonly string[]>> = {
  CREDIT_CARD: ["personal.card"],
  EMAIL_ADDRESS: ["personal.email"],
  IBAN_CODE: ["personal.iban"],
  IP_ADDRESS: ["personal.ipv4", "personal.ipv6"],
  MAC_ADDRESS: ["personal.mac"],
  PHONE_NUMBER: ["personal.phone"],
  US_SSN: ["personal.ssn"],
  SECRET: ["secret"],
};

/** The request that `sensitiveData` of `@toolstile/iorails` makes. */
export interface SensitiveDataScan {
  readonly entities: readonly string[];
  readonly recognizers: readonly JsonObject[];
}

/** One thing that was found, by Presidio's name for it. */
export interface SensitiveDataFinding {
  readonly entity: string;
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/** Finds entities in texts, for the flows `detect sensitive data …` and `mask sensitive data …`. */
export interface SensitiveDataFinder {
  readonly scanner: (scan: SensitiveDataScan) => {
    readonly find: (text: string) => Awaitable<readonly SensitiveDataFinding[]>;
    readonly reach: number;
  };
}

export interface SensitiveDataFinderOptions {
  /** Find entities that no structure tells: that of the kind `personal.person` finds `PERSON`. Default: none. */
  readonly recognizers?: readonly Recognizer[] | undefined;
}

const options: OptionTable<SensitiveDataFinderOptions> = { recognizers: recognizerList };

/**
 * Fills the option `sensitiveData` of `@toolstile/iorails`.
 *
 * A finding whose structure was checked has the score 1. `SECRET` stands for
 * all secrets; Presidio has no such entity. Recognisers get the text with all
 * secrets and personal data masked, and a stream then waits for its end. If one
 * does not answer as it must, `find` rejects.
 *
 * `scanner` throws a ToolstileError `ERR_CONFIG` for an entity that neither
 * structure nor a recogniser tells, and for recognisers in Presidio's form.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` for wrong options.
 */
export function sensitiveData(given: SensitiveDataFinderOptions = {}): SensitiveDataFinder {
  const { recognizers: all = [] } = readOptions("sensitiveData", given, options);
  return {
    scanner({ entities, recognizers }) {
      const asked = all.filter(({ kinds }) => kinds.some((kind) => entities.includes(named(kind))));
      const others = asked.flatMap(({ kinds }) => kinds);
      const unknown = entities.filter(
        (entity) =>
          !Object.hasOwn(kindsOf, entity) && !others.some((kind) => named(kind) === entity),
      );
      if (unknown.length > 0) {
        throw new ToolstileError(
          "ERR_CONFIG",
          `sensitive_data_detection: @toolstile/redact does not find ${unknown.map(quoted).join(", ")}. It finds: ${Object.keys(kindsOf).join(", ")}. Leave out the entity, or pass sensitiveData({ recognizers }) with a recognizer that finds it.`,
        );
      }
      if (recognizers.length > 0) {
        throw new ToolstileError(
          "ERR_CONFIG",
          "sensitive_data_detection: @toolstile/redact does not read recognizers. Leave them out, or pass another sensitiveData.",
        );
      }
      const entityOf = (kind: string) =>
        entities.find((entity) =>
          kindsOf[entity]?.some((each) => kind === each || kind.startsWith(`${each}.`)),
        ) ?? kind;
      const kinds = entities.flatMap((entity) => kindsOf[entity] ?? []);
      const own = kinds.length === 0 ? undefined : redactor({ kinds });
      const findOwn = (text: string): readonly SensitiveDataFinding[] =>
        (own?.find(text) ?? []).map(({ start, end, kind }) => ({
          ...{ entity: entityOf(kind), start, end, score: 1 },
        }));
      if (asked.length === 0) return { reach: own?.holdback ?? 0, find: findOwn };
      const findOthers = inHiddenText(asked);
      return {
        // A name may be told by any word of the text.
        reach: Number.POSITIVE_INFINITY,
        find: async (text) => {
          const found = (await findOthers(text)).map(({ start, end, kind, score = 1 }) => ({
            ...{ entity: named(kind), start, end, score },
          }));
          return [...findOwn(text), ...found.filter(({ entity }) => entities.includes(entity))];
        },
      };
    },
  };
}

/** The entity that a recogniser's kind stands for. */
function named(kind: string): string {
  return kind.slice("personal.".length).toUpperCase();
}
