import { createHmac, generateKeyPairSync, hash, type KeyObject, sign } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "@toolstile/core/provider";
import { temporaryPath } from "../temporary.js";

export const { publicKey, privateKey } = generateKeyPairSync("ed25519");
export const chainName = "3f9c2a71d04be865";

interface Line {
  readonly text: string;
  readonly seq: number;
  readonly hash: string;
}

/** Writes a chain as docs/audit-format.md has it, from nothing but that document. */
export class LogFolder {
  readonly path: string;
  readonly chain: string;
  origin = "toolstile-audit";
  readonly notes: string[] = [];
  readonly segments = new Map<number, Line[]>();
  readonly payloads = new Map<number, string[]>();
  readonly starts: { file: string; seq: number; prev: string }[] = [];
  seq = 0;
  prev = "0".repeat(64);
  #segment = 0;
  #key: KeyObject;

  constructor(path = temporaryPath("audit"), chain = chainName, key = privateKey) {
    this.path = path;
    this.chain = chain;
    this.#key = key;
    this.rotate();
    this.record("head", { writer: "w", key: "0".repeat(16) });
  }

  file(name: string): string {
    return join(this.path, this.chain, name);
  }

  rotate(): this {
    this.#segment++;
    this.segments.set(this.#segment, []);
    this.starts.push({ file: segmentFile(this.#segment), seq: this.seq + 1, prev: this.prev });
    return this.record("segment", { chain: this.chain, segment: this.#segment });
  }

  record(kind: string, members: object = {}, time: number | null = 1000 + this.seq): this {
    const seq = this.seq + 1;
    const rest = JSON.stringify({ kind, time, ...members })
      .slice(1, -1)
      .replaceAll("—", "\\u2014");
    const body = `{"seq":${seq},"prev":"${this.prev}","v":1,${rest}`;
    const own = hash("sha256", body);
    this.segments.get(this.#segment)?.push({ text: `${body},"hash":"${own}"}`, seq, hash: own });
    this.seq = seq;
    this.prev = own;
    return this;
  }

  call(id: string, members: object = {}): this {
    return this.record("outcome", {
      runId: id,
      callId: id,
      requestedName: "search",
      status: "executed",
      executed: true,
      decisions: [{ provider: "allowlist", decision: "allow" }],
      ...members,
    });
  }

  salted(id: string, asked: unknown): this {
    const salt = hash("sha256", id, "buffer");
    const digest = createHmac("sha256", salt).update(canonicalJson(asked)).digest("hex");
    this.call(id, { digests: { asked: digest }, salted: true });
    const beside = this.payloads.get(this.#segment) ?? [];
    this.payloads.set(this.#segment, beside);
    const line = { seq: this.seq, salt: salt.toString("hex"), payloads: { asked } };
    beside.push(JSON.stringify(line));
    return this;
  }

  checkpoint(key = this.#key): this {
    const note = signedNote(this.chain, this.seq, this.prev, key, this.origin);
    this.notes.push(note);
    return this.record("checkpoint", { note });
  }

  /** Drops the oldest segment, after saying so unless told not to. */
  retire(isSaid = true): this {
    const [first, second] = this.starts;
    if (first === undefined || second === undefined) throw new Error("There is one segment only.");
    const through = { seq: second.seq - 1, hash: second.prev };
    if (isSaid) this.record("retention", { removed: [first.file], through });
    this.segments.delete(Number(first.file.slice(0, 8)));
    this.starts.shift();
    return this;
  }

  write(): this {
    rmSync(join(this.path, this.chain), { recursive: true, force: true });
    mkdirSync(join(this.path, this.chain), { recursive: true });
    for (const [number, lines] of this.segments) {
      writeFileSync(this.file(segmentFile(number)), lines.map(({ text }) => `${text}\n`).join(""));
    }
    for (const [number, lines] of this.payloads) {
      const name = segmentFile(number).replace(".jsonl", ".payloads.jsonl");
      writeFileSync(this.file(name), lines.map((text) => `${text}\n`).join(""));
    }
    const last = this.notes.at(-1);
    if (last !== undefined) writeFileSync(this.file("checkpoint"), last);
    const manifest = { format: 1, chain: this.chain, segments: this.starts };
    writeFileSync(this.file("manifest.json"), `${JSON.stringify(manifest)}\n`);
    return this;
  }

  anchor(...notes: readonly string[]): string {
    const path = join(this.path, "..", "anchors.txt");
    writeFileSync(path, notes.join(""));
    return path;
  }

  edit(name: string, change: (text: string) => string): void {
    writeFileSync(this.file(name), change(readFileSync(this.file(name), "latin1")), "latin1");
  }
}

export function segmentFile(number: number): string {
  return `${String(number).padStart(8, "0")}.jsonl`;
}

export function signedNote(
  chain: string,
  size: number,
  root: string,
  key = privateKey,
  before = "toolstile-audit",
): string {
  const origin = `${before}/${chain}`;
  const text = `${origin}\n${size}\n${Buffer.from(root, "hex").toString("base64")}\ntoolstile-hash-chain 1 1795839193000\n`;
  const signature = Buffer.concat([keyId(origin, key), sign(null, Buffer.from(text), key)]);
  return `${text}\n— ${origin} ${signature.toString("base64")}\n`;
}

export function keyId(name: string, key: KeyObject): Buffer {
  const raw = Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url");
  const named = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(1), raw]);
  return hash("sha256", named, "buffer").subarray(0, 4);
}
