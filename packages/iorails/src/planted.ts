const empty = Object.freeze({});

/** Whether every object seems, to a for-in, to have members that it has not. */
export function isPlanted(): boolean {
  for (const _ in empty) return true;
  return false;
}
