import type { JsonObject } from "@toolstile/core";
import { quoted, ToolstileError } from "@toolstile/core/provider";
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
    readonly find: (text: string) => readonly SensitiveDataFinding[];
    readonly reach: number;
  };
}

/**
 * Fills the option `sensitiveData` of `@toolstile/iorails`.
 *
 * Every finding has the score 1, for its structure was checked. `SECRET`
 * stands for all secrets; Presidio has no such entity.
 *
 * `scanner` throws a ToolstileError `ERR_CONFIG` for an entity that no
 * structure tells (`PERSON`, `LOCATION`, `DATE_TIME`), and for recognisers.
 */
export function sensitiveData(): SensitiveDataFinder {
  return {
    scanner({ entities, recognizers }) {
      const unknown = entities.filter((entity) => !Object.hasOwn(kindsOf, entity));
      if (unknown.length > 0) {
        throw new ToolstileError(
          "ERR_CONFIG",
          `sensitive_data_detection: @toolstile/redact does not find ${unknown.map(quoted).join(", ")}. It finds: ${Object.keys(kindsOf).join(", ")}. Leave out the entity, or pass another sensitiveData.`,
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
      const { find, holdback } = redactor({
        kinds: entities.flatMap((entity) => kindsOf[entity] ?? []),
      });
      return {
        reach: holdback,
        find: (text) =>
          find(text).map(({ start, end, kind }) => ({
            entity: entityOf(kind),
            start,
            end,
            score: 1,
          })),
      };
    },
  };
}
