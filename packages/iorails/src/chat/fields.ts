import { ownValue } from "@toolstile/core/provider";

/** A property of the value's own, of which `null` is as good as none. */
export function given(value: unknown, key: string): unknown {
  return ownValue(value, key) ?? undefined;
}
