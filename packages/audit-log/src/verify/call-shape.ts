import { isAt } from "../format/line.js";

const text = '"[ !#-\\[\\]-~]*"';
const word = '"[a-z_]+"';
const digest = `(?:${text}|null)`;
const whole = "(?:0|[1-9][0-9]*)";
const optional = (member: string): string => `(?:,${member})?`;

const session = `"session":\\{"id":${text},"seq":${whole}\\}`;
const outcome = `"status":${word},"executed":(?:true|false|"unknown")${optional(`"basis":${word}`)}${optional(`"decidedBy":${text}`)}${optional(`"code":${text}`)}${optional(`"reason":${text}`)}${optional(`"errorType":${text}`)},"modifiedBy":\\[\\]`;
const decision = `\\{"provider":${text},"phase":${word},"decision":${word},"basis":${word}${optional(`"mode":${word}`)}${optional(`"code":${text}`)}${optional(`"reason":${text}`)}\\}`;

/*
 * The members of most calls' records, in the order in which `RecordText`
 * writes them: JSON in printable ASCII by its form alone. Names are spelt out,
 * since letters that are known are matched faster than a class of letters.
 */
const upToDecisions = new RegExp(
  `"kind":"(?:outcome|intent)","time":${whole},"runId":${text}` +
    optional(`"turnId":${text}`) +
    `,"callId":${text}` +
    optional(session) +
    ["principal", "tenant", "traceparent", "agentName"]
      .map((name) => optional(`"${name}":${text}`))
      .join("") +
    `,"requestedName":${text}${optional(`"toolName":${text}`)}${optional(outcome)}`,
  "y",
);
const decisions = new RegExp(`,"decisions":\\[(?:${decision}(?:,${decision})*)?\\]`, "y");
const digests = new RegExp(
  `,"digests":\\{"asked":${digest}${optional(`"used":${digest}`)}${optional(`"result":${digest}`)}\\}`,
  "y",
);
const fromTimes = new RegExp(
  `,"times":\\{"askedAt":${whole}${optional(`"dispatchedAt":${whole}`)}${optional(`"settledAt":${whole}`)}\\}` +
    `${optional(`"policyVersion":${text}`)}(?=,"hash":")`,
  "y",
);
const salted = ',"salted":true';

/** The form of a call's record. A record without a known form may be right all the same. */
export type CallForm = "plain" | "salted" | undefined;

/** Finds the forms of a log's records, most of which were decided on as the one before them. */
export class CallForms {
  /** The decisions of an earlier record, which were found to be right. */
  #decisions = ',"decisions":[]';

  /** Returns the form of the members between two places of a text. The seal must follow them. */
  of(text: string, start: number, end: number): CallForm {
    const called = endOf(upToDecisions, text, start);
    const decided = called === -1 ? -1 : this.#afterDecisions(text, called);
    const committed = decided === -1 ? -1 : endOf(digests, text, decided);
    if (committed === -1) return undefined;
    const isSalted = isAt(text, committed, salted);
    const times = isSalted ? committed + salted.length : committed;
    if (endOf(fromTimes, text, times) !== end) return undefined;
    return isSalted ? "salted" : "plain";
  }

  #afterDecisions(text: string, start: number): number {
    if (isAt(text, start, this.#decisions)) return start + this.#decisions.length;
    const end = endOf(decisions, text, start);
    if (end !== -1) this.#decisions = text.slice(start, end);
    return end;
  }
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
