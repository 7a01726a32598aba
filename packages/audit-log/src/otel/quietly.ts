/**
 * The one place where OpenTelemetry is called: what its SDK, a processor or an
 * exporter throws, changes no verdict and reaches no caller.
 */
export function quietly<T>(record: () => T): T | undefined {
  try {
    return record();
  } catch {
    return undefined;
  }
}
