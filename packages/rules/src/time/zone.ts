/** The time that a clock on the wall shows. `month` counts from 1, `weekday` from 0 for Sunday. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** A time zone of the IANA database. */
export interface Zone {
  /** Returns the time that its clocks show at a time in milliseconds since 1970. */
  readonly at: (time: number) => WallTime;
}

/** @throws RangeError for a name that is not in the database. */
export function zoneOf(name: string): Zone {
  const format = new Intl.DateTimeFormat("en-US", {
    calendar: "gregory",
    numberingSystem: "latn",
    timeZone: name,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return {
    at(time) {
      const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
      const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
      const [year, month, day] = [part("year"), part("month"), part("day")];
      const [hour, minute, second] = [part("hour"), part("minute"), part("second")];
      return { year, month, day, weekday: weekdayOf(year, month, day), hour, minute, second };
    },
  };
}

/** Returns the time that clocks show where they are some minutes ahead of UTC. */
export function atOffset(time: number, minutesAhead: number): WallTime {
  const date = new Date(time + minutesAhead * 60_000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

function weekdayOf(year: number, month: number, day: number): number {
  return new Date(dayNumber(year, month, day) * 86_400_000).getUTCDay();
}

/** The days since the first of January 1970. */
export function dayNumber(year: number, month: number, day: number): number {
  // Date.UTC takes a year below 100 for one of the 20th century.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return Math.round(date.getTime() / 86_400_000);
}
