import { basename } from "node:path";
import { type AuditLog, auditLog, jsonLines } from "@toolstile/audit-log";
import { schemaValidation } from "@toolstile/schema";
import { reasonOf } from "../file-error.js";
import { printable, type Terminal } from "../terminal.js";
import { readConversation } from "./conversation.js";
import { FindingsFile } from "./findings-file.js";
import { Guards } from "./guards.js";
import { type Line, lines } from "./lines.js";
import { Progress } from "./progress.js";
import { replayConversation } from "./replay-conversation.js";
import type { FileTally } from "./report.js";
import { Tally } from "./tally.js";

export interface SessionOptions {
  readonly audit: string | undefined;
  readonly findings: string | undefined;
  readonly requireNames: boolean;
  readonly terminal: Terminal;
}

/** One replay of several files: what is written on the way, and what has been counted. */
export class Session {
  readonly files: FileTally[] = [];
  readonly total = new Tally();
  /** Whether anything could not be read or written. */
  troubled = false;
  readonly #terminal: Terminal;
  readonly #progress: Progress;
  readonly #audit: AuditLog | undefined;
  readonly #findings: FindingsFile | undefined;
  readonly #guards: Guards;
  readonly #requireNames: boolean;
  readonly #reported = new Set<string>();

  constructor({ audit, findings, requireNames, terminal }: SessionOptions) {
    this.#terminal = terminal;
    this.#progress = new Progress(terminal);
    this.#findings = this.#opened(findings, (path) => new FindingsFile(path));
    this.#audit = this.#opened(audit, (path) => auditLog({ sink: jsonLines(path) }));
    this.#requireNames = requireNames;
    this.#guards = new Guards({
      schema: schemaValidation(),
      observers: this.#audit === undefined ? [] : [this.#audit],
      onUnrecorded: (error) => this.#reportOnce(audit ?? "", error),
    });
  }

  async replay(file: string): Promise<void> {
    const { now } = this.#terminal;
    const tally = new Tally();
    this.files.push({ file, tally });
    const start = now();
    try {
      for await (const line of lines(file)) {
        await this.#replayLine(file, line, tally);
        this.#progress.show(file, tally.calls);
      }
    } catch (error) {
      this.#report(file, reasonOf(error));
    }
    tally.elapsed = now() - start;
    this.total.include(tally);
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    this.#progress.clear();
    await this.#audit?.close();
    this.#written(() => this.#findings?.close());
  }

  async #replayLine(file: string, line: Line, tally: Tally): Promise<void> {
    const place = `${file}:${line.number}`;
    if (line.fault !== undefined) return this.#report(place, `the line ${line.fault}`);
    const reading = readConversation(line.text);
    if ("fault" in reading) return this.#report(place, `the line ${reading.fault}`);
    const conversation = reading.conversation.id ?? `line ${line.number}`;
    const sessionId = `${basename(file)}: ${conversation}`;
    const report = await replayConversation(reading.conversation, sessionId, this.#guards, {
      requireNames: this.#requireNames,
    });
    tally.count(report);
    const where = { file, line: line.number, conversation };
    this.#written(() => this.#findings?.add(where, report.findings));
  }

  #opened<Opened>(path: string | undefined, open: (path: string) => Opened): Opened | undefined {
    if (path === undefined) return undefined;
    try {
      return open(path);
    } catch (error) {
      this.#report(path, reasonOf(error));
      return undefined;
    }
  }

  #written(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#reportOnce(this.#findings?.path ?? "", error);
    }
  }

  /** A disk that is full is full for each record. */
  #reportOnce(place: string, error: unknown): void {
    if (this.#reported.has(place)) return;
    this.#reported.add(place);
    this.#report(place, reasonOf(error));
  }

  #report(place: string, trouble: string): void {
    this.troubled = true;
    this.#progress.clear();
    this.#terminal.err.write(`${printable(place)}: ${trouble}\n`);
  }
}
