import { type Command, exitCodes } from "../command.js";
import { readArguments, UsageError } from "../command-line.js";
import { palette, type Terminal } from "../terminal.js";
import { openOutputs } from "./outputs.js";
import { inJson, inWords } from "./report.js";
import { Session } from "./session.js";

const help = `Usage: toolstile replay FILE… [OPTION…]

Put recorded conversations before the guards once more. Every call of an
assistant is held to the tools that its conversation declares, to the rules of
JSON and to the tool's schema; every result to the call it answers. All
findings are counted, not only the first of a call.

A FILE has a conversation a line, as JSON: { "id", "tools", "messages" }, in
the shape of OpenAI's Chat Completions.

Options:
  --json            print one JSON object in place of the table
  --findings FILE   list the findings, as JSON Lines: file, line, conversation,
                    messageIndex, callIndex, code, reason. Only a list that
                    an earlier run made is written over
  --audit FILE      write an audit log, a record a call; one that is there
                    already is gone on with
  --require-names   a result without a name is a finding, too

Exit codes:
  0  everything was read, whatever was found
  1  a file, or a line, could not be read, or the audit log or the list of
     findings could not be written
  2  the command was called wrongly

Example:
  toolstile replay monday.jsonl tuesday.jsonl --findings findings.jsonl
`;

/** `toolstile replay`: what would the guards have said? */
export const replay: Command = {
  name: "replay",
  summary: "put recorded conversations before the guards",
  help,
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
