import { type Context, context } from "@opentelemetry/api";

/**
 * The one place where OpenTelemetry is called: what its SDK, a processor or an
 * exporter throws, changes nothing that the engine does.
 */
export function quietly<T>(record: () => T): T | undefined {
  try {
    return record();
  } catch {
    return undefined;
  }
}

/** Runs once, in a context where there is one, whatever becomes of the context. */
export async function within<T>(
  active: Context | undefined,
  run: () => PromiseLike<T> | T,
): Promise<T> {
  if (active === undefined) return run();
  let started: Promise<T> | undefined;
  const start = (): void => {
    started ??= (async () => run())();
  };
  quietly(() => context.with(active, start));
  start();
  return started as unknown as Promise<T>;
}
