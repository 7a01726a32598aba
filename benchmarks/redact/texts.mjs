// Texts of 1,000,000 UTF-16 units on which the speed of redaction is measured, hostile ones among them.

const size = 1_000_000;

/** Through bytes, so that it is one flat string. @param {string} once */
export function megabyte(once) {
  return Buffer.from(once.repeat(Math.ceil(size / once.length)).slice(0, size)).toString();
}

/** The same letters and digits in every run. @param {number} length @param {string} alphabet */
function drawn(length, alphabet) {
  let state = 7;
  let text = "";
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += alphabet[Math.floor((state / 2 ** 32) * alphabet.length)];
  }
  return text;
}

const small = "abcdefghijklmnopqrstuvwxyz";
const base64 = `${small.toUpperCase()}${small}0123456789+/`;
/** As mail has it. @param {string} lineBreak */
const inLines = (lineBreak) => drawn(size, base64).replace(/.{76}/g, `$&${lineBreak}`);
const nested = () => {
  let text = "mail zoe@brawyn.de ";
  while (text.length < size) text = Buffer.from(text).toString("base64");
  return text;
};

/** @type {readonly (readonly [string, () => string])[]} */
export const hostile = [
  ["one letter", () => "a"],
  ["one line of letters", () => drawn(50_000, small)],
  ["one row of digits", () => drawn(50_000, "0123456789")],
  ["short numbers", () => "1 "],
  ["short numbers behind a word for phones", () => "tel 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "],
  ["`@`", () => "@"],
  ["mail at unknown domains", () => drawn(40_000, small).replace(/.{4}/g, "a@b.$& ")],
  ["colons", () => ":"],
  ["dots", () => "."],
  ["hyphens", () => "-"],
  ["`-----BEGIN `", () => "-----BEGIN "],
  ["headers of private keys", () => "-----BEGIN RSA PRIVATE KEY-----\n"],
  ["headers of JWT", () => "eyJhbGciOiJIUzI1NiJ9."],
  ["one row of base64", () => drawn(50_000, base64)],
  ["base64 in lines", () => inLines("\n")],
  ["base64 with line breaks as escapes", () => inLines("\\n")],
  ["base64 with `\\/`", () => drawn(size, base64).replaceAll("/", "\\/")],
  ["base64 in base64", nested],
  ["rows of base64 that are text", () => "aGVsbG8gd29ybGQgaGVs "],
  ["percent signs", () => "%"],
  ["percent escapes", () => "%41"],
  ["backslashes", () => "\\"],
  ["escapes of JSON", () => "\\u0041"],
  ["escaped mail", () => "\\u007aoe@brawyn.de %40 "],
  ["words for passwords", () => "password "],
  ["short words for passwords", () => "pw="],
  ["words for passwords without spaces", () => "密码"],
  ["cards in groups", () => "5018 0833 4644 4446 "],
  ["URLs with passwords", () => "http://a:b1@c "],
  ["connection strings", () => "server=a;"],
  ["MAC addresses", () => "7c:1f:00:26:07:6a "],
  ["IPv6 addresses", () => "2a93:8e70:249c::44ef:9f9c "],
  ["marks", () => "[redacted personal.email] "],
];
