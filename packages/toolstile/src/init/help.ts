/** The text of `toolstile init --help`. */
export const help = `Usage: toolstile init --tools FILE [OPTION…]
       toolstile init --mcp [OPTION…] -- COMMAND [ARGUMENT…]

Writes a first guard.yaml for a list of tools, with a comment on each line. It
allows the tools that only read, has a human asked about those that change
something or may show secrets, and denies those that may destroy something, by
what the tools say of themselves (MCP's annotations) and by words in their names
and, for secrets, in their descriptions. It is a beginning: read it.

Options:
  --tools FILE   the tools: a JSON file of MCP or OpenAI definitions, or a
                 server's answer to tools/list
  --mcp          start this MCP server, and ask it for its tools over stdio. The
                 list is saved as tools.json beside the guard.yaml. The server
                 is ended then
  --timeout S    with --mcp: seconds that this may take; default 60
  --out FILE     the file to write; default guard.yaml
  --force        write over files that are there

Exit codes:
  0  the file is written
  1  the tools cannot be read, the server gives no list, or the file cannot be
     written, or cannot be loaded until something is installed
  2  a file is there already, or the command line is wrong

Example:
  toolstile init --tools tools.json
  toolstile init --mcp -- npx -y @modelcontextprotocol/server-filesystem /srv
`;
