const turns = new WeakMap<object, string>();

/**
 * A name for the assistant message that a call is of.
 *
 * The SDK hands all calls of one message the same array, and each step its own.
 */
export function turnOf(messages: object | undefined): string | undefined {
  if (messages === undefined) return undefined;
  const known = turns.get(messages);
  if (known !== undefined) return known;
  const turn = crypto.randomUUID();
  turns.set(messages, turn);
  return turn;
}
