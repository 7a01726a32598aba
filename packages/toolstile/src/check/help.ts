/** The text of `toolstile check --help`. */
export const help = `Usage: toolstile check FILE [OPTION…]

Prints the mistakes in a guard.yaml, and how a call of each tool would be
decided. It loads the guards that the file names, which runs their code. It
opens no observer, sends nothing, and runs no tool.

Options:
  --tools FILE   the tools of the host: a JSON file of MCP or OpenAI
                 definitions, or a server's answer to tools/list. The default
                 is tools: of the guard.yaml; without these, the tools that its
                 guards name
  --unchecked    the host accepts tools whose arguments no guard checks against
                 their schema, as with the option of a runner
  --json         print one JSON object

Findings:
  unknown_tool        a guard names a tool that does not exist
  refused_tool        no runner with these guards accepts this tool
  denies_everything   a guard denies every call of every tool
  dead_guard          a guard is never asked: the guards before it deny all its
                      calls

A guard is asked about a call whose arguments it cannot read. If its answer
depends on arguments or on earlier calls, this is not guessed: "depends on the
call".

Exit codes:
  0  nothing was found
  1  the file is wrong, or something was found
  2  a file cannot be read, or the command line is wrong

Example:
  toolstile check guard.yaml --tools tools.json
`;
