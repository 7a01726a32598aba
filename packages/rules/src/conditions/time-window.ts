import {
  invalidOption,
  list,
  quoted,
  readOptions,
  required,
  such,
  text,
  unchecked,
} from "@toolstile/core/provider";
import { type Zone, zoneOf } from "../time/zone.js";

/** A span of the day, on some days of the week, in a time zone. */
export interface TimeWindow {
  /** Undefined for a time that is none. */
  readonly covers: (now: number) => boolean | undefined;
}

const weekdays = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
const minutesOfDay = 1_440;
const clockTime = such<string>(
  (value) => typeof value === "string" && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value),
  'a time of the day in quotes, as in "08:30"',
);

export const timeSchema = {
  type: "object",
  properties: {
    zone: {
      type: "string",
      minLength: 1,
      description: 'A time zone, as in "Europe/Berlin" or "UTC".',
    },
    from: {
      type: "string",
      pattern: "^(?:[01][0-9]|2[0-3]):[0-5][0-9]$",
      description: 'a time of the day, as in "08:30"',
    },
    to: {
      type: "string",
      pattern: "^(?:[01][0-9]|2[0-3]):[0-5][0-9]$",
      description:
        "the first minute that is out of it again. At or before from, it is of the next day",
    },
    weekdays: {
      type: "array",
      minItems: 1,
      items: { enum: [...weekdays] },
      description: "The days on which the span begins. Default: all.",
    },
  },
  required: ["zone"],
  additionalProperties: false,
  description: "The time of the call is in this span.",
};

/** @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`. */
export function readTimeWindow(given: unknown, where: string): TimeWindow {
  const read = readOptions(where, given, {
    zone: required(text('a time zone, as in "Europe/Berlin"')),
    from: clockTime,
    to: clockTime,
    weekdays: list(unchecked<unknown>(), "a list of days", { least: 1 }),
  });
  const { zone: name, from, to } = read;
  const days = read.weekdays?.map((day, index) => readDay(day, where, `weekdays[${index}]`));
  if ((from === undefined) !== (to === undefined)) {
    throw invalidOption(where, "'from' and 'to' must be given together.");
  }
  if (from === undefined && days === undefined) {
    throw invalidOption(where, "'from' and 'to', or 'weekdays', must be given.");
  }
  const zone = readZone(name, where);
  const begins = minutesOf(from ?? "00:00");
  const ends = minutesOf(to ?? "00:00");
  // Clocks count from Sunday.
  const on = new Set((days ?? weekdays).map((day) => (weekdays.indexOf(day) + 1) % 7));
  return new Window(zone, begins, ends, on);
}

function readDay(given: unknown, where: string, option: string): (typeof weekdays)[number] {
  const named = weekdays.find((day) => day === given);
  if (named !== undefined) return named;
  const short = typeof given === "string" && given.length > 1 ? given.toLowerCase() : undefined;
  const meant = short && weekdays.find((day) => day.startsWith(short.slice(0, 2)));
  const question = meant === undefined ? "" : ` Did you mean ${quoted(meant)}?`;
  const problem = `'${option}' must be one of ${weekdays.join(", ")}.${question}`;
  throw invalidOption(where, problem);
}

function readZone(name: string, where: string): Zone {
  try {
    return zoneOf(name);
  } catch {
    throw invalidOption(
      where,
      `'zone' must be a time zone that this machine knows, as in "Europe/Berlin".`,
    );
  }
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(":");
  return Number(hours) * 60 + Number(minutes);
}

class Window implements TimeWindow {
  readonly #zone: Zone;
  readonly #begins: number;
  readonly #ends: number;
  readonly #weekdays: ReadonlySet<number>;
  /** The minute that was asked about last, and the answer: asking a zone takes microseconds. */
  #minute = Number.NaN;
  #answer = false;

  constructor(zone: Zone, begins: number, ends: number, weekdays: ReadonlySet<number>) {
    this.#zone = zone;
    this.#begins = begins;
    this.#ends = ends <= begins ? ends + minutesOfDay : ends;
    this.#weekdays = weekdays;
  }

  covers(now: number): boolean | undefined {
    // Beyond these, there are no dates.
    if (!(Math.abs(now) <= 8.64e15)) return undefined;
    const minute = Math.floor(now / 60_000);
    if (minute !== this.#minute) {
      this.#answer = this.#coversMinute(minute * 60_000);
      this.#minute = minute;
    }
    return this.#answer;
  }

  /** A span that goes over midnight is asked about as of the day before, too. */
  #coversMinute(time: number): boolean {
    const { weekday, hour, minute } = this.#zone.at(time);
    const shown = hour * 60 + minute;
    return (
      (this.#weekdays.has(weekday) && this.#spans(shown)) ||
      (this.#weekdays.has((weekday + 6) % 7) && this.#spans(shown + minutesOfDay))
    );
  }

  #spans(minutes: number): boolean {
    return minutes >= this.#begins && minutes < this.#ends;
  }
}
