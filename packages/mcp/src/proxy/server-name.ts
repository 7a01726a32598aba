const runners = new Set(["npx", "bunx", "uvx", "pnpx", "node", "bun", "deno", "python", "python3"]);
/** Options whose value is not a name: it may be a whole program. */
const valued = new Set(["-c", "-e", "-p", "--call", "--eval", "--package", "--print"]);
const verbs = new Set(["run", "exec", "dlx", "x", "-m", "--"]);
/** The names of many servers' entry files. */
const usual = new Set(["index", "main", "server", "cli", "start", "app", "run", "__main__"]);
const usualFolders = new Set(["dist", "build", "lib", "src", "bin", "out", ".", ".."]);
const longest = 64;

/**
 * A name for a server from the command that starts it: what it runs, without path, scope and version.
 *
 * `npx -y @modelcontextprotocol/server-memory` is `server-memory`.
 */
export function nameOfCommand(command: string, args: readonly string[]): string {
  const program = bare(command);
  if (!runners.has(program)) return program || "server";
  const operand = args.find(
    (each, index) =>
      // An address, such as that of a registry, is not a name, and may contain a password.
      !each.startsWith("-") &&
      !each.includes("://") &&
      !verbs.has(each) &&
      !valued.has(args[index - 1] ?? ""),
  );
  return (operand === undefined ? program : bare(operand)) || program;
}

/** A name for a server from its address: the host, and the port where it is not the usual one. */
export function nameOfUrl(url: URL): string {
  return clean(url.host);
}

function bare(path: string): string {
  const parts = path.replaceAll("\\", "/").split("/");
  const name = (parts.pop() ?? "").replace(/(?<=.)@[^@]*$/, "");
  const bareName = clean(name.replace(/\.(?:exe|cmd|[cm]?[jt]s|py)$/i, ""));
  if (!usual.has(bareName)) return bareName;
  // By itself it would be the name of many.
  const folder = parts.findLast((each) => each !== "" && !usualFolders.has(each));
  return folder === undefined ? bareName : clean(folder);
}

/** A name is a key of pins and records, and is printed. */
function clean(name: string): string {
  return name.replace(/[^\w.:[\]-]+/g, "-").slice(0, longest);
}
