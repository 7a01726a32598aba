import type { Before } from "./before.js";
import type { Detector } from "./detector.js";

const header = /-----BEGIN (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----/y;
/** Text of PEM, its headers (RFC 1421) included; in JSON and code its line breaks may be written as escapes. */
const body =
  /(?:(?:\s|\\[nr])*(?:Proc-Type|DEK-Info|Version|Comment): [^\n\\-]{0,100})*((?:[A-Za-z0-9+/=\s]+|\\[nr])+)/y;
const footer = /-----END (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----/y;
/** Above it a key is not looked at whole: RSA keys of 8,192 bits have 6,400 units. */
const longestPem = 12_288;

/** PEM whose body decodes: to DER, which begins with a sequence, or to OpenSSH's format. A missing end is no excuse. */
export const privateKey: Detector = {
  kind: "secret.private_key",
  anchors: ["-----BEGIN "],
  atAnchor({ text }, at, before) {
    header.lastIndex = at;
    const opened = header.exec(text);
    if (opened === null) return undefined;
    const end = keyEnd(text, header.lastIndex, opened[0].includes("PGP"), before);
    const looked = end > 0 ? end : header.lastIndex + 2 * longestPem;
    before.noteValue(at, looked);
    if (end > 0) return { start: at, end };
    before.doubt(at, at, looked);
    return undefined;
  },
};

function keyEnd(text: string, start: number, isPgp: boolean, before: Before): number {
  body.lastIndex = start;
  const found = body.exec(text);
  if (found?.[1] === undefined || found[0].length > longestPem) return -1;
  const base64 = digitsOf(found[1]);
  if (base64.length < 40 || !decodes(base64, isPgp)) return -1;
  footer.lastIndex = body.lastIndex;
  if (!footer.test(text)) return body.lastIndex;
  before.passOver(footer.lastIndex);
  return footer.lastIndex;
}

/** The first digits, and all if the first units have too few. */
function digitsOf(body: string): string {
  const digits = body.slice(0, 256).replace(/\\[nr]|\s+/g, "");
  return digits.length < 64 ? body.replace(/\\[nr]|\s+/g, "") : digits;
}

function decodes(base64: string, isPgp: boolean): boolean {
  const bytes = Buffer.from(base64.slice(0, 64), "base64");
  if (isPgp) return ((bytes[0] ?? 0) & 0x80) !== 0;
  return bytes[0] === 0x30 || bytes.toString("latin1").startsWith("openssh-key-v1");
}
