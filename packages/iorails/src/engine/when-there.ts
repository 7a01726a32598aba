/** Act on a value when it is there: now, where nobody has to be waited for. */
export function whenThere<Value, Result>(
  value: Value | Promise<Value>,
  act: (value: Value) => Result,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(act) : act(value);
}
