import assert from "node:assert";

/** Fail unless the value is plain JSON; a property that is `undefined` counts as absent. */
export function assertJson(value: unknown, where: string, above: readonly object[] = []): void {
  if (value === null || typeof value === "boolean") return;
  if (typeof value === "string") {
    assert.ok(value.isWellFormed(), `${where} has a lone surrogate.`);
    return;
  }
  if (typeof value === "number") {
    const safe =
      Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
    assert.ok(
      safe,
      `${where} is a number that JSON does not keep: not finite, or beyond 2^53 - 1.`,
    );
    return;
  }
  assert.ok(typeof value === "object", `${where} is a ${typeof value}, which JSON does not have.`);
  assert.ok(!above.includes(value), `${where} refers back to what holds it.`);
  const below = [...above, value];
  if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) assertJson(member, `${where}[${index}]`, below);
    return;
  }
  assertPlain(value, where);
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) assertJson(member, `${where}.${key}`, below);
  }
}

function assertPlain(value: object, where: string): void {
  const prototype = Object.getPrototypeOf(value);
  assert.ok(
    prototype === null || prototype === Object.prototype,
    `${where} is an instance of a class, which JSON does not have.`,
  );
  assert.equal(Object.getOwnPropertySymbols(value).length, 0, `${where} has a symbol for a key.`);
  assert.ok(!Object.hasOwn(value, "__proto__"), `${where} has a key '__proto__'.`);
}

/** The value as JSON has it: without properties that are `undefined`, and with no prototype in play. */
export function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? "null");
}
