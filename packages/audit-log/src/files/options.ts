import { nonEmptyText, such } from "@toolstile/core/provider";
import { type ChainHead, isChainHead } from "../format/chain-head.js";

/** @throws ToolstileError `ERR_INVALID_OPTION` */
export function requirePath(where: string, what: "file" | "folder", path: unknown): void {
  nonEmptyText(`the path of a ${what}`).required().read(path, where, "path");
}

/** The key of the commitments. */
export const keyOption = such<Uint8Array | string>(
  (value) => value instanceof Uint8Array || (typeof value === "string" && value !== ""),
  "at least 32 random bytes, or the path of a file that holds them",
);

export const headOption = such<ChainHead>(
  (value) => isChainHead(value as ChainHead),
  "a head: { seq, hash }, the hash in 64 hex digits",
);
