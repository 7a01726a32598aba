import { own } from "../own-property.js";
import { failed } from "./cannot-judge.js";
import type { ModelRail, RailPorts, RailSubject, RailVerdict } from "./rail.js";
import { withUserText } from "./user-text.js";
import { passed } from "./verdicts.js";

/** What the rails of one direction have found. */
export interface RailsFinding {
  readonly verdict: RailVerdict;
  /** The flow that blocked or, for a text that was modified, the last that did. */
  readonly flow: string | undefined;
  /** The text after all rewrites; absent where nothing was rewritten, and for a block. */
  readonly text: string | undefined;
}

export interface RunRailsOptions {
  readonly parallel: boolean;
  readonly direction: "input" | "output";
  /** Wraps each rail, for telemetry. `run` rejects only where the rail was cancelled. */
  readonly onRail?:
    | ((rail: ModelRail, run: () => Promise<RailVerdict>) => Promise<RailVerdict>)
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
 * A rail that throws, or gives anything but a verdict, blocks. In order, the
 * first block ends the run and a rewritten text is what the next rail judges.
 * In parallel, the first block cancels the others and waits until they are
 * over; of several blocks the first in the configuration counts. All judge the
 * original text then: of several rewrites the first in the configuration
 * stands, and each other rail that rewrote is asked again, alone, for the text
 * as it is by then. So none is lost.
 *
 * @throws the reason of the caller's abort.
 */
export async function runRails(
  rails: readonly ModelRail[],
  subject: RailSubject,
  ports: RailPorts,
  options: RunRailsOptions,
): Promise<RailsFinding> {
  if (!options.parallel || rails.length < 2) return inOrder(rails, subject, ports, options);
  const found = await together(rails, subject, ports, options);
  const block = found.find(({ verdict }) => verdict.status === "blocked");
  if (block !== undefined) return blockedBy(block);
  const [first, ...others] = found.filter(({ verdict }) => verdict.status === "modified");
  if (first?.verdict.status !== "modified") return nothingFound;
  const finding = { verdict: first.verdict, flow: first.rail.flow, text: first.verdict.text };
  const again = others.map(({ rail }) => rail);
  return inOrder(again, withText(subject, options, finding.text), ports, options, finding);
}

async function inOrder(
  rails: readonly ModelRail[],
  subject: RailSubject,
  ports: RailPorts,
  options: RunRailsOptions,
  sofar: RailsFinding = nothingFound,
): Promise<RailsFinding> {
  let judged = subject;
  let finding = sofar;
  for (const rail of rails) {
    subject.signal?.throwIfAborted();
    const verdict = await closed(rail, judged, ports, options);
    subject.signal?.throwIfAborted();
    if (verdict.status === "blocked") return blockedBy({ rail, verdict });
    if (verdict.status !== "modified") continue;
    finding = { verdict, flow: rail.flow, text: verdict.text };
    judged = withText(judged, options, verdict.text);
  }
  return finding;
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
  const cancel = new AbortController();
  const follow = (): void => cancel.abort(caller?.reason);
  caller?.addEventListener("abort", follow, { once: true });
  try {
    const linked = { ...subject, signal: cancel.signal };
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
    caller?.removeEventListener("abort", follow);
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
  const run = async (): Promise<RailVerdict> => {
    try {
      return verdictOf(rail, await rail.judge(subject, ports));
    } catch (error) {
      signal?.throwIfAborted();
      return failed(rail, error);
    }
  };
  try {
    return options.onRail === undefined
      ? await run()
      : verdictOf(rail, await options.onRail(rail, run));
  } catch (error) {
    signal?.throwIfAborted();
    return failed(rail, error);
  }
}

/** What is not exactly a verdict blocks. Only own members count. */
function verdictOf(rail: ModelRail, value: unknown): RailVerdict {
  const text = own(value, "text");
  const reason = own(value, "reason");
  switch (own(value, "status")) {
    case "passed":
      return passed;
    case "modified":
      if (typeof text !== "string" || typeof reason !== "string") break;
      return { status: "modified", text, reason };
    case "blocked":
      return {
        status: "blocked",
        reason: typeof reason === "string" ? reason : `${rail.flow} blocked`,
        basis: own(value, "basis") === "policy" ? "policy" : "error",
      };
  }
  return failed(rail, undefined);
}

function blockedBy({ rail, verdict }: Found): RailsFinding {
  return { verdict, flow: rail.flow, text: undefined };
}

function withText(subject: RailSubject, options: RunRailsOptions, text: string): RailSubject {
  return options.direction === "output"
    ? { ...subject, botResponse: text }
    : { ...subject, messages: withUserText(subject.messages, text) };
}
