import type { ToolDefinition } from "@toolstile/core";
import { ownValue } from "@toolstile/core/provider";

/** The harm that a tool may do, as far as it and its name tell. */
export type Harm = "reads" | "shows" | "changes" | "destroys";

/** A tool's harm, and the reason to think so, for a comment. */
export interface ToolKind {
  readonly harm: Harm;
  readonly why: string;
}

const destroying: ReadonlySet<string> = new Set([
  ...["delete", "del", "remove", "rm", "rmdir", "unlink", "drop", "destroy", "erase", "purge"],
  ...["wipe", "truncate", "overwrite", "kill", "terminate", "shutdown", "uninstall", "revoke"],
  ...["reset", "cancel", "clear", "discard", "format"],
]);
const reading: ReadonlySet<string> = new Set([
  ...["get", "list", "ls", "read", "search", "find", "lookup", "show", "view", "describe"],
  ...["count", "status", "stat", "info", "head", "tail", "cat", "help", "ping", "fetch"],
]);

const changing: ReadonlySet<string> = new Set([
  ...["create", "add", "insert", "append", "update", "upsert", "edit", "modify", "write", "save"],
  ...[
    "put",
    "patch",
    "replace",
    "rename",
    "move",
    "send",
    "publish",
    "upload",
    "submit",
    "execute",
  ],
  ...[
    "apply",
    "assign",
    "invite",
    "enable",
    "disable",
    "grant",
    "approve",
    "pay",
    "refund",
    "deploy",
  ],
  ...["install", "make", "subscribe", "unsubscribe", "archive", "restore", "merge", "schedule"],
]);

/** Words for what is itself the harm where the model reads it, and does not stay with those who may see it. */
const secret: ReadonlySet<string> = new Set([
  ...["env", "envs", "environment", "environ", "secret", "secrets", "credential", "credentials"],
  ...["token", "tokens", "password", "passwords", "passwd", "passphrase", "key", "keys", "apikey"],
  ...["vault", "keychain", "keyring"],
]);

/**
 * Says what a tool may do, by its annotations, its name and its description.
 *
 * A name that speaks of destruction or of a change, in any place, outweighs a tool's own word that it only
 * reads. A tool that says nothing, and whose name does not begin as names of readers do, counts as one that
 * changes something. One that only reads counts as one that may show secrets if a word of it speaks of them.
 */
export function kindOfTool(tool: ToolDefinition): ToolKind {
  const kind = kindByEffect(tool);
  if (kind.harm !== "reads") return kind;
  const word = [tool.name, tool.description ?? ""]
    .flatMap(wordsIn)
    .find((each) => secret.has(each));
  return word === undefined
    ? kind
    : { harm: "shows", why: `it only reads, and may show secrets: it speaks of '${word}'` };
}

function kindByEffect({ name, annotations }: ToolDefinition): ToolKind {
  const words = wordsIn(name);
  const hint = (key: string): boolean | undefined => {
    const value = ownValue(annotations, key);
    return typeof value === "boolean" ? value : undefined;
  };
  const readOnly = hint("readOnlyHint");
  if (words.some((word) => destroying.has(word))) {
    return { harm: "destroys", why: "its name says that it destroys something" };
  }
  const isChanging = words.some((word) => changing.has(word));
  if (readOnly === true && !isChanging) return { harm: "reads", why: "it says that it only reads" };
  if (hint("destructiveHint") === true) {
    return { harm: "destroys", why: "it says that it may destroy something" };
  }
  if (readOnly === false) return { harm: "changes", why: "it says that it changes something" };
  if (isChanging) return { harm: "changes", why: "its name says that it changes something" };
  if (reading.has(words[0] ?? "")) {
    return { harm: "reads", why: "its name says that it only reads" };
  }
  return { harm: "changes", why: "it does not say that it only reads" };
}

/** The words of `deleteFile`, `delete-file` and `files.DELETE_file`, and of a description. */
function wordsIn(text: string): readonly string[] {
  // It may be of any length.
  const words = text
    .slice(0, 1_000)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.split(/[^a-z]+/).filter((word) => word !== "");
}
