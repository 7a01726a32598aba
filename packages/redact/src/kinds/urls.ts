import { isLetterCode, isWord } from "../text/classes.js";
import { continuesBefore } from "../text/marks.js";
import type { Source } from "../text/source.js";
import type { Detector, Place } from "./detector.js";
import { isPlaceholder } from "./placeholder.js";

/** Schemes of stores and brokers: an address of these with a password is a connection string. */
const stores =
  /^(?:postgres(?:ql)?|mysql|mariadb|mssql|sqlserver|oracle|mongodb|redis|rediss|valkey|amqps?|kafka|nats|clickhouse|cassandra|cockroachdb|couchbases?|ldaps?|snowflake|jdbc)\b/i;

const userinfo = /:\/\/[^\s"'`<>[\]{}/?#@:\\|]{0,128}:([^\s"'`<>[\]{}/@\\|]{1,256})@/y;
/** Several hosts may stand with commas; a comma or `&` in the path ends it, as in rows and forms. */
const rest =
  /(?:\[[0-9A-Fa-f:.]{2,45}\]|[^\s"'`<>[\]{}()/?#&@\\|]{1,512})[^\s"'`<>[\]{}()\\|,?&]{0,512}(?:\?[^\s"'`<>[\]{}()\\|,]{0,512})?/y;

function withPassword(kind: string, isStore: boolean): Detector {
  return {
    kind,
    anchors: ["://"],
    atAnchor(source, at) {
      const start = schemeStart(source, at);
      if (start === at || continuesBefore(source, start)) return undefined;
      const { text } = source;
      if (stores.test(text.slice(start, at)) !== isStore) return undefined;
      userinfo.lastIndex = at;
      const found = userinfo.exec(text);
      if (found?.[1] === undefined || isPlaceholder(found[1])) return undefined;
      rest.lastIndex = userinfo.lastIndex;
      if (!rest.test(text)) return undefined;
      return { start, end: withoutPunctuation(text, rest.lastIndex) };
    },
  };
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

function withoutPunctuation(text: string, end: number): number {
  let last = end;
  while (/[.,;:!?&]/.test(text.charAt(last - 1))) last -= 1;
  return last;
}

/** `Name=value;Name=value`, as ADO.NET, ODBC and Azure write it. */
const pairs =
  /(?:[A-Za-z][A-Za-z ]{0,30}=[^;\s"'`<>&[\]\\|]{0,256};(?: (?=[A-Z]))?){1,20}(?:[A-Za-z][A-Za-z ]{0,30}=[^;\s"'`<>&[\]\\|,)]{1,256})?/y;
const passwordPair = /(?:^|;\s?)(?:password|pwd)=([^;]{4,})/i;
const accountKey =
  /(?:^|;\s?)(?:AccountKey|SharedAccessKey)=(?:[A-Za-z0-9+/]{40,120}={0,2})(?:;|$)/;

function keyValueString(
  kind: string,
  anchors: readonly string[],
  hasSecret: (pairs: string) => boolean,
): Detector {
  return {
    kind,
    anchors,
    anyCase: true,
    atAnchor(source, at): Place | undefined {
      if (continuesBefore(source, at)) return undefined;
      const { text } = source;
      pairs.lastIndex = at;
      const found = pairs.exec(text);
      if (found === null || !hasSecret(found[0])) return undefined;
      return { start: at, end: at + found[0].trimEnd().length };
    },
  };
}

export const credentials: readonly Detector[] = [
  withPassword("secret.basic_auth_url", false),
  withPassword("secret.connection_string", true),
  keyValueString(
    "secret.connection_string",
    ["server=", "data source=", "host=", "driver="],
    (found) => {
      const password = passwordPair.exec(found)?.[1];
      return password !== undefined && !isPlaceholder(password);
    },
  ),
  keyValueString(
    "secret.azure_storage",
    ["defaultendpointsprotocol=", "endpoint=sb:", "accountname="],
    (found) => accountKey.test(found),
  ),
];
