/** Members whose text names something and says nothing: what no model reads as words. */
const naming: ReadonlySet<string> = new Set([
  "id",
  "index",
  "finish_reason",
  "finishReason",
  "stop_reason",
  "model",
  "model_id",
  "model_name",
  "model_provider",
  "object",
  "output_version",
  "request_id",
  "requestId",
  "role",
  "service_tier",
  "status",
  "system_fingerprint",
  "type",
]);
const name = /^[\w.:/-]{1,128}$/;
const key = /^[a-z_][\w.-]{0,40}$/i;

/**
 * All the text in a value, at any depth. A key is text unless it is a plain name.
 *
 * @throws TypeError for what is not JSON, which no rail could read.
 */
export function wordsIn(value: unknown): readonly string[] {
  return wordsOf(JSON.parse(JSON.stringify(value) ?? "null"));
}

function wordsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  return Object.entries(value).flatMap(([member, each]) =>
    isNamed(member, each) ? [] : [...(key.test(member) ? [] : [member]), ...wordsOf(each)],
  );
}

/** The members that hold no words: names and numbers. */
export function withoutWords(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).filter(
      ([member, each]) => isNamed(member, each) || wordsIn({ [member]: each }).length === 0,
    ),
  );
}

function isNamed(member: string, value: unknown): boolean {
  return naming.has(member) && typeof value === "string" && name.test(value);
}
