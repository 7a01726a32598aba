/** The sections that judge calls and results: their names in NeMo's older releases, and since. */
const newerNames: ReadonlyMap<string, string> = new Map([
  ["tool_output", "tool_call"],
  ["tool_input", "tool_result"],
]);

/** The mappings that have keys of these names. */
const places: ReadonlySet<string> = new Set([
  '["rails"]',
  '["rails","config","cel"]',
  '["rails","config","regex_detection"]',
]);

/** For what is misspelt. */
export const olderNames: readonly string[] = [...newerNames.keys()];

/** The name under which a key is read: that of today, of one that has an older name. */
export function nameToday(path: readonly (string | number)[], key: string): string {
  return (places.has(JSON.stringify(path)) ? newerNames.get(key) : undefined) ?? key;
}
