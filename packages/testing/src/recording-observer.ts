import type { CallRecord, ToolObserver } from "@toolstile/core";
import { isObject, optionError } from "@toolstile/core/provider";

/** An observer that remembers what it was told. */
export interface RecordingObserver extends ToolObserver {
  readonly intents: readonly CallRecord[];
  readonly records: readonly CallRecord[];
}

/** Remember every record, in order: `intents` before a tool runs, `records` once a call is over. */
export function recordingObserver(
  options: { readonly name?: string; readonly required?: boolean } = {},
): RecordingObserver {
  if (!isObject(options)) throw optionError("recordingObserver()", "options", "an object", options);
  const intents: CallRecord[] = [];
  const records: CallRecord[] = [];
  return {
    name: options.name ?? "recording-observer",
    required: options.required,
    intents,
    records,
    intent: (record) => {
      intents.push(record);
    },
    settle: (record) => {
      records.push(record);
    },
  };
}
