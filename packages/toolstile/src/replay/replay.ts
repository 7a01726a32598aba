import { type Command, exitCodes } from "../terminal/command.js";
import { readArguments, UsageError } from "../terminal/command-line.js";
import { palette, type Terminal } from "../terminal/terminal.js";
import { openOutputs } from "./outputs.js";
import { inJson, inWords } from "./report.js";
import { Session } from "./session.js";

/** `toolstile replay`: reports what the guards would have found. */
export const replay: Command = {
  run: async (argv, terminal) => {
    const given = readArguments(argv, {
      json: "boolean",
      audit: "string",
      findings: "string",
      "require-names": "boolean",
    });
    const files = given.operands;
    if (files.length === 0) throw new UsageError("Name a file to replay.");
    const names = { audit: given.text("audit"), findings: given.text("findings") };
    const outputs = await openOutputs(names, files, terminal.err);
    if (outputs === undefined) return exitCodes.broken;
    const requireNames = given.has("require-names");
    const session = new Session({ outputs, names, requireNames, terminal });
    try {
      for (const file of files) await session.replay(file);
    } finally {
      await session.close();
    }
    print(session, given.has("json"), terminal);
    return session.troubled ? exitCodes.broken : exitCodes.ok;
  },
};

function print({ files, total }: Session, asJson: boolean, { out, environment }: Terminal): void {
  out.write(asJson ? inJson(files, total) : inWords(files, total, palette(out, environment)));
}
