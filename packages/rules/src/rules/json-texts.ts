/** Counts the characters of a value as JSON. A text counts as many as one says, beside its quotation marks. Takes no stack. */
export function lengthAsJson(value: unknown, ofText: (text: string) => number): number {
  let length = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const each = waiting.pop();
    if (typeof each === "string") length += ofText(each) + 2;
    else if (typeof each !== "object" || each === null) length += String(each).length;
    else {
      const keys = Array.isArray(each) ? [] : Object.keys(each);
      const members = Object.values(each);
      length += Math.max(members.length + 1, 2);
      for (const key of keys) length += JSON.stringify(key).length + 1;
      for (const member of members) waiting.push(member);
    }
  }
  return length;
}

/** Copies a value with each of its texts changed. Takes no stack. */
export function withTexts<Value>(value: Value, change: (text: string) => string): Value {
  const whole = { value };
  const waiting: object[] = [whole];
  for (let copy = waiting.pop(); copy !== undefined; copy = waiting.pop()) {
    for (const [key, member] of Object.entries(copy)) {
      const changed = typeof member === "string" ? change(member) : copyOf(member);
      if (changed === member) continue;
      // A member may be named __proto__.
      Object.defineProperty(copy, key, { ...plain, value: changed });
      if (typeof changed === "object" && changed !== null) waiting.push(changed);
    }
  }
  return whole.value;
}

const plain = { configurable: true, enumerable: true, writable: true };

function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? [...value] : { ...value };
}
