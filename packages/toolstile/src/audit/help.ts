/** What `toolstile audit --help` prints. */
export const help = `Usage: toolstile audit DIR [OPTION…]

List the calls of an audit log, in the order of their times. DIR is the folder
of the log. Nothing is verified here: toolstile verify DIR does that.

Which calls (all that are given must hold):
  --session S       of this session
  --tool T          to this tool, by its declared or its requested name
  --decision D      one decision was allow, deny or modify
  --status S        executed, failed, withheld, denied, invalid, not_found,
                    aborted, unknown, released; or no_outcome: begun, and not
                    over as far as the log knows
  --provider P      one decision was by this provider
  --principal P     on behalf of P
  --since TIME      not before: 2026-11-28, 2026-11-28T14:00Z, or how long
  --until TIME      ago, -90s, -30m, -1h, -2d, -1w. UTC where no zone is said
  --run ID          one call, with all that its records say
  --limit N         the latest N (table: 100, page: 20000)

How:
  --json            one JSON object a line: chain, file, line, record
  --follow          go on with what is written, until Ctrl-C
  --html FILE       write one page for a browser, that needs no network. A file
                    that is no such page is not written over
  --force           write over it all the same
  --payloads        with --json and --html: arguments and results, too, where
                    the log has them

Exit codes:
  0  the log was read, whatever stands in it
  1  the run is not in the log, or the page could not be written
  2  the log cannot be read, there is none in the folder, or the command was
     called wrongly

Example:
  toolstile audit ./audit --decision deny --since -1h
  toolstile audit ./audit --run 4f0c2f0e-8a55-4c0d-9d0a-5f1f6f2d1c11
  toolstile audit ./audit --since -1d --html today.html
`;
