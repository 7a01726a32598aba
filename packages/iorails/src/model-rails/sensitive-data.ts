import type { JsonObject } from "@toolstile/core";
import type { Awaitable } from "@toolstile/core/provider";
import type { Flow, RailsConfigData } from "../config/model.js";
import { CannotJudge } from "./cannot-judge.js";
import { judgedText } from "./guard-answer.js";
import { disjoint, type Finding, verdictOn } from "./masked.js";
import { maskedStream } from "./masked-stream.js";
import type { Direction, RailOfFlow } from "./rail.js";
import { passed } from "./verdicts.js";

/** One thing that was found in a text, as UTF-16 offsets. */
export interface SensitiveData {
  /** By Presidio's names: `EMAIL_ADDRESS`, `CREDIT_CARD`, … */
  readonly entity: string;
  readonly start: number;
  readonly end: number;
  /** From 0 to 1. */
  readonly score: number;
}

/** The kinds of data that a scanner looks for. */
export interface SensitiveDataScan {
  readonly entities: readonly string[];
  /** Recognisers of one's own, in Presidio's form without code. */
  readonly recognizers: readonly JsonObject[];
  /** The least score that counts, for blocking and for masking alike. */
  readonly scoreThreshold: number;
}

/** Finds some kinds of sensitive data in texts. */
export interface SensitiveDataScanner {
  /** In any order. Where findings overlap, the highest score gives the name. */
  readonly find: (text: string) => Awaitable<readonly SensitiveData[]>;
  /**
   * The UTF-16 code units that decide about one place in a text: those of the
   * longest finding, and of the words around it that change its score. In a
   * stream, so much text is held back. `Infinity`: all of it.
   */
  readonly reach: number;
}

/**
 * Finds sensitive data, for `detect sensitive data …` and `mask sensitive data …`.
 *
 * The engine reads the configuration, and writes a mask for each finding,
 * which is `<ENTITY>`: `mask_token` is read, and of no effect, as upstream.
 */
export interface SensitiveDataPort {
  /** Makes a scanner. @throws ToolstileError `ERR_CONFIG` for an entity that it cannot find, and for a recogniser that it cannot read. */
  readonly scanner: (scan: SensitiveDataScan) => SensitiveDataScanner;
}

/** `detect sensitive data on …` and `mask sensitive data on …`. Without a port, which has no finding, they fail. */
export function sensitiveData(
  flow: Flow,
  data: RailsConfigData,
  direction: Direction,
  port: SensitiveDataPort | undefined,
): RailOfFlow {
  const section = data.config.sensitive_data_detection;
  const { recognizers } = section;
  const { entities, score_threshold: scoreThreshold } = section[direction];
  const scanner =
    entities.length === 0 ? nothing : port?.scanner({ entities, recognizers, scoreThreshold });
  const find = async (text: string): Promise<readonly Finding[]> => {
    if (scanner === undefined) throw new CannotJudge("nothing finds sensitive data here");
    const found = await scanner.find(text);
    return disjoint(
      found.filter(({ score }) => !(score < scoreThreshold)),
      text,
    );
  };
  const masks = flow.name.startsWith("mask");
  const reach = scanner?.reach ?? Number.POSITIVE_INFINITY;
  const rewriteStream = () => maskedStream(find, reach, mask);
  return {
    ...(masks ? { rewrites: true, rewriteStream } : {}),
    judge: async (subject) => {
      const text = judgedText(subject, direction);
      if (text === "") return passed;
      const found = await find(text);
      return verdictOn(text, found, flow.name, masks ? mask : undefined);
    },
  };
}

const nothing: SensitiveDataScanner = { find: () => [], reach: 0 };

function mask({ entity }: Finding): string {
  return `<${entity}>`;
}
