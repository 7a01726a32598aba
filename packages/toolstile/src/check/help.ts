/** The text of `toolstile check --help`. */
export const help = `Usage: toolstile check FILE [OPTION…]

Prints the mistakes in a guard.yaml, what happens to a call of each tool, and
which rules are about it. With sample calls, it prints the verdict on each, and
which rule or guard decided. It loads the guards that the file names, which runs
their code. It opens no audit log and no approver, and runs no tool. But it says
if a package is missing that these need.

Options:
  --tools FILE   the tools of the host: a JSON file of MCP or OpenAI
                 definitions, or a server's answer to tools/list. Rules and
                 their expressions are checked against the schemas. The default
                 is tools: of the guard.yaml; without these, the tools that its
                 guards name
  --unchecked    the host accepts tools whose arguments no guard checks against
                 their schema: the option 'unchecked' of a runner
  --call TEXT    a sample call: a tool, its arguments, and the verdict that you
                 expect: 'search {"q": "tea"} -> allow'. Can be repeated
  --calls FILE   sample calls, one on each line. A line is one call: { "name",
                 "arguments", "result", "agent", "context", "at", "expect",
                 "by" }, or a conversation as for toolstile replay. Can be
                 repeated
  --agent NAME   the agent of sample calls that name none
  --at TIME      the time at which rules are asked, also of samples without an
                 "at" of their own: 2026-01-15T22:30:00+01:00. Default now.
                 Rate limits always use the real time
  --json         print one JSON object

Verdicts: allow, deny, ask (a human), change (of the arguments), withhold, cut,
rewrite (of the result). "expect" is a verdict or a list of them; "by" is the
rule or the guard that must decide.

Sample calls are tried in their order, as if each that is allowed had run:
limits and rules that count do count them. A guard that asks a service does so
here too.

Findings:
  unknown_tool        a guard names a tool that does not exist; or a sample
                      calls one whose name is almost that of another tool. (If
                      you mean it: "expect": "deny", and "by")
  refused_tool        no runner with these guards accepts this tool: a guard
                      refuses it, a rule does not fit its schema, or no guard
                      checks its arguments
  denies_everything   a guard denies every call of every tool
  dead_guard          a guard is never asked: the guards before it deny all its
                      calls
  dead_rule           a rule is never asked, for the same reason
  no_tool             a rule is about none of the tools
  never_true          no value that the schema allows makes a condition true
  always_applies      a rule has a condition, and applies to every call anyway
  shadowed            wherever a rule applies, another rule decides
  unexpected          a sample call was decided otherwise than expected

The table of tools tells only what is sure without arguments. If the answer of a
guard depends on the arguments, or on earlier calls, the table has "depends on
the call". Sample calls show more.

Exit codes:
  0  nothing was found
  1  the file is wrong, or something was found
  2  a file cannot be read, or the command line is wrong

Example:
  toolstile check guard.yaml --tools tools.json
  toolstile check guard.yaml --call 'read_file {"path": "/etc/passwd"} -> deny'
`;
