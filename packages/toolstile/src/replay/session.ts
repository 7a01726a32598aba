import { basename } from "node:path";
import { schemaValidation } from "@toolstile/schema";
import { complaint } from "../terminal/file-error.js";
import { Progress } from "../terminal/progress.js";
import { counted, printable, type Terminal } from "../terminal/terminal.js";
import { readConversation } from "../traffic/conversation.js";
import { type Line, lines } from "../traffic/lines.js";
import { Guards } from "./guards.js";
import type { OutputNames, Outputs } from "./outputs.js";
import type { ReplayedPolicy } from "./policy-guard.js";
import { replayConversation } from "./replay-conversation.js";
import type { FileTally } from "./report.js";
import { Tally } from "./tally.js";

export interface SessionOptions {
  readonly outputs: Outputs;
  readonly names: OutputNames;
  readonly requireNames: boolean;
  /** A guard.yaml in place of the guards that a replay has otherwise. */
  readonly policy: ReplayedPolicy | undefined;
  readonly terminal: Terminal;
}

/** One replay of several files: what is written on the way, and what has been counted. */
export class Session {
  readonly files: FileTally[] = [];
  readonly total = new Tally();
  /** True once something could not be read or written. */
  troubled = false;
  readonly #terminal: Terminal;
  readonly #progress: Progress;
  readonly #outputs: Outputs;
  readonly #auditPath: string;
  readonly #findingsPath: string;
  readonly #guards: Guards;
  readonly #requireNames: boolean;
  readonly #reported = new Set<string>();

  constructor({ outputs, names, requireNames, policy, terminal }: SessionOptions) {
    this.#terminal = terminal;
    this.#progress = new Progress(terminal);
    this.#outputs = outputs;
    this.#auditPath = names.audit ?? "";
    this.#findingsPath = names.findings ?? "";
    this.#requireNames = requireNames;
    const { audit } = outputs;
    this.#guards = new Guards({
      schema: schemaValidation(),
      observers: audit === undefined ? [] : [audit],
      onUnrecorded: (error) => this.#reportOnce(this.#auditPath, error),
      policy,
    });
  }

  async replay(file: string): Promise<void> {
    const { now } = this.#terminal;
    const tally = new Tally();
    const start = now();
    try {
      for await (const line of lines(file)) {
        await this.#replayLine(file, line, tally);
        this.#progress.show(file, tally.calls);
      }
    } catch (error) {
      this.#complain(complaint(file, error));
      // Counts of a file that was not read at all would say that there is nothing in it.
      if (tally.conversations === 0) return;
    }
    tally.elapsed = now() - start;
    if (tally.unread > 0) this.#complain(unreadIn(file, tally.unread));
    this.files.push({ file, tally });
    this.total.include(tally);
  }

  /** The tools that were called and whose results were not held against an `outputSchema`. */
  get withoutOutputSchema(): readonly string[] {
    return this.#guards.withoutOutputSchema;
  }

  /** Writes what waits, and lets the files go. */
  async close(): Promise<void> {
    this.#progress.clear();
    const { audit, findings } = this.#outputs;
    await this.#written(this.#auditPath, () => audit?.close());
    await this.#written(this.#findingsPath, () => findings?.close());
  }

  /** Replays one line. It never throws, so that the lines after it are read too. */
  async #replayLine(file: string, line: Line, tally: Tally): Promise<void> {
    const place = `${printable(file)}:${line.number}`;
    if (line.fault !== undefined) return this.#complain(`${place}: the line ${line.fault}\n`);
    try {
      const reading = readConversation(line.text);
      if ("fault" in reading) return this.#complain(`${place}: the line ${reading.fault}\n`);
      const conversation = reading.conversation.id ?? `line ${line.number}`;
      // Guards that count must not take two conversations of one id for one session.
      const sessionId = this.#guards.isPolicy
        ? `${file}:${line.number}`
        : `${basename(file)}: ${conversation}`;
      const report = await replayConversation(reading.conversation, sessionId, this.#guards, {
        requireNames: this.#requireNames,
      });
      tally.count(report);
      const { findings } = this.#outputs;
      await this.#written(this.#findingsPath, () =>
        findings?.add({ file, line: line.number, conversation }, report.findings),
      );
    } catch (error) {
      // Its text may quote the conversation.
      const kind = error instanceof Error ? error.name : typeof error;
      this.#complain(`${place}: the line cannot be replayed to its end (${printable(kind)})\n`);
    }
  }

  async #written(path: string, write: () => unknown): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#reportOnce(path, error);
    }
  }

  /** A disk that is full is full for each record. */
  #reportOnce(path: string, error: unknown): void {
    if (this.#reported.has(path)) return;
    this.#reported.add(path);
    this.#complain(complaint(path, error));
  }

  #complain(text: string): void {
    this.troubled = true;
    this.#progress.clear();
    this.#terminal.err.write(text);
  }
}

function unreadIn(file: string, messages: number): string {
  const what = messages === 1 ? "1 message has" : `${counted(messages)} messages have`;
  return `${printable(file)}: ${what} something that is not of Chat Completions (malformed_message, malformed_calls), and calls in it were put before no guard\n`;
}
