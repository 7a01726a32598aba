/** The names that CEL has for types, as far as JSON and the functions have them. */
export type Kind = string;

/** The knowledge about the values that an expression may give. */
export interface Type {
  /** Undefined if nothing is known. */
  readonly kinds: ReadonlySet<Kind> | undefined;
  /** The type of a list's items. */
  readonly elements?: (() => Type) | undefined;
  /** The declared members of a map. */
  readonly members?: ReadonlyMap<string, () => Type> | undefined;
  /** "declared": a member that is not declared is a mistake. "exact": there is no other. */
  readonly others?: "any" | "declared" | "exact" | undefined;
}

export const anything: Type = { kinds: undefined };

const plain = new Map<Kind, Type>();

/** The type of all values of one kind. */
export function kind(name: Kind): Type {
  let type = plain.get(name);
  if (type === undefined) {
    type = { kinds: new Set([name]) };
    plain.set(name, type);
  }
  return type;
}

export function listOf(elements: () => Type): Type {
  return { kinds: new Set(["list"]), elements };
}

export function maybe(type: Type, name: Kind): boolean {
  return type.kinds === undefined || type.kinds.has(name);
}

/** The type of a value that is of one of some types. */
export function union(types: readonly Type[]): Type {
  const [first, ...others] = types;
  return first === undefined ? anything : others.reduce(either, first);
}

const leniency = ["any", "declared", "exact"] as const;

function either(a: Type, b: Type): Type {
  if (a === b) return a;
  const kinds =
    a.kinds === undefined || b.kinds === undefined ? undefined : new Set([...a.kinds, ...b.kinds]);
  return {
    kinds,
    elements: ofBoth(a, b, "list", ({ elements }) => elements),
    members: joined(a.members, b.members),
    others: maybe(a, "map")
      ? maybe(b, "map")
        ? leniency[Math.min(strictness(a), strictness(b))]
        : a.others
      : b.others,
  };
}

function strictness({ others = "any" }: Type): number {
  return leniency.indexOf(others);
}

/** Returns the items' type that both know of. Where one is not a list, only the other counts. */
function ofBoth(
  a: Type,
  b: Type,
  name: Kind,
  part: (type: Type) => (() => Type) | undefined,
): (() => Type) | undefined {
  if (!maybe(a, name)) return part(b);
  if (!maybe(b, name)) return part(a);
  const [one, other] = [part(a), part(b)];
  return one === undefined || other === undefined ? undefined : () => either(one(), other());
}

/** The members of both. One that both have is of either's type. */
export function joined(
  a: Type["members"],
  b: Type["members"],
  join: (one: Type, other: Type) => Type = either,
): Type["members"] {
  if (a === undefined || b === undefined) return a ?? b;
  const members = new Map(a);
  for (const [name, type] of b) {
    const own = a.get(name);
    members.set(name, own === undefined ? type : () => join(own(), type()));
  }
  return members;
}

/** Names what a value may be, for an error: "an int or a double". */
export function spokenType(type: Type): string {
  if (type.kinds === undefined) return "anything";
  return [...type.kinds]
    .map((name) => (/^[aeiou]/.test(name) && name !== "uint" ? `an ${name}` : `a ${name}`))
    .join(" or ");
}
