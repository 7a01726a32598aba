import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { saysOf } from "./ask.js";

/** Ways in which servers and disks take two names for one. */
const readers: Readonly<Record<string, (name: string) => string>> = {
  composed: (name) => name.normalize("NFC"),
  compatible: (name) => name.normalize("NFKC"),
  "in one case": (name) => name.normalize("NFC").toUpperCase(),
  "without dots and blanks at the end": (name) => name.replace(/[. ]+$/, "").toLowerCase(),
};

/** Where a server writes that looks for a name that is not there among the others of its folder. */
function placesFor(folder: string, names: readonly string[], read: (name: string) => string) {
  let places = [folder];
  for (const name of names) {
    places = places.flatMap((at) => {
      const entries = existsSync(at) ? readdirSync(at) : [];
      const meant = entries.includes(name)
        ? [name]
        : entries.filter((entry) => read(entry) === read(name));
      return meant.length === 0
        ? [join(at, name)]
        : meant.map((entry) => realpathSync(join(at, entry)));
    });
  }
  return places;
}

const name = fc.constantFrom(
  "caf\u00e9",
  "cafe\u0301",
  "CAF\u00c9",
  "a",
  "A",
  "\uff41",
  "a.",
  "new",
);
const entry = fc.record({
  path: fc.array(name, { minLength: 1, maxLength: 2 }),
  link: fc.constantFrom("no", "out", "in"),
});

describe("a path that is under a folder once links are followed", () => {
  it("leads no server out of it, however that reads names", () => {
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 6 }),
        fc.array(name, { minLength: 1, maxLength: 3 }),
        (entries, asked) => {
          const root = realpathSync(mkdtempSync(join(tmpdir(), "toolstile-rules-")));
          try {
            const inside = join(root, "inside");
            for (const each of ["inside", "outside"]) mkdirSync(join(root, each));
            for (const { path, link } of entries) {
              const at = join(inside, ...path);
              if (existsSync(at) || !existsSync(join(at, ".."))) continue;
              if (link === "no") mkdirSync(at);
              else symlinkSync(link === "out" ? join(root, "outside") : inside, at);
            }
            const value = join(inside, ...asked);
            const says = saysOf({ at: "/x", realPathUnder: inside }, { x: value });
            if (says !== "true") return;
            for (const read of Object.values(readers)) {
              for (const place of placesFor(inside, asked, read)) {
                expect(`${place}${sep}`.startsWith(`${inside}${sep}`)).toBe(true);
              }
            }
          } finally {
            rmSync(root, { recursive: true });
          }
        },
      ),
    );
  });
});
