import type { CheckResult } from "@toolstile/iorails";

const marker = Symbol.for("toolstile.guardrail-violation");

/** Thrown in place of a blocked answer, with `raiseOnViolation`. Its message quotes no text that was judged. */
export class GuardrailViolation extends Error {
  /** The rails' result; absent where they could not be asked, and the `cause` says why. */
  readonly result: CheckResult | undefined;
  /** The side that was blocked: on the way to the model, or from it. */
  readonly railType: "input" | "output";

  constructor(railType: "input" | "output", result: CheckResult | undefined, cause?: unknown) {
    const what = railType === "input" ? "Input" : "Output";
    const rail = result?.rail ?? "rails that failed";
    super(`${what} blocked by ${rail}`, cause === undefined ? {} : { cause });
    this.name = "GuardrailViolation";
    this.result = result;
    this.railType = railType;
    Object.defineProperty(this, marker, { value: true });
  }

  /** True of any copy of this package's violations. */
  static isInstance(value: unknown): value is GuardrailViolation {
    return value instanceof Error && Object.hasOwn(value, marker);
  }
}
