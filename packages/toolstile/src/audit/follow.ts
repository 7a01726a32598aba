/**
 * A signal for Ctrl-C, and for a reader of the standard output who has left.
 *
 * Dispose of it when nothing is to be interrupted any more.
 */
export function interruption(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort();
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  process.stdout.once("error", interrupt);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      process.removeListener("SIGINT", interrupt);
      process.removeListener("SIGTERM", interrupt);
      process.stdout.removeListener("error", interrupt);
    },
  };
}
