import { isAt } from "./line.js";

const text = '"[ !#-\\[\\]-~]*"';
const word = '"[a-z_]+"';
const digest = '(?:"[0-9a-f]*"|null)';
const whole = "(?:0|[1-9][0-9]*)";
const optional = (member: string): string => `(?:,${member})?`;

const session = `"session":\\{"id":${text},"seq":${whole}\\}`;
const outcome = `"status":${word},"executed":(?:true|false|"unknown")${optional(`"basis":${word}`)}${optional(`"decidedBy":${text}`)}${optional(`"code":${text}`)}${optional(`"errorType":${text}`)},"modifiedBy":\\[\\]`;
const decision = `\\{"provider":${text},"phase":${word},"decision":${word},"basis":${word}${optional(`"mode":${word}`)}${optional(`"code":${text}`)}${optional(`"reason":${text}`)}\\}`;

/*
 * The members of most calls' records, in the order in which `RecordText`
 * writes them: JSON in printable ASCII by its form alone. Names are spelt out,
 * since letters that are known are matched faster than a class of letters.
 */
const upToDigests = new RegExp(
  `"kind":"(?:outcome|intent)","time":${whole},"runId":${text}` +
    optional(`"turnId":${text}`) +
    `,"callId":${text}` +
    optional(session) +
    ["principal", "tenant", "traceparent", "agentName"]
      .map((name) => optional(`"${name}":${text}`))
      .join("") +
    `,"requestedName":${text}${optional(`"toolName":${text}`)}${optional(outcome)}` +
    `,"decisions":\\[(?:${decision}(?:,${decision})*)?\\]` +
    `,"digests":\\{"asked":${digest}${optional(`"used":${digest}`)}${optional(`"result":${digest}`)}\\}`,
  "y",
);
const fromTimes = new RegExp(
  `,"times":\\{"askedAt":${whole}${optional(`"dispatchedAt":${whole}`)}${optional(`"settledAt":${whole}`)}\\}` +
    `${optional(`"policyVersion":${text}`)}(?=,"hash":")`,
  "y",
);
const salted = ',"salted":true';

/** What a call's record is by its form; a record without a known form may be right all the same. */
export type CallForm = "plain" | "salted" | undefined;

/** Which form the members have that stand between two places of a text, the seal being behind them. */
export function callForm(text: string, start: number, end: number): CallForm {
  const digests = endOf(upToDigests, text, start);
  if (digests === -1) return undefined;
  const isSalted = isAt(text, digests, salted);
  const times = isSalted ? digests + salted.length : digests;
  if (endOf(fromTimes, text, times) !== end) return undefined;
  return isSalted ? "salted" : "plain";
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
