/**
 * Do something while properties are planted on a root prototype, and take them
 * away again before anything else runs.
 *
 * Synchronous on purpose: with `get` or `then` planted, neither the test runner
 * nor `await` works, so nothing of theirs may run in between.
 */
export function whilePlanted<T>(properties: object, act: () => T, root: object = Object.prototype) {
  const keys = Reflect.ownKeys(properties);
  for (const key of keys) {
    if (Object.hasOwn(root, key)) throw new Error(`${String(key)} is already there`);
  }
  try {
    for (const key of keys) {
      const descriptor = Object.create(null);
      descriptor.value = (properties as Record<PropertyKey, unknown>)[key];
      descriptor.configurable = true;
      descriptor.enumerable = true;
      descriptor.writable = true;
      Object.defineProperty(root, key, descriptor);
    }
    return act();
  } finally {
    for (const key of keys) Reflect.deleteProperty(root, key);
  }
}
