// Verifies the chains of an audit log and their signed checkpoint, from docs/audit-format.md alone, without Toolstile:
// node verify.mjs FOLDER PUBLIC_KEY
import { createHash, createPublicKey, verify } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [, , folder, keyFile] = process.argv;
const key = createPublicKey(readFileSync(keyFile));
const sealBytes = 75; // ,"hash":"<64 hex>"}

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** The hashes of a chain's records, the first at index 1, and the first fault. */
function read(chain) {
  const hashes = ["0".repeat(64)];
  for (const name of readdirSync(chain)
    .filter((each) => /^\d+\.jsonl$/.test(each))
    .sort()) {
    const lines = readFileSync(join(chain, name), "latin1").split("\n");
    if (lines.pop() !== "") return { hashes, fault: `${name}: its last line has no end` };
    for (const line of lines) {
      const due = hashes.length;
      const hash = sha256(Buffer.from(line.slice(0, -sealBytes), "latin1"));
      if (line.slice(-sealBytes) !== `,"hash":"${hash}"}`)
        return { hashes, fault: `record ${due}: its bytes do not have the hash that it states` };
      const { seq, prev, v } = JSON.parse(line);
      if (v !== 1 || seq !== due || prev !== hashes[due - 1])
        return { hashes, fault: `record ${due}: it does not follow the record before it` };
      hashes.push(hash);
    }
  }
  return { hashes };
}

/** What is wrong with the signed note beside a chain. */
function faultOfCheckpoint(chain, hashes) {
  const path = join(chain, "checkpoint");
  if (!existsSync(path)) return "there is no checkpoint";
  const [text, signatures] = readFileSync(path, "utf8").split("\n\n");
  const [origin, size, root] = text.split("\n");
  const line = signatures.split("\n").find((each) => each.startsWith(`\u2014 ${origin} `));
  // Four bytes of the key's id, then the signature, over the text with its last newline.
  const signature = Buffer.from(line?.split(" ")[2] ?? "", "base64").subarray(4);
  if (!verify(null, Buffer.from(`${text}\n`), key, signature))
    return "the checkpoint is not signed";
  const head = hashes[Number(size)];
  if (head === undefined) return "the chain ends before its checkpoint";
  const isSame = Buffer.from(head, "hex").toString("base64") === root;
  return isSame ? undefined : `record ${size}: it is not the one that the checkpoint is about`;
}

for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((each) =>
  each.isDirectory(),
)) {
  const chain = join(folder, name);
  const { hashes, fault = faultOfCheckpoint(chain, hashes) } = read(chain);
  console.log(`${hashes.length - 1} records are good${fault === undefined ? "" : `; ${fault}`}`);
  if (fault !== undefined) process.exitCode = 1;
}
