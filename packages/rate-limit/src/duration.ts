const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** A wait as it is told: rounded up to whole milliseconds below a second, seconds to two minutes, then minutes. */
export function roundedWait(ms: number): number {
  const unit = ms < second ? 1 : ms <= 2 * minute ? second : minute;
  return Math.ceil(ms / unit) * unit;
}

/** A duration in the largest unit that loses nothing and counts at least two, or in seconds: "60 s", "24 h". */
export function spoken(ms: number): string {
  if (ms % hour === 0 && ms >= 2 * hour) return `${ms / hour} h`;
  if (ms % minute === 0 && ms >= 2 * minute) return `${ms / minute} min`;
  return ms % second === 0 ? `${ms / second} s` : `${ms} ms`;
}
