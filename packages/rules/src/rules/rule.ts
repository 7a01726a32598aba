import type { Deny } from "@toolstile/core";
import type { ToolNames, ToolPattern } from "@toolstile/core/provider";
import { ask, type Condition } from "../conditions/condition.js";
import type { Facts } from "../conditions/facts.js";
import type { RuleCondition } from "../conditions/read-condition.js";
import type { CountedBy } from "../counting/count.js";
import type { Total } from "../counting/total.js";
import type { Change, RuleChange } from "./change.js";

/** A rule as data. It has exactly one effect: `deny`, `ask`, `change`, `withhold` or `cut`. */
export interface ToolRule<Name extends string = string> {
  /** Unique. It is the code of a denial. */
  readonly id: string;
  /** The tools that it is about. Default: all. */
  readonly tools?: readonly (Name | ToolPattern)[] | undefined;
  /** The rule applies if this is true, or cannot be told. */
  readonly when?: RuleCondition | undefined;
  /** The rule applies if this is false, or cannot be told. */
  readonly require?: RuleCondition | undefined;
  /** The rule applies to a call that is the same as so many before it in a row in its session. */
  readonly repeats?: number | undefined;
  /** The rule applies to a call with which the sum of an argument, or of its lengths, is above a number. */
  readonly total?: RuleTotal | undefined;
  /** Denies the call, for this reason. */
  readonly deny?: string | undefined;
  /** Has the call approved by a human, for this reason. */
  readonly ask?: string | undefined;
  /** The time after which an approval is no longer asked for or good. */
  readonly expiresInMs?: number | undefined;
  /** Changes the arguments. */
  readonly change?: RuleChange | readonly RuleChange[] | undefined;
  /** Keeps the result from the model, for this reason. */
  readonly withhold?: string | undefined;
  /** Cuts a result of which the texts of the content, or those of the structured content, have more characters than this. */
  readonly cut?: number | undefined;
}

export interface RuleTotal {
  /** A JSON Pointer to what is added up in the arguments. */
  readonly at: string;
  /** The number itself, or the length of a text (in code points) or of a list. Default "value". */
  readonly of?: "value" | "length" | undefined;
  readonly above: number;
  /** The calls that are counted together. Default "session". */
  readonly per?: CountedBy | undefined;
}

export type Effect = "deny" | "ask" | "change" | "withhold" | "cut";

export type PlainDeny = Deny & { readonly approval?: never };

/** A rule as it was read. */
export interface Rule {
  readonly id: string;
  readonly effect: Effect;
  readonly tools: ToolNames | undefined;
  readonly hasPatterns: boolean;
  readonly when: Condition | undefined;
  readonly require: Condition | undefined;
  readonly repeats: number | undefined;
  readonly total: Total | undefined;
  readonly reason: string;
  readonly expiresInMs: number | undefined;
  readonly changes: readonly Change[];
  readonly cut: number;
  /** The place in the options, for errors. */
  readonly where: string;
}

/** "maybe": it cannot be told, and so the rule applies. */
export type Applies = "no" | "yes" | "maybe";

/** Says if the conditions of a rule have it apply, without what it counts. */
export function applies({ when, require }: Rule, facts: Facts): Applies {
  let certain = true;
  if (when !== undefined) {
    const outcome = ask(when, facts, true);
    if (outcome === false) return "no";
    if (outcome === undefined) certain = false;
  }
  if (require !== undefined) {
    const outcome = ask(require, facts, false);
    if (outcome === true) return "no";
    if (outcome === undefined) certain = false;
  }
  return certain ? "yes" : "maybe";
}
