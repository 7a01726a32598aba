const empty = Object.freeze({});

/** True if the root prototype has enumerable members, which a for-in would find in every object. */
export function isPlanted(): boolean {
  for (const _ in empty) return true;
  return false;
}
