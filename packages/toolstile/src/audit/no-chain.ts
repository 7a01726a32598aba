import { printable } from "../terminal/terminal.js";

/** The complaint about a folder without an audit log, or one that nothing was written to. */
export function noChain(path: string): string {
  return `${printable(path)}: there is no chain of an audit log in this folder\n`;
}
