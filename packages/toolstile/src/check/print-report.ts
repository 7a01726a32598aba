import { GuardFileError, type GuardFileFault } from "@toolstile/config";
import { ToolstileError } from "@toolstile/core/provider";
import { exitCodes } from "../terminal/command.js";
import { printableJson, type Terminal } from "../terminal/terminal.js";
import { type ReportOptions, reportOn } from "./report.js";
import { faultsInWords, inWords } from "./words.js";

/** Prints the report about a guard.yaml, or what is wrong with it, and returns the exit code. */
export async function printReport(
  options: ReportOptions,
  asJson: boolean,
  terminal: Terminal,
): Promise<number> {
  const { path } = options;
  try {
    const report = await reportOn(options);
    terminal.out.write(asJson ? printableJson(report) : inWords(report, terminal));
    return report.findings.length === 0 ? exitCodes.ok : exitCodes.broken;
  } catch (error) {
    if (!ToolstileError.isInstance(error)) throw error;
    const faults = faultsOf(error, path);
    terminal.out.write(
      asJson ? printableJson({ file: path, faults }) : faultsInWords(path, faults, terminal),
    );
    return exitCodes.broken;
  }
}

/** Faults in one form, also of what only shows when a runner is built. */
function faultsOf(error: ToolstileError, file: string): readonly GuardFileFault[] {
  if (error instanceof GuardFileError) return error.faults;
  return [{ file, path: "", message: error.message }];
}
