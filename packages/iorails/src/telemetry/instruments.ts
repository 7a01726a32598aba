import type { Attributes, Counter, Histogram, Meter, UpDownCounter } from "@opentelemetry/api";
import { quietly } from "./quietly.js";

/** The names are those of NeMo Guardrails, which dashboards know, and of OpenTelemetry's GenAI conventions. */
const counters = {
  requests: ["guardrails.requests", "{request}", "Requests taken."],
  errors: ["guardrails.requests.errors", "{request}", "Requests that ended in an error."],
  blocked: ["guardrails.requests.blocked", "{request}", "Requests that a rail blocked."],
  nonstreamRejections: ["guardrails.nonstream.rejections", "{request}", "Requests turned away."],
  streamRejections: ["guardrails.stream.rejections", "{request}", "Streams turned away."],
} as const;

const levels = {
  active: ["guardrails.requests.active", "{request}", "Requests under way."],
  nonstreamQueued: ["guardrails.nonstream.queued", "{request}", "Requests that wait."],
  nonstreamActive: ["guardrails.nonstream.active", "{request}", "Requests at work."],
  streamActive: ["guardrails.stream.active", "{request}", "Streams under way."],
} as const;

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** The boundaries that OpenTelemetry's GenAI conventions ask for. */
const modelSeconds = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
const tokens = Array.from({ length: 14 }, (_, power) => 4 ** power);

const histograms = {
  duration: ["guardrails.request.duration", "s", "How long requests took.", requestSeconds],
  tokens: ["gen_ai.client.token.usage", "{token}", "Tokens of exchanges with models.", tokens],
  chat: ["gen_ai.client.operation.duration", "s", "How long exchanges took.", modelSeconds],
  firstChunk: [
    "gen_ai.client.operation.time_to_first_chunk",
    "s",
    "From asking until a stream's first piece.",
    modelSeconds,
  ],
  perChunk: [
    "gen_ai.client.operation.time_per_output_chunk",
    "s",
    "Between a stream's pieces.",
    modelSeconds,
  ],
} as const;

type CounterName = keyof typeof counters;
type LevelName = keyof typeof levels;
type HistogramName = keyof typeof histograms;

/**
 * The instruments, each made when it is first used.
 *
 * The API gives meters that do nothing until an SDK is registered, and an
 * instrument of such a meter stays idle: register the SDK before the first
 * request.
 */
export function instruments(meter: Meter) {
  const made = new Map<string, Counter | UpDownCounter | Histogram>();
  const of = <Kind extends Counter | UpDownCounter | Histogram>(
    title: string,
    make: () => Kind,
  ): Kind => {
    const instrument = (made.get(title) as Kind | undefined) ?? make();
    made.set(title, instrument);
    return instrument;
  };
  return {
    count: (name: CounterName, attributes?: Attributes): void => {
      const [title, unit, description] = counters[name];
      const make = () => meter.createCounter(title, { unit, description });
      quietly(() => of(title, make).add(1, attributes));
    },
    change: (name: LevelName, by: 1 | -1): void => {
      const [title, unit, description] = levels[name];
      const make = () => meter.createUpDownCounter(title, { unit, description });
      quietly(() => of(title, make).add(by));
    },
    record: (name: HistogramName, value: number, attributes?: Attributes): void => {
      const [title, unit, description, boundaries] = histograms[name];
      const advice = { explicitBucketBoundaries: [...boundaries] };
      const make = () => meter.createHistogram(title, { unit, description, advice });
      quietly(() => of(title, make).record(value, attributes));
    },
  };
}

export type Instruments = ReturnType<typeof instruments>;
