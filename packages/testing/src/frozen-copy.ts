import { deepFreeze } from "@toolstile/core/provider";

/** A copy that is frozen to the leaves. */
export function frozenCopy<T>(value: T): T {
  return deepFreeze(structuredClone(value));
}
