import { UsageError } from "../terminal/command-line.js";
import { printable } from "../terminal/terminal.js";
import { isMoment } from "./call-facts.js";

const units = new Map([
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
  ["w", 604_800_000],
]);
const ago = /^-([0-9]{1,9})([smhdw])$/;
const written =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$/;

/**
 * A moment as people write it, in milliseconds since the epoch: ISO 8601, or
 * so long ago. A time of day without a zone is UTC, as the log's times are shown.
 *
 * @throws UsageError that names the option.
 */
export function readMoment(option: string, text: string, now: number): number {
  const [, count, unit] = ago.exec(text) ?? [];
  if (unit !== undefined) return now - Number(count) * (units.get(unit) as number);
  const match = written.exec(text);
  const zone = text.includes("T") && match?.[1] === undefined ? "Z" : "";
  const time = match === null ? Number.NaN : Date.parse(text + zone);
  if (Number.isNaN(time)) {
    throw new UsageError(
      `${option} takes a time, as 2026-11-28T14:00Z, or how long ago, as -1h (s, m, h, d, w): not ${printable(text.slice(0, 64))}.`,
    );
  }
  return time;
}

/** The command line with `--since -1h` as `--since=-1h`: what begins with a dash is else no value. */
export function withRelativeTimes(argv: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const each of argv) {
    const before = joined.at(-1);
    if ((before === "--since" || before === "--until") && ago.test(each)) {
      joined[joined.length - 1] = `${before}=${each}`;
    } else {
      joined.push(each);
    }
  }
  return joined;
}

/** As it stands in tables: 2026-11-28 14:00:00.000, UTC. */
export function shownTime(time: unknown): string {
  if (!isMoment(time)) return "";
  return new Date(time).toISOString().replace("T", " ").replace("Z", "");
}
