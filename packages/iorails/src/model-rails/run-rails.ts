import { ownText, ownValue } from "@toolstile/core/provider";
import { LinkedAbort } from "../aborted.js";
import { CannotJudge, failed } from "./cannot-judge.js";
import type { ModelRail, RailMetadata, RailPorts, RailSubject, RailVerdict } from "./rail.js";
import { lastUserText, lineCounts, withUserText } from "./user-text.js";
import { passed } from "./verdicts.js";

/** The finding of the rails of one direction. */
export interface RailsFinding {
  readonly verdict: RailVerdict;
  /** The name of the flow that blocked or, for a text that was modified, of the last that did. */
  readonly flow: string | undefined;
  /** The text after all rewrites; absent where nothing was rewritten, and for a block. */
  readonly text: string | undefined;
}

export interface RunRailsOptions {
  readonly parallel: boolean;
  readonly direction: "input" | "output";
  /** Wraps each rail, for telemetry and the log. `run` rejects only where the rail was cancelled; it may be given ports of the rail's own. */
  readonly onRail?:
    | ((rail: ModelRail, run: (ports?: RailPorts) => Promise<RailVerdict>) => Promise<RailVerdict>)
    | undefined;
}

interface Found {
  readonly rail: ModelRail;
  readonly verdict: RailVerdict;
}

const nothingFound: RailsFinding = Object.freeze({
  verdict: passed,
  flow: undefined,
  text: undefined,
});

/**
 * Judge a subject by rails, in order or all together.
 *
 * Rails that may rewrite run first, in order: each text that they write is
 * what the next rail judges. The others follow; in parallel, the first block
 * cancels the others and waits until they are over, and of several blocks the
 * first in the configuration counts. The first block ends the run. A rail that
 * throws, or gives anything but a verdict, blocks, and so does one that
 * rewrites although it does not say that it may.
 *
 * @throws the reason of the caller's abort.
 */
export async function runRails(
  rails: readonly ModelRail[],
  subject: RailSubject,
  ports: RailPorts,
  options: RunRailsOptions,
): Promise<RailsFinding> {
  const writers = rails.filter(({ rewrites }) => rewrites === true);
  const judges = writers.length === 0 ? rails : rails.filter(({ rewrites }) => rewrites !== true);
  let finding = nothingFound;
  let judged = subject;
  for (const rail of writers) {
    const verdict = await one(rail, judged, ports, options);
    if (verdict.status === "blocked") return blockedBy({ rail, verdict });
    if (verdict.status !== "modified") continue;
    finding = { verdict, flow: rail.name, text: verdict.text };
    judged = withText(judged, options, verdict.text);
  }
  const found =
    options.parallel && judges.length > 1
      ? await together(judges, judged, ports, options)
      : await inOrder(judges, judged, ports, options);
  const block = found.find(({ verdict }) => verdict.status !== "passed");
  if (block !== undefined) return blockedBy(block);
  return finding.text === judgedText(subject, options) ? nothingFound : finding;
}

/** The verdicts up to the first block. */
async function inOrder(
  rails: readonly ModelRail[],
  subject: RailSubject,
  ports: RailPorts,
  options: RunRailsOptions,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const rail of rails) {
    const verdict = await one(rail, subject, ports, options);
    found.push({ rail, verdict });
    if (verdict.status === "blocked") break;
  }
  return found;
}

async function one(
  rail: ModelRail,
  subject: RailSubject,
  ports: RailPorts,
  options: RunRailsOptions,
): Promise<RailVerdict> {
  subject.signal?.throwIfAborted();
  const verdict = await closed(rail, subject, ports, options);
  subject.signal?.throwIfAborted();
  return verdict;
}

/** The verdicts in configured order, without those of rails that were cancelled. */
async function together(
  rails: readonly ModelRail[],
  subject: RailSubject,
  ports: RailPorts,
  options: RunRailsOptions,
): Promise<readonly Found[]> {
  const caller = subject.signal;
  caller?.throwIfAborted();
  const cancel = new LinkedAbort(caller);
  try {
    const linked = { ...subject, signal: cancel };
    const runs = rails.map(async (rail): Promise<Found | undefined> => {
      try {
        const verdict = await closed(rail, linked, ports, options);
        if (verdict.status === "blocked") cancel.abort();
        return { rail, verdict };
      } catch {
        // `closed` throws only what was cancelled.
        return undefined;
      }
    });
    const found = await Promise.all(runs);
    caller?.throwIfAborted();
    return found.filter((one) => one !== undefined);
  } finally {
    cancel.release();
  }
}

/** Ask one rail, turning every way it can misbehave into a block. Throws only where the subject's signal is aborted. */
async function closed(
  rail: ModelRail,
  subject: RailSubject,
  ports: RailPorts,
  options: RunRailsOptions,
): Promise<RailVerdict> {
  const { signal } = subject;
  const read = (value: unknown): RailVerdict => verdictOf(rail, value, subject, options);
  const run = async (own = ports): Promise<RailVerdict> => {
    try {
      return read(await rail.judge(subject, own));
    } catch (error) {
      signal?.throwIfAborted();
      return failed(rail, error);
    }
  };
  try {
    return options.onRail === undefined ? await run() : read(await options.onRail(rail, run));
  } catch (error) {
    signal?.throwIfAborted();
    return failed(rail, error);
  }
}

/** Reads a verdict. A value that is not exactly one blocks. Only own members count. */
function verdictOf(
  rail: ModelRail,
  value: unknown,
  subject: RailSubject,
  options: RunRailsOptions,
): RailVerdict {
  const text = ownValue(value, "text");
  const reason = ownValue(value, "reason");
  const found = ownValue(value, "metadata");
  const metadata = found instanceof Object ? (found as RailMetadata) : undefined;
  switch (ownValue(value, "status")) {
    case "passed":
      return { status: "passed", metadata };
    case "modified":
      if (typeof text !== "string" || typeof reason !== "string" || rail.rewrites !== true) break;
      if (options.direction === "input" && lastUserText(subject.messages) === undefined) {
        return failed(rail, new CannotJudge("a rail rewrote a message this request does not have"));
      }
      return { status: "modified", text, reason, metadata };
    case "blocked":
      return {
        status: "blocked",
        reason: typeof reason === "string" ? reason : `${rail.flow} blocked`,
        basis: ownValue(value, "basis") === "policy" ? "policy" : "error",
        metadata,
        refusal: ownText(value, "refusal"),
      };
  }
  return failed(rail, undefined);
}

function blockedBy({ rail, verdict }: Found): RailsFinding {
  return { verdict, flow: rail.name, text: undefined };
}

function withText(subject: RailSubject, options: RunRailsOptions, text: string): RailSubject {
  if (options.direction === "output") return { ...subject, botResponse: text };
  const { said, texts } = lastUserText(subject.messages) ?? {};
  const isOfSeveral = said !== undefined && texts !== undefined && texts.length > 1;
  const lines = isOfSeveral ? lineCounts(subject.messages) : [];
  const joined = subject.joined ?? (isOfSeveral ? { said, lines } : undefined);
  return { ...subject, joined, messages: withUserText(subject.messages, text) };
}

function judgedText(subject: RailSubject, { direction }: RunRailsOptions): string | undefined {
  return direction === "output" ? subject.botResponse : lastUserText(subject.messages)?.text;
}
