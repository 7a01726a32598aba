/** Acts on a value as soon as it is there: at once, unless it is a promise. */
export function whenThere<Value, Result>(
  value: Value | Promise<Value>,
  act: (value: Value) => Result,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(act) : act(value);
}
