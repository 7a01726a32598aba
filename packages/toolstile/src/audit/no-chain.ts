import { printable } from "../terminal.js";

/** Of a folder that is no audit log's, or one that nothing was written to. */
export function noChain(path: string): string {
  return `${printable(path)}: there is no chain of an audit log in this folder\n`;
}
