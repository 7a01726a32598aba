/** What `toolstile check --help` prints. */
export const help = `Usage: toolstile check FILE [OPTION…]

Say what is wrong with a guard.yaml, and what would become of a call to each
tool. Loads the guards that the file names, which runs their code, but opens no
observer. Nothing is sent anywhere, and no tool is run.

Options:
  --tools FILE   the tools that there are: a JSON file of definitions, as MCP or
                 OpenAI have them, or a server's answer to tools/list. Without
                 it, the tools: of the guard.yaml; without these, the tools that
                 its guards name
  --unchecked    the host takes tools on whose arguments no guard holds to their
                 schema, as with the option of a runner
  --json         print one JSON object

What is found:
  unknown_tool        a guard is for a tool that is not there
  refused_tool        a tool that no runner with these guards takes on
  denies_everything   a guard that denies every call to every tool
  dead_guard          a guard that is never asked: one before it denies all the
                      calls that it is for

A guard is asked about a call whose arguments cannot be looked at. What it would
say of arguments, or of calls before, is not guessed: "depends on the call".

Exit codes:
  0  nothing was found
  1  the file is wrong, or something was found
  2  a file cannot be read, or the command was called wrongly

Example:
  toolstile check guard.yaml --tools tools.json
`;
