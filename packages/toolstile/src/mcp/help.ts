export const help = `Usage: toolstile mcp --config FILE [OPTION…] -- COMMAND [ARGUMENT…]
       toolstile mcp --config FILE --listen HOST:PORT --upstream URL [OPTION…]
       toolstile mcp pins [list | diff TOOL | approve TOOL] [OPTION…]

Puts the guards of a guard.yaml between an MCP client and a server. With a
COMMAND, it starts the server, and both sides use stdio. With --listen, clients
connect over HTTP, to http://HOST:PORT/mcp. MCP's methods except calls and lists
of tools are passed on unchanged. Messages for you go to the standard error.

Guards:
  --config FILE      the guard.yaml
  --agent NAME       the agent that makes the calls, for guards and records
  --name NAME        the server's name in records and pins; by default it is
                     made from the command or the address
  --unchecked        accept tools whose arguments no guard checks
  --show-denied      keep denied tools on the list; their calls stay denied
  --call-timeout S   seconds that the server may take for a call; default 60
  --pass-method NAME methods that MCP does not have, and that pass unjudged;
                     several with commas

Pins of tool definitions: a changed tool is withheld until it is approved.
  --pins FILE        the file of pins; default mcp-pins.json beside the
                     guard.yaml
  --trust HOW        first-use (the default) pins a new tool when it is first
                     seen; approved-only withholds it until it is approved
  --no-pins          use no pins

With --listen:
  --upstream URL           the server; redirects are not followed
  --credential-env NAME    the environment variable with its credential
  --credential-header NAME the header for the credential, if it is not a bearer
                           token in Authorization. Credentials of clients are
                           not passed on
  --allow-host HOST:PORT   other host names of the proxy that clients may use
  --allow-origin ORIGIN    web pages that may connect, separated by commas
  --allow-remote           listen on an address that other machines can reach;
                           all of them then use the server's credential

With pins:
  --config FILE      the guard.yaml that the pins are beside; or --pins FILE
  --name NAME        the server, if several servers have a tool of that name
  --yes              approve without asking for confirmation
  --json             print one JSON object

Exit codes:
  If the server was started: its own, or 128 plus the number of the signal that
  ended it. With --listen: 0 when a signal ends the proxy. Otherwise:
  0    done, with pins
  1    not approved, or it cannot listen on the address
  2    the guard.yaml or the pins cannot be used, or the command line is wrong;
       nothing was started
  127  the server cannot be started

Example:
  toolstile mcp --config guard.yaml -- npx -y some-mcp-server
  toolstile mcp pins diff search --config guard.yaml
`;
