import { isLetterCode, isWord, runEnd, tableOf, whitespace } from "../text/classes.js";
import { continuesBefore } from "../text/marks.js";
import type { Source } from "../text/source.js";
import { type Detector, shaped } from "./detector.js";
import { rowsOfPairs } from "./pairs.js";
import { isPlaceholder, isPlaceholderAt } from "./placeholder.js";

/** Schemes of stores and brokers: an address of these with a password is a connection string. */
const stores =
  /(?:postgres(?:ql)?|mysql|mariadb|mssql|sqlserver|oracle|mongodb|redis|rediss|valkey|amqps?|kafka|nats|clickhouse|cassandra|cockroachdb|couchbases?|ldaps?|snowflake|jdbc)\b/iy;
const storesBegin = tableOf("acjklmnoprsvACJKLMNOPRSV");

const endsUser = tableOf(`${whitespace}"'\`<>[]{}/?#@:\\|`);
const endsPassword = tableOf(`${whitespace}"'\`<>[]{}/@\\|`);
const endsHost = tableOf(`${whitespace}"'\`<>[]{}()/?#&@\\|`);
/** Several hosts may stand with commas; a comma or `&` in the path ends it, as in rows and forms. */
const endsPath = tableOf(`${whitespace}"'\`<>[]{}()\\|,?&`);
const endsQuery = tableOf(`${whitespace}"'\`<>[]{}()\\|,`);
const inIpv6 = tableOf("0123456789abcdefABCDEF:.");
const punctuation = tableOf(".,;:!?&");

function withPassword(kind: string, isStore: boolean): Detector {
  return {
    kind,
    anchors: ["://"],
    atAnchor(source, at, before) {
      const { units, length } = source;
      const start = schemeStart(source, at);
      if (start === at || isOfStore(source, start) !== isStore) return undefined;
      const colon = runEnd(units, at + 3, Math.min(length, at + 131), endsUser);
      if (units[colon] !== 58) return undefined;
      const sign = runEnd(units, colon + 1, Math.min(length, colon + 257), endsPassword);
      if (sign === colon + 1 || units[sign] !== 64) return undefined;
      if (continuesBefore(source, start)) {
        before.doubt(at, start - 2, start);
        return undefined;
      }
      if (isPlaceholderAt(source, colon + 1, sign)) return undefined;
      if (isOfOwnMachine(source, at + 3, colon, sign)) return undefined;
      const end = restEnd(units, sign + 1, length);
      return end < 0 ? undefined : { start, end };
    },
  };
}

const ownMachine = /@(?:localhost|127\.|\[::1\])/y;

/** `root:root@localhost`: the user's name as the password of what runs on the own machine, as programs are installed. */
function isOfOwnMachine({ text }: Source, user: number, colon: number, sign: number): boolean {
  ownMachine.lastIndex = sign;
  return ownMachine.test(text) && text.slice(user, colon) === text.slice(colon + 1, sign);
}

function isOfStore(source: Source, start: number): boolean {
  if (storesBegin[source.units[start] as number] !== 1) return false;
  stores.lastIndex = start;
  return stores.test(source.text);
}

function schemeStart({ units }: Source, at: number): number {
  let start = at;
  while (start > 0 && at - start < 24) {
    const code = units[start - 1] as number;
    if (!(isWord(code) && code !== 95) && code !== 43 && code !== 45 && code !== 46 && code !== 58)
      break;
    start -= 1;
  }
  while (start < at && !isLetterCode(units[start] as number)) start += 1;
  return start;
}

/** The end of the host and what follows it; -1 if no host stands there. */
function restEnd(units: Uint16Array, start: number, length: number): number {
  const upTo = (from: number) => Math.min(length, from + 512);
  let end = hostEnd(units, start, upTo(start));
  if (end < 0) return -1;
  end = runEnd(units, end, upTo(end), endsPath);
  if (end < length && units[end] === 63) end = runEnd(units, end + 1, upTo(end + 1), endsQuery);
  while (punctuation[units[end - 1] as number] === 1) end -= 1;
  return end;
}

function hostEnd(units: Uint16Array, start: number, to: number): number {
  if (units[start] !== 91) {
    const end = runEnd(units, start, to, endsHost);
    return end === start ? -1 : end;
  }
  let end = start + 1;
  while (end - start <= 45 && inIpv6[units[end] as number] === 1) end += 1;
  return end - start > 2 && units[end] === 93 ? end + 1 : -1;
}

export const credentials: readonly Detector[] = [
  withPassword("secret.basic_auth_url", false),
  withPassword("secret.connection_string", true),
  // Oracle, "JDBC developer's guide", "URL and datasource": `user/password@host`.
  shaped({
    kind: "secret.connection_string",
    anchors: ["jdbc:oracle:"],
    shape:
      /jdbc:oracle:(?:thin|oci8?):[^\s"'`<>[\]@/:\\]{1,64}\/(?:"[^"\s[\]\\]{1,64}"|[^\s"'`<>[\]@\\]{1,128})@(?:\/\/)?[\w.-]{1,253}(?::\d{1,5})?(?:[:/][\w.$-]{1,64})?/y,
    valid: (address) => !isPlaceholder(/\/"?(.*?)"?@/.exec(address)?.[1] ?? ""),
  }),
  ...rowsOfPairs,
];
