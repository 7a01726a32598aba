/** The text of `toolstile check --help`. */
export const help = `Usage: toolstile check FILE [OPTION…]

Prints the mistakes in a guard.yaml, how a call of each tool would be decided,
and which rules are about it. With sample calls, it prints the verdict on each,
and which rule or guard decided. It loads the guards that the file names, which
runs their code. It opens no observer, and runs no tool.

Options:
  --tools FILE   the tools of the host: a JSON file of MCP or OpenAI
                 definitions, or a server's answer to tools/list. Rules and
                 their expressions are checked against the schemas. The default
                 is tools: of the guard.yaml; without these, the tools that its
                 guards name
  --unchecked    the host accepts tools whose arguments no guard checks against
                 their schema, as with the option of a runner
  --call TEXT    a sample call: a tool and its arguments, and what must come of
                 it: 'search {"q": "tea"} -> allow'. Can be repeated
  --calls FILE   sample calls, one on each line. A line is one call: { "name",
                 "arguments", "result", "agent", "context", "at", "expect",
                 "by" }, or a conversation as for toolstile replay. Can be
                 repeated
  --agent NAME   the agent of sample calls that name none
  --at TIME      the time at which rules are asked, also of samples without an
                 "at" of their own: 2026-01-15T22:30:00+01:00. Default now.
                 Limits go by the clock of now
  --json         print one JSON object

Verdicts: allow, deny, ask (a human), change (of the arguments), withhold, cut,
rewrite (of the result). "expect" is a verdict or a list of them; "by" is the
rule or the guard that must decide.

Sample calls are made in their order, as if each that is allowed had run: limits
and rules that count do count them. Guards that ask a service ask it.

Findings:
  unknown_tool        a guard names a tool that does not exist, or a sample
                      calls one whose name reads like that of another, and
                      has no "expect": "deny" with a "by"
  refused_tool        no runner with these guards accepts this tool, or a rule
                      does not fit its schema
  denies_everything   a guard denies every call of every tool
  dead_guard          a guard is never asked: the guards before it deny all its
                      calls
  dead_rule           the same of a rule
  no_tool             a rule is about none of the tools
  never_true          a condition that no declared value makes true
  always_applies      a rule has a condition, and applies to every call
  shadowed            another rule decides wherever this one applies
  unexpected          a sample call was decided otherwise than expected

A guard is asked about a call whose arguments it cannot read. If its answer
depends on arguments or on earlier calls, this is not guessed: "depends on the
call".

Exit codes:
  0  nothing was found
  1  the file is wrong, or something was found
  2  a file cannot be read, or the command line is wrong

Example:
  toolstile check guard.yaml --tools tools.json
  toolstile check guard.yaml --call 'read_file {"path": "/etc/passwd"} -> deny'
`;
