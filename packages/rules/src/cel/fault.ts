/** The ways in which an expression fails instead of being true or false. */
export type ExpressionFailureKind =
  | "no_such_variable"
  | "no_such_function"
  | "no_such_member"
  | "no_such_index"
  | "wrong_type"
  | "not_boolean"
  | "overflow"
  | "division_by_zero"
  | "invalid_argument"
  | "too_costly";

/** Thrown by the functions of the language. It names no value. */
export class ExpressionFault extends Error {
  readonly kind: ExpressionFailureKind;

  constructor(kind: ExpressionFailureKind) {
    super(kind);
    this.kind = kind;
  }
}

/** The messages of the library, which may quote values, by how they begin. */
const kinds: readonly (readonly [RegExp, ExpressionFailureKind])[] = [
  [/^unresolved attribute/, "no_such_variable"],
  [/^unbound function/, "no_such_function"],
  [/^field not found/, "no_such_member"],
  [/^index .* out of bounds/s, "no_such_index"],
  [/^found no matching overload|^type mismatch|^unsupported key type/, "wrong_type"],
  [/overflow|out of range/, "overflow"],
  [/divide by zero|modulus by zero/, "division_by_zero"],
];

/** Says what kind of failure an error of the library is. */
export function kindOfError(error: unknown): ExpressionFailureKind {
  for (let each = error, depth = 0; depth < 4; depth++) {
    if (each instanceof ExpressionFault) return each.kind;
    if (!(each instanceof Error)) break;
    each = each.cause;
  }
  const message = error instanceof Error ? error.message : "";
  return kinds.find(([beginning]) => beginning.test(message))?.[1] ?? "invalid_argument";
}
