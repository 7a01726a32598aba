/** The text of `toolstile replay --help`. */
export const help = `Usage: toolstile replay FILE… [OPTION…]

Runs recorded conversations through the guards. For each call it checks that the
tool is declared, that the arguments are one JSON object, and that they match
the tool's schema. For each result it checks that it answers one call. All
findings are counted, not only the first of a call.

With --config, the guards of a guard.yaml take the place of the first and the
last check, and what they would have done is counted by rule.

A FILE has one conversation per line, as JSON: { "id", "tools", "messages" }, in
the format of OpenAI's Chat Completions.

Options:
  --config FILE     the guard.yaml. Its guards are asked, and what they count is
                    counted by conversation; no observer is opened
  --unchecked       with --config: accept tools whose arguments no guard checks
  --agent NAME      with --config: the agent that made the calls
  --json            print one JSON object instead of the tables
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
  2  the guard.yaml cannot be used, or the command line is wrong

Example:
  toolstile replay monday.jsonl tuesday.jsonl --findings findings.jsonl
  toolstile replay monday.jsonl --config guard.yaml
`;
