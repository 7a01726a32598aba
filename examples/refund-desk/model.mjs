/**
 * In place of a model: it does what it is told, as a gullible one would.
 *
 * The guards must hold whatever it asks for.
 */
export function callFor(text) {
  const [, json] = /^call (\w+ .*)$/s.exec(text) ?? [];
  if (json !== undefined) {
    const at = json.indexOf(" ");
    return { name: json.slice(0, at), arguments: json.slice(at + 1) };
  }
  const order = /[A-Z]-\d+/.exec(text)?.[0];
  if (order === undefined) return undefined;
  const [, euros] = /(-?\d+(?:\.\d\d)?) ?(?:EUR|€)/.exec(text) ?? [];
  if (/delete/i.test(text)) return { name: "delete_order", arguments: { order } };
  return euros === undefined
    ? { name: "look_up_order", arguments: { order } }
    : { name: "refund", arguments: { order, cents: Math.round(Number(euros) * 100) } };
}
