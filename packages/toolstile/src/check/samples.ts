import { UsageError } from "../terminal/command-line.js";
import { complaint } from "../terminal/file-error.js";
import { printable, type Terminal } from "../terminal/terminal.js";
import { lines } from "../traffic/lines.js";
import { readCallLine, readCallText, type SampleCall } from "./sample-call.js";

/** More are recorded traffic, which `toolstile replay` counts. */
const mostSamples = 10_000;

/**
 * Reads the calls of `--call` and `--calls`, those of the command line first.
 *
 * @returns nothing if a file or a line cannot be read, which was said on `err`.
 * @throws UsageError for a call on the command line that cannot be read.
 */
export async function readSamples(
  texts: readonly string[],
  files: readonly string[],
  { err }: Terminal,
): Promise<readonly SampleCall[] | undefined> {
  const calls = texts.flatMap((text, index) => {
    const from = `--call ${index + 1}`;
    const reading = readCallText(text, from);
    if (reading.fault === undefined) return reading.calls;
    throw new UsageError(`${from} ${reading.fault.replace(/(?<![.?])$/, ".")}`);
  });
  let isWhole = true;
  const complain = (text: string): void => {
    isWhole = false;
    err.write(text);
  };
  for (const file of files) {
    try {
      for await (const line of lines(file)) {
        const from = `${file}:${line.number}`;
        const reading = line.fault === undefined ? readCallLine(line.text, from) : line;
        if (reading.fault !== undefined) {
          complain(`${printable(from)}: the line ${printable(reading.fault)}\n`);
          continue;
        }
        for (const call of reading.calls) calls.push(call);
        if (calls.length > mostSamples) {
          complain(`${printable(file)}: there are more than 10,000 calls. Use toolstile replay.\n`);
          return undefined;
        }
      }
    } catch (error) {
      complain(complaint(file, error));
    }
  }
  return isWhole ? calls : undefined;
}
