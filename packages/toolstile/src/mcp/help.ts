export const help = `Usage: toolstile mcp --config FILE [OPTION…] -- COMMAND [ARGUMENT…]
       toolstile mcp --config FILE --listen HOST:PORT --upstream URL [OPTION…]
       toolstile mcp pins [list | diff TOOL | approve TOOL] [OPTION…]

Put the guards of a guard.yaml between an MCP client and a server. With a
COMMAND, the server is started here and both speak over stdio; with --listen,
clients connect over HTTP, to http://HOST:PORT/mcp. All but calls and lists of
tools is passed on as it is. What is guarded is said on the standard error.

Guards:
  --config FILE      the guard.yaml
  --agent NAME       whose calls these are, for its guards and the records
  --name NAME        the server's name in records and pins; without it, one
                     made from its command or address
  --unchecked        take on tools whose arguments no guard checks
  --show-denied      leave denied tools on the list; calls stay denied
  --call-timeout S   seconds that the server may take for a call; 60

Pins of tools' definitions: a changed one is withheld until it is approved.
  --pins FILE        where they are kept; mcp-pins.json beside the guard.yaml
  --trust HOW        first-use pins a tool when it is first seen, the default;
                     approved-only withholds it until it is approved
  --no-pins          do not pin

With --listen:
  --upstream URL           the server; redirects are not followed
  --credential-env NAME    the environment variable with its credential
  --credential-header NAME the header it goes in, if it is no bearer token of
                           Authorization. Clients' own are not passed on
  --allow-host HOST:PORT   other names that clients may call the proxy by
  --allow-origin ORIGIN    web pages that may call it; several with commas
  --allow-remote           listen on an address that other machines reach, who
                           then all act with the server's credential

With pins:
  --config FILE      the guard.yaml that they are kept beside; or --pins FILE
  --name NAME        the server, where several have a tool of that name
  --yes              approve without being asked
  --json             print one JSON object

Exit codes:
  The server's own, once it was started; 128 and the signal's number where a
  signal ended it. With --listen, 0 when a signal ends the proxy. Besides:
  0    done, with pins
  1    not approved, or it cannot listen there
  2    the guard.yaml or the pins cannot be used, or the command was called
       wrongly; nothing was started
  127  the server cannot be started

Example:
  toolstile mcp --config guard.yaml -- npx -y some-mcp-server
  toolstile mcp pins diff search --config guard.yaml
`;
