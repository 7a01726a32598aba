const signals: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Calls back for each signal that this process is sent and would end by. Returns a function that stops it. */
export function onSignalOfProcess(heard: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of signals) process.on(signal, heard);
  return () => {
    for (const signal of signals) process.removeListener(signal, heard);
  };
}
