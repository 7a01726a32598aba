/** The text of `toolstile audit --help`. */
export const help = `Usage: toolstile audit DIR [OPTION…]

Lists the calls in an audit log, in the order of their times: what became of
each, who decided it, and why. DIR is the folder of the log. This command does
not check that the log is unchanged: toolstile verify DIR does that.

Select calls (a call must match all of these):
  --session S       calls of this session
  --tool T          calls to this tool, by its declared or requested name
  --decision D      calls with a decision: allow, deny or modify
  --status S        executed, failed, withheld, denied, invalid, not_found,
                    aborted, unknown, released; or no_outcome: the call began,
                    and the log has no outcome of it
  --provider P      calls with a decision by this guard
  --code C          calls with this code, or with a decision that has it: for
                    rules, the id of the rule. With --provider and --decision:
                    with such a decision that has it
  --principal P     calls on behalf of this user or service
  --tenant T        calls on behalf of the tenant (customer, account) T
  --since TIME      calls at or after TIME: 2026-11-28, 2026-11-28T14:00Z,
                    -90s, -30m, -1h, -2d, -1w. UTC if there is no zone; a day
                    elsewhere begins at 2026-11-28T00:00+01:00
  --until TIME      calls before TIME
  --run ID          one call, with all details of its records
  --limit N         the latest N calls (default: table 100, page 20000)

Output:
  --json            one JSON object per line: chain, file, line, record; with
                    --payloads also payloads: asked, used, result
  --follow          continue with new calls, until Ctrl-C
  --html FILE       write one page for a browser, which needs no network. FILE
                    must be new, or an earlier page of this command
  --force           with --html: overwrite any file
  --payloads        with --json and --html: also print arguments and results,
                    if the log has them

Exit codes:
  0  the log was read, whatever it contains
  1  the run is not in the log, or the page could not be written
  2  the log cannot be read, there is none in the folder, or the command line
     is wrong

Example:
  toolstile audit ./audit --decision deny --since -1h
  toolstile audit ./audit --run 4f0c2f0e-8a55-4c0d-9d0a-5f1f6f2d1c11
  toolstile audit ./audit --since -1d --html today.html
`;
