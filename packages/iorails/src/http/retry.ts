import { ToolstileError } from "@toolstile/core";
import { invalid, type ModelError } from "../errors.js";
import type { Exchange } from "./exchange.js";
import { failed, refused } from "./failures.js";

/** The longest wait before another attempt, by our own choice or by `Retry-After`. */
const longestWaitMs = 30_000;
const firstWaitMs = 200;

/** The parts of a request beyond its route. */
export interface Question {
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/**
 * Ask until the exchange has an answer of success, whose body is then still to be read.
 *
 * The timer of that attempt runs on.
 *
 * @throws ModelError of the last attempt.
 */
export async function ask(exchange: Exchange, question: Question): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const failure = await attemptOnce(exchange, question);
    if (failure === undefined) return;
    if (!failure.retry || attempt >= exchange.route.maxAttempts) throw failure.error;
    const waitMs = failure.retryAfterMs ?? backoff(attempt, exchange.ports.random ?? Math.random);
    if (waitMs > longestWaitMs) throw failure.error;
    await exchange.pause(waitMs);
  }
}

interface Failure {
  readonly error: ModelError;
  readonly retry: boolean;
  readonly retryAfterMs?: number | undefined;
}

async function attemptOnce(exchange: Exchange, question: Question): Promise<Failure | undefined> {
  const { route, ports } = exchange;
  exchange.check();
  exchange.startTimer();
  const fetched = fetchOnce(exchange, question);
  let response: Response;
  try {
    response = await exchange.unlessStopped(fetched);
  } catch (thrown) {
    exchange.stopTimer();
    if (exchange.stopped) fetched.then((late) => exchange.discard(late)).catch(() => {});
    exchange.check();
    if (ToolstileError.isInstance(thrown)) throw thrown;
    const error = failed(route, thrown);
    return { error, retry: error.fault === "network" };
  }
  exchange.check();
  if (response.ok) {
    exchange.adopt(response);
    return undefined;
  }
  exchange.stopTimer();
  exchange.discard(response);
  const retry = response.status === 429 || (response.status >= 500 && response.status <= 599);
  const retryAfterMs = retry
    ? readRetryAfter(response.headers.get("retry-after"), ports.clock.now())
    : undefined;
  return { error: refused(route, response, retryAfterMs), retry, retryAfterMs };
}

/** @throws the error of `fetch`; ToolstileError `ERR_INVALID_OPTION` if `fetch` gives anything but a Response. */
async function fetchOnce(
  { route, ports, signal }: Exchange,
  { headers, body }: Question,
): Promise<Response> {
  const response = await ports.fetch(route.url, {
    method: "POST",
    headers: { ...route.headers, ...headers, "content-type": "application/json" },
    body,
    signal,
    // "error" could not be told from a connection that failed, which is tried again.
    redirect: "manual",
  });
  // Not by its class: a `fetch` that is passed in may have its own.
  if (typeof response?.status === "number" && typeof response.headers?.get === "function") {
    return response;
  }
  throw invalid("The option 'fetch' gave no Response.");
}

/**
 * The wait that `Retry-After` asks for, in milliseconds; nothing if it cannot be read.
 *
 * RFC 9110, section 10.2.3: seconds or a date. Fractions of a second are read
 * too, because providers send them.
 */
export function readRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(value)) return Math.ceil(Number(value) * 1_000);
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)) {
    return undefined;
  }
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Full jitter: anything from nothing to the exponential, so that clients do not come back as one. */
function backoff(attempt: number, random: () => number): number {
  const most = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1));
  const share = random();
  return most * (share >= 0 && share <= 1 ? share : 1);
}
