/**
 * Makes a test that is true as long as `Object.prototype` answers for none of these names.
 *
 * It is asked before each check, so it is generated: the engine remembers
 * each constant name, and eight of them cost less than ten nanoseconds.
 * Members that cannot be enumerated are seen too, unless no schema names them.
 */
export function prototypeWatch(names: ReadonlySet<string>, walksMembers: boolean): () => boolean {
  const { prototype } = Object;
  const tests = [...names].map((name) => `!(${JSON.stringify(name)} in prototype)`);
  const hasNone = new Function(
    "prototype",
    `return () => ${tests.length === 0 ? "true" : tests.join(" && ")};`,
  )(prototype) as () => boolean;
  return walksMembers ? () => hasNone() && !hasInheritedMembers() : hasNone;
}

/** True if every object seems to have members that it does not have. */
export function hasInheritedMembers(): boolean {
  for (const _ in Object.prototype) return true;
  return false;
}

const standardMembers: ReadonlySet<unknown> = new Set([
  ...["constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString"],
  ...["toString", "valueOf", "__proto__", "__defineGetter__", "__defineSetter__"],
  ...["__lookupGetter__", "__lookupSetter__"],
]);

/** True if every object inherits what the language gives, and nothing else, be it enumerable or not. */
export function isRootUntouched(): boolean {
  return Reflect.ownKeys(Object.prototype).every((key) => standardMembers.has(key));
}
