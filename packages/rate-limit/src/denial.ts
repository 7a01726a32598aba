import type { Deny, ToolCall } from "@toolstile/core";
import { deny, quoted } from "@toolstile/core/provider";
import { roundedWait, spoken } from "./duration.js";
import { ownCopy } from "./own-copy.js";
import type { RateLimitPolicy, RateLimitRefusal } from "./store.js";
import type { RateLimitTerms } from "./terms.js";

type PlainDeny = Deny & { readonly approval?: never };

/** The number of tools whose last denial is kept. */
const remembered = 1_024;
/** For a longer name it is worded anew: names are the model's, and memory is bounded. */
const longestRemembered = 256;

const subjects: ReadonlyMap<unknown, string> = new Map([
  ["agent", "this agent"],
  ["session", "this session"],
  ["principal", "this principal"],
  ["tenant", "this tenant"],
]);

interface Last {
  readonly cause: RateLimitRefusal["cause"];
  readonly limitIndex: number;
  readonly waitMs: number;
  readonly denial: PlainDeny;
}

/**
 * Words a limiter's denials. They name the tool, and of a key only its kind.
 *
 * A wait is rounded up to what the reason says, so that denials of one tool
 * mostly repeat, and the last one can be given again: under attack a denial
 * must cost less than a call.
 */
export class Denials {
  readonly #policy: RateLimitPolicy;
  readonly #key: unknown;
  readonly #reason: string | undefined;
  readonly #unit: string;
  readonly #last = new Map<string, Last>();

  /** @param reason - in place of the words about what was reached. */
  constructor(policy: RateLimitPolicy, key: unknown, reason: string | undefined) {
    this.#policy = policy;
    this.#key = key;
    this.#reason = reason;
    this.#unit = policy.weighted ? "unit" : "call";
  }

  of(refusal: RateLimitRefusal, { toolName }: ToolCall): PlainDeny {
    const { cause, limitIndex } = refusal;
    const waitMs = cause === "limit" ? roundedWait(refusal.retryAfterMs) : 0;
    const last = this.#last.get(toolName);
    if (
      last !== undefined &&
      last.waitMs === waitMs &&
      last.limitIndex === limitIndex &&
      last.cause === cause
    ) {
      return last.denial;
    }
    if (toolName.length > longestRemembered) {
      return this.#word(cause, limitIndex, waitMs, toolName);
    }
    const name = last === undefined ? ownCopy(toolName) : toolName;
    const denial = this.#word(cause, limitIndex, waitMs, name);
    if (this.#last.size >= remembered && last === undefined) this.#last.clear();
    this.#last.set(name, { cause, limitIndex, waitMs, denial });
    return denial;
  }

  noKey({ toolName }: ToolCall): PlainDeny {
    return deny(`rate limit could not tell whose tool call ${quoted(toolName)} is`, {
      code: "rate_limit_key",
    });
  }

  noCost({ toolName }: ToolCall): PlainDeny {
    return deny(`rate limit could not tell what tool call ${quoted(toolName)} costs`, {
      code: "rate_limit_cost",
    });
  }

  #word(
    cause: RateLimitRefusal["cause"],
    limitIndex: number,
    waitMs: number,
    toolName: string,
  ): PlainDeny {
    if (cause === "concurrency") {
      const { concurrency } = this.#policy;
      return deny(
        this.#reason ??
          `concurrency limit reached${this.#subject(toolName)}: ${plural(concurrency, "call")} at once; try again when one has ended`,
        { code: "concurrency", metadata: Object.freeze({ concurrency }) },
      );
    }
    if (cause === "keys") {
      return deny(
        `rate limit cannot count any more callers of tool ${quoted(toolName)} now; try again later`,
        { code: "rate_limit_keys" },
      );
    }
    if (cause === "store") {
      return deny(
        `rate limit of tool ${quoted(toolName)} cannot be checked now: its store cannot tell; try again later`,
        { code: "rate_limit_store" },
      );
    }
    const terms = this.#policy.limits[limitIndex] as RateLimitTerms;
    const { limit, windowMs, algorithm, burst } = terms;
    const rate = `${plural(limit, this.#unit)} per ${spoken(windowMs)}`;
    if (waitMs === Number.POSITIVE_INFINITY) {
      const most = burst < limit ? `${plural(burst, this.#unit)} at once` : rate;
      const tooMuch = `tool call ${quoted(toolName)} costs more than its rate limit: ${most}`;
      return deny(this.#reason ?? tooMuch, {
        code: "rate_limit",
        metadata: Object.freeze({ limit, windowMs, algorithm }),
      });
    }
    return deny(
      this.#reason ??
        `rate limit reached${this.#subject(toolName)}: ${rate}; try again in ${spoken(waitMs)}`,
      {
        code: "rate_limit",
        metadata: Object.freeze({ limit, windowMs, retryAfterMs: waitMs, algorithm }),
      },
    );
  }

  #subject(toolName: string): string {
    const tool = `tool ${quoted(toolName)}`;
    if (typeof this.#key === "function") return ` for ${tool}`;
    const parts: readonly unknown[] = Array.isArray(this.#key) ? this.#key : [this.#key];
    return ` for ${parts.map((part) => subjects.get(part) ?? tool).join(", ")}`;
  }
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
