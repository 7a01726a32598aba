/** Let so many microtasks pass. */
export async function ticks(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await undefined;
}

/** Let every promise that can settle without the outside settle. */
export function settleAll(): Promise<void> {
  return ticks(50);
}

/** Let all that is ready run, without any time passing on a hand-driven clock. */
export function idle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** A promise in the hand of the test. */
interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value?: T | PromiseLike<T>) => void;
  readonly reject: (error: unknown) => void;
}

export function deferred<T = unknown>(): Deferred<T> {
  let resolve: Deferred<T>["resolve"] = () => {};
  let reject: Deferred<T>["reject"] = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = (value) => yes(value as T);
    reject = no;
  });
  return { promise, resolve, reject };
}
