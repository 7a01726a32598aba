import { nonEmptyText, type OptionTable } from "@toolstile/core/provider";

/** The things that a guard is truly unable to do, each with the reason. The report shows every one of them. */
export interface KitLimits {
  /** It may answer the same question otherwise: it counts in `evaluate`, or asks a model. */
  readonly deterministic?: string | undefined;
  /** It modifies again what it made: it adds a time, or a number that is used once. */
  readonly idempotent?: string | undefined;
  /** It asks another machine, by a client that does not work while data is planted on `Object.prototype`. */
  readonly offline?: string | undefined;
  /** A new one remembers what others were asked: it counts in a store that all of them share. */
  readonly fresh?: string | undefined;
}

export type KitLimit = keyof KitLimits;

export const limitsTable = {
  deterministic: nonEmptyText(),
  idempotent: nonEmptyText(),
  offline: nonEmptyText(),
  fresh: nonEmptyText(),
} satisfies OptionTable<KitLimits>;
