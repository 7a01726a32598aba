import type { Attributes, Context, Counter, Histogram, Meter } from "@opentelemetry/api";

/** The boundaries that OpenTelemetry's GenAI conventions give for durations, in seconds. */
const boundaries = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];

/** The metrics of calls. */
export class Instruments {
  readonly #calls: Counter;
  readonly #denials: Counter;
  readonly #duration: Histogram;

  constructor(meter: Meter) {
    const unit = "{call}";
    this.#calls = meter.createCounter("toolstile.tool.calls", {
      unit,
      description: "Calls that are over, by how they ended.",
    });
    this.#denials = meter.createCounter("toolstile.tool.denials", {
      unit,
      description: "Calls denied and results withheld, by who decided.",
    });
    this.#duration = meter.createHistogram("toolstile.tool.duration", {
      unit: "s",
      description: "From asking until the call was over.",
      advice: { explicitBucketBoundaries: [...boundaries] },
    });
  }

  settled(attributes: Attributes, milliseconds: number | undefined, context: Context): void {
    this.#calls.add(1, attributes, context);
    if (milliseconds !== undefined && milliseconds >= 0) {
      this.#duration.record(milliseconds / 1_000, attributes, context);
    }
  }

  denied(attributes: Attributes, context: Context): void {
    this.#denials.add(1, attributes, context);
  }
}
