/** The text of `toolstile replay --help`. */
export const help = `Usage: toolstile replay FILE… [OPTION…]

Runs recorded conversations through the guards. For each call it checks that the
tool is declared, that the arguments are one JSON object, and that they match
the tool's schema. For each result it checks that it answers one call. All
findings are counted, not only the first of a call.

A FILE has one conversation per line, as JSON: { "id", "tools", "messages" }, in
the format of OpenAI's Chat Completions.

Options:
  --json            print one JSON object instead of the table
  --findings FILE   list the findings as JSON Lines: file, line, conversation,
                    messageIndex, callIndex, code, reason. Only a list of an
                    earlier run is overwritten
  --audit FILE      write an audit log with one record per call; an existing
                    log is continued
  --require-names   also report results without a name

Exit codes:
  0  everything was read, whatever was found
  1  a file, a line, or a message could not be read, or the audit log or the
     list of findings could not be written
  2  the command line is wrong

Example:
  toolstile replay monday.jsonl tuesday.jsonl --findings findings.jsonl
`;
