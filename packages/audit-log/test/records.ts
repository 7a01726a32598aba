/** What a log's line says, as a reader sees it. */
export interface LoggedRecord {
  readonly seq: number;
  readonly prev: string;
  readonly v: number;
  readonly kind: string;
  readonly hash: string;
  readonly digests: Readonly<Record<string, string | null>>;
  readonly [key: string]: unknown;
}

export function records(lines: readonly string[]): LoggedRecord[] {
  return lines.map((line) => JSON.parse(line));
}

/** The records of calls, without those of the log's own life. */
export function callRecords(lines: readonly string[]): LoggedRecord[] {
  return records(lines).filter(({ kind }) => kind === "outcome" || kind === "intent");
}

export function linesOf(text: string): string[] {
  return text.split("\n").slice(0, -1);
}
