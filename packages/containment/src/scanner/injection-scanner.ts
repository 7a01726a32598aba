import type { ResultGuardrail } from "@toolstile/core";
import {
  allow,
  deny,
  type GuardrailPlugin,
  nonEmptyText,
  type OptionTable,
  readOptions,
  such,
  textOfResult,
} from "@toolstile/core/provider";
import { scanText } from "./scan.js";

export interface InjectionScannerOptions {
  /** Withhold results whose score is at least this. Default: none is withheld. */
  readonly withholdFrom?: number | undefined;
  /** Default "injection-scanner". */
  readonly name?: string | undefined;
}

const table = {
  withholdFrom: such<number>(
    (value) => typeof value === "number" && value > 0 && value <= 1,
    "a number above 0 and at most 1",
  ),
  name: nonEmptyText().default("injection-scanner"),
} satisfies OptionTable<InjectionScannerOptions>;

/**
 * Writes on the record how much a result reads like instructions to a model.
 *
 * It is advice: without `withholdFrom` every result passes. It misses a third of known attacks, and
 * an attacker who knows it can word around it. What holds is `containment`.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`, with the place and the way out.
 */
export function injectionScanner(options: InjectionScannerOptions = {}): ResultGuardrail {
  const read = readOptions("injectionScanner()", options, table);
  const { name, withholdFrom = Number.POSITIVE_INFINITY } = read;
  return {
    name,
    evaluateResult: (_, result) => {
      const injection = scanText(textOfResult(result));
      const metadata = { injection };
      if (injection.signals.length === 0) return allow();
      if (injection.score < withholdFrom) return allow({ metadata });
      return deny("the result reads like instructions to a model", {
        code: "injection",
        metadata,
      });
    },
    judgesPieces: () => false,
  };
}

/** Names `injectionScanner` in data. */
export const plugin: GuardrailPlugin<InjectionScannerOptions> = {
  name: "injection-scanner",
  optionsSchema: {
    type: "object",
    properties: {
      withholdFrom: { type: "number", exclusiveMinimum: 0, maximum: 1 },
      name: { type: "string", minLength: 1 },
    },
    additionalProperties: false,
  },
  create: injectionScanner,
};
