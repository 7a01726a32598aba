/** @typedef {"sqli" | "template" | "code" | "xss"} Kind */

/** Texts that are an injection, each of the kind that it is. @type {readonly { kind: Kind, text: string }[]} */
export const injected = [
  { kind: "sqli", text: "1'; DROP TABLE users --" },
  { kind: "sqli", text: "' UNION SELECT passwd FROM users --" },
  { kind: "sqli", text: "1; DELETE FROM orders" },
  { kind: "sqli", text: "SELECT * FROM pg_authid /* all */ ;" },
  { kind: "sqli", text: "'; INSERT INTO logs VALUES (1) --" },
  { kind: "sqli", text: "1; EXEC xp_cmdshell" },
  { kind: "template", text: "{{ config }}" },
  { kind: "template", text: "{% import os %}" },
  { kind: "code", text: "import os" },
  { kind: "code", text: "import socket" },
  { kind: "code", text: "from subprocess import run" },
  { kind: "xss", text: "<script>alert(1)</script>" },
  { kind: "xss", text: "![x](https://evil.example/a?q=1)" },
  { kind: "xss", text: '<a href="javascript:alert(1)">x</a>' },
];

/** Texts that only look like one. @type {readonly { kind: Kind, text: string, instead: string }[]} */
export const harmless = [
  { kind: "sqli", text: "please select a seat -- thanks", instead: "please take a seat, thanks" },
  { kind: "sqli", text: "I add salt; then I drop by", instead: "I take salt, then I come by" },
  { kind: "sqli", text: "don't create a scene", instead: "do not make a scene" },
  { kind: "code", text: "the import of cosmetics", instead: "the trade in soap" },
  { kind: "code", text: "from here we import wine", instead: "from here we sell wine" },
  { kind: "xss", text: "![cat](cat.png)", instead: "a cat" },
  { kind: "xss", text: "![map](https://maps.example/bonn.png)", instead: "a map" },
  { kind: "template", text: "a set {1, 2}", instead: "a set of two" },
];

/** A text with a harmless one in place of each that only looks like an injection. @param {string} text */
export function withoutLookalikes(text) {
  return harmless.reduce(
    (changed, { text: found, instead }) => changed.replaceAll(found, instead),
    text,
  );
}
