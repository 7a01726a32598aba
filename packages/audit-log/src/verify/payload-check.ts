import { join } from "node:path";
import { isAbsent } from "@toolstile/core/files";
import { isJsonObject, ownValue } from "@toolstile/core/provider";
import { longestLine, regularFileBlocks } from "../files/blocks.js";
import { whyUnreadable } from "../files/log-folder.js";
import { parsed } from "../format/parsed.js";
import { checkCommitments } from "./commitment-check.js";
import type { FolderFirstBad, PayloadCounts } from "./findings.js";

/** The findings in a segment's payloads. */
export interface PayloadFinding {
  readonly counts: PayloadCounts;
  readonly firstBad?: FolderFirstBad | undefined;
}

export interface PayloadFile {
  readonly folder: string;
  /** Relative to the folder. */
  readonly file: string;
  /** The digests of the segment's records that have payloads beside them. */
  readonly salted: ReadonlyMap<number, unknown>;
  /** Only there may the last line be without its end. */
  readonly isLast: boolean;
  readonly onBlock: (bytes: number) => void;
}

type Found = "checked" | "erased" | { readonly line: number; readonly reason: string };

const none = { checked: 0, erased: 0, missing: 0 };
const saltForm = /^[0-9a-f]{64}$/;

/** Compares the payloads beside a segment with what its records commit to. */
export async function checkPayloads(of: PayloadFile): Promise<PayloadFinding> {
  const { folder, file, salted } = of;
  const path = join(folder, file);
  try {
    return await compare(path, of);
  } catch (error) {
    const counts = { ...none, missing: salted.size };
    if (isAbsent(error)) return { counts };
    return {
      counts,
      firstBad: { file, reason: `the payloads are damaged: ${whyUnreadable(error)}` },
    };
  }
}

async function compare(path: string, of: PayloadFile): Promise<PayloadFinding> {
  const { file, salted, isLast, onBlock } = of;
  const found = new Map<number, Found>();
  let firstBad: FolderFirstBad | undefined;
  let line = 0;
  for await (const block of regularFileBlocks(path)) {
    for (let start = 0; start < block.length; ) {
      const end = block.indexOf(0x0a, start);
      line++;
      if (end === -1 && isLast && block.length - start <= longestLine) break;
      const text = block.toString("latin1", start, end === -1 ? start : end);
      const record = parsed(text);
      const seq = ownValue(record, "seq");
      if (typeof seq !== "number" || !Number.isSafeInteger(seq)) {
        firstBad ??= { file, line, reason: "the line holds no payloads of a record" };
      } else if (salted.has(seq)) {
        found.set(seq, look(record, salted.get(seq), line));
      }
      if (end === -1) break;
      start = end + 1;
    }
    onBlock(block.length);
  }
  const counts = { ...none, missing: salted.size - found.size };
  for (const [seq, what] of found) {
    if (typeof what === "string") counts[what]++;
    else if (firstBad?.line === undefined || what.line < firstBad.line) {
      firstBad = { file, line: what.line, seq, reason: what.reason };
    }
  }
  return { counts, firstBad };
}

function look(record: unknown, digests: unknown, line: number): Found {
  if (typeof ownValue(record, "erased") === "number") return "erased";
  const salt = ownValue(record, "salt");
  const payloads = ownValue(record, "payloads");
  if (typeof salt !== "string" || !saltForm.test(salt) || !isJsonObject(payloads)) {
    return { line, reason: "the line holds no payloads of a record" };
  }
  const { reason } = checkCommitments(payloads, digests, Buffer.from(salt, "hex"));
  return reason === undefined ? "checked" : { line, reason };
}
