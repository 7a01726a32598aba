const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A wait as it is told: rounded up to whole milliseconds below a second, seconds to two minutes, minutes to two days, then hours. */
export function roundedWait(ms: number): number {
  const unit = ms < second ? 1 : ms <= 2 * minute ? second : ms <= 2 * day ? minute : hour;
  return Math.ceil(ms / unit) * unit;
}

/** A duration in the largest unit that loses nothing and counts at least two, or in seconds: "60 s", "24 h", "30 days". */
export function spoken(ms: number): string {
  if (ms % day === 0 && ms >= 2 * day) return `${ms / day} days`;
  if (ms % hour === 0 && ms >= 2 * hour) return `${ms / hour} h`;
  if (ms % minute === 0 && ms >= 2 * minute) return `${ms / minute} min`;
  return ms % second === 0 ? `${ms / second} s` : `${ms} ms`;
}
