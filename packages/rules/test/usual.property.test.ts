import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { saysOf } from "./ask.js";

const labels = [
  "a",
  "example",
  "com",
  "0x7f",
  "1",
  "xn--bcher-kva",
  "-a",
  "b-",
  "ABC",
  "xn--a",
  "",
];
const domain = fc
  .array(fc.constantFrom(...labels), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join("."));
const pieces = ["/", "?", "#", ":80", "@", "\\", "%2e", " ", ".", "a", "//", "~", "=", "é"];
const rest = fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((all) => all.join(""));

describe("the short way, which most values take", () => {
  it("says of a URL what it says of the same URL when it takes the long way", {
    tags: "longer",
  }, () => {
    const condition = { at: "/x", hostIn: ["example.com", "*.a.com", "xn--bcher-kva.com"] };
    const says = (x: string) => saysOf(condition, { x });
    fc.assert(
      fc.property(fc.constantFrom("https://", "http://", "ftp://"), domain, rest, (...url) => {
        const [scheme, ...others] = url;
        // A scheme in upper case takes the long way.
        const long = says([scheme.toUpperCase(), ...others].join(""));
        expect(says(url.join(""))).toBe(long);
      }),
      { numRuns: inject("long") ? 2_000 : 400 },
    );
  });

  it("says of a URL whose host ends as a listed one does what it says when it takes the long way", {
    tags: "longer",
  }, () => {
    const condition = { at: "/x", hostIn: ["*.a.com", "b-c.example", "*.xn--bcher-kva.com"] };
    const says = (x: string) => saysOf(condition, { x });
    const letter = fc.constantFrom(..."ax09.--", "xn--", "0x", "A", "_", "é", "ß", "%", "@", ":1");
    const before = fc.array(letter, { maxLength: 8 }).map((all) => all.join(""));
    const end = fc.constantFrom(".a.com", "a.com", ".a.com.", "b-c.example", ".xn--bcher-kva.com");
    let covered = 0;
    fc.assert(
      fc.property(before, end, rest, (...url) => {
        const long = says(["HTTPS://", ...url].join(""));
        expect(says(["https://", ...url].join(""))).toBe(long);
        if (long === "true") covered++;
      }),
      { numRuns: inject("long") ? 2_000 : 400 },
    );
    expect(covered).toBeGreaterThan(inject("long") ? 50 : 2);
  });

  it("says the same of a host of any length in the short and in the long way", () => {
    const says = (x: string) => saysOf({ at: "/x", hostIn: ["*.a.com"] }, { x });
    for (const label of ["a", "a.", "a-", ".", "-"]) {
      for (const times of [1, 31, 64, 127, 260, 1_000]) {
        const rest = `://${label.repeat(times)}b.a.com/x`;
        expect(says(`https${rest}`), `${label} ${times}`).toBe(says(`HTTPS${rest}`));
      }
    }
  });

  it("says of an address what it says of the same address when it takes the long way", () => {
    const local = fc.constantFrom("ann", "a.b+c", ".a", "a.", "a%b", '"a"', "A-b", "a b", "");
    const of = fc.constantFrom(
      "example.com",
      "a.example.com",
      "example.com.a",
      "com",
      "example.com.",
    );
    const says = (x: string) => saysOf({ at: "/x", emailDomain: ["example.com"] }, { x });
    fc.assert(
      fc.property(local, of, (local, domain) => {
        // A name before it takes the long way.
        expect(says(`${local}@${domain}`)).toBe(says(`Ann <${local}@${domain}>`));
      }),
    );
  });

  it("says of a path what it says of the same path when it takes the long way", () => {
    const name = fc.constantFrom("srv", "docs", "docs-old", "a", ".a", "..", ".", "", "a.b", "a%b");
    const says = (x: string) => saysOf({ at: "/x", pathUnder: ["/srv/docs", "/"] }, { x });
    fc.assert(
      fc.property(fc.array(name, { maxLength: 5 }), (names) => {
        const path = `/${names.join("/")}`;
        // A dot as a name takes the long way, and means nothing.
        expect(says(`${path}/a`)).toBe(says(`${path}/./a`));
      }),
    );
  });
});
