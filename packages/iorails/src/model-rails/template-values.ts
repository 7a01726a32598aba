/** A value of a template as the library represents it. */
export interface Value {
  readonly type: string;
  readonly value?: unknown;
  __bool__(): { readonly value: boolean };
}

/** All that is in a value, however deep, counted as often as it is there. */
interface Weight {
  readonly characters: number;
  readonly items: number;
}

/** Characters and items that a value may hold in all: more would be written out as they are. */
const maxWeight = { characters: 2_000_000, items: 20_000 };

const nothing: Weight = { characters: 0, items: 0 };
const weights = new WeakMap<object, Weight>();

/**
 * The weight of a value.
 *
 * A list that holds one value twice, and so on, is small, and endless when it
 * is written out. So each list is weighed by what it holds.
 *
 * @throws for a value that is too heavy, or that holds a namespace, which may grow later.
 */
export function weightOf(value: Value): Weight {
  const { value: held } = value;
  if (typeof held === "string") return { characters: held.length, items: 0 };
  if (!Array.isArray(held) && !(held instanceof Map)) return nothing;
  const isNamespace = value.type === "NamespaceValue";
  const before = isNamespace ? undefined : weights.get(value);
  if (before !== undefined) return before;
  let [characters, items] = [0, 0];
  for (const each of held.values() as Iterable<Value>) {
    if (each.type === "NamespaceValue") throw new Error("The template has a namespace in a value.");
    const weight = weightOf(each);
    characters += weight.characters;
    items += weight.items + 1;
  }
  if (characters > maxWeight.characters || items > maxWeight.items) {
    throw new Error("The template makes too long a list.");
  }
  const weight = { characters, items };
  if (!isNamespace) weights.set(value, weight);
  return weight;
}
