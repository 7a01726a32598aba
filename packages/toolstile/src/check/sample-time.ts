import { ownText, ownValue } from "@toolstile/core/provider";

/** RFC 3339, where seconds may be left out. A day or an hour that does not exist is none. */
const form =
  /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The words for what `readTime` takes. */
export const timeForm = "a time with its zone, as 2026-01-15T22:30:00+01:00";

/** Milliseconds since 1970; undefined for a text that is no time with a zone. */
export function readTime(text: string): number | undefined {
  const [, year, month, day] = form.exec(text) ?? [];
  if (day === undefined) return undefined;
  // The engine takes 30 February for 2 March.
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** The clock by which rules are asked: at the time of a sample, or else now. */
export class SampleClock {
  #at: number | undefined;

  readonly now = (): number => this.#at ?? Date.now();

  /** Stops it at a time; undefined lets it run. */
  set(at: number | undefined): void {
    this.#at = at;
  }

  /** Has rules look at this clock. All other plugins stay as they are. */
  readonly replacePlugin = (use: string, plugin: unknown): unknown => {
    const create = ownValue(plugin, "create");
    if (use !== "@toolstile/rules" || ownText(plugin, "name") !== "rules") return plugin;
    if (typeof create !== "function") return plugin;
    return {
      ...(plugin as object),
      create: (options: object) => Reflect.apply(create, plugin, [{ ...options, now: this.now }]),
    };
  };
}
