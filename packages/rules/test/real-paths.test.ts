import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { saysOf } from "./ask.js";

const composed = "caf\u00e9";
const decomposed = "cafe\u0301";

function tree(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolstile-rules-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "public", "sub"), { recursive: true });
  mkdirSync(join(folder, "private"));
  writeFileSync(join(folder, "private", "s.txt"), "");
  writeFileSync(join(folder, "public", "prod.env"), "");
  return folder;
}

function saysUnder(folder: string, path: string): string {
  const condition = { at: "/x", realPathUnder: [join(folder, "public")] };
  return saysOf(condition, { x: `${folder}/${path}` });
}

describe("a name that does not exist, beside a link out of the folder with a name that some take for it", () => {
  it.each<[string, string, string]>([
    ["composed, of a decomposed one", decomposed, composed],
    ["decomposed, of a composed one", composed, decomposed],
    ["in another case", "Link", "link"],
    ["in wide letters", "link", "\uff4cink"],
    ["with an invisible sign", "link", "li\u200bnk"],
    ["with a dot at its end", "link", "link."],
    ["with a blank at its end", "link", "link "],
    ["with a stream of Windows", "link", "link:stream"],
    ["with ss for a sharp s", "stra\u00dfe", "strasse"],
  ])("is not under it: %s", (_, entry, asked) => {
    const folder = tree();
    symlinkSync("../private", join(folder, "public", entry));
    expect(saysUnder(folder, `public/${asked}`)).toBe("untold");
    expect(saysUnder(folder, `public/${asked}/s.txt`)).toBe("untold");
    expect(saysUnder(folder, `public/${asked}/new/w.txt`)).toBe("untold");
  });

  it("is not under it where the link lies deeper, below a folder with another spelling", () => {
    const folder = tree();
    mkdirSync(join(folder, "public", decomposed));
    symlinkSync("../../private", join(folder, "public", decomposed, decomposed));
    expect(saysUnder(folder, `public/${composed}/${composed}/s.txt`)).toBe("untold");
  });

  it("is not under it where the link leads nowhere yet", () => {
    const folder = tree();
    symlinkSync("../private/new.txt", join(folder, "public", decomposed));
    expect(saysUnder(folder, `public/${composed}`)).toBe("untold");
  });

  it("is outside for sure if all of them lead outside", () => {
    const folder = tree();
    mkdirSync(join(folder, "private", decomposed));
    expect(saysUnder(folder, `private/${composed}/x`)).toBe("false");
  });

  it("is under it if the entry is in it too", () => {
    const folder = tree();
    writeFileSync(join(folder, "public", "readme.md"), "");
    mkdirSync(join(folder, "public", decomposed));
    symlinkSync("sub", join(folder, "public", "Inside"));
    expect(saysUnder(folder, "public/README.md")).toBe("true");
    expect(saysUnder(folder, `public/${composed}/new.txt`)).toBe("true");
    expect(saysUnder(folder, "public/inside/new.txt")).toBe("true");
  });

  it("is what it names, whatever stands beside it, once it exists", () => {
    const folder = tree();
    symlinkSync("../private", join(folder, "public", "Link"));
    writeFileSync(join(folder, "public", "link"), "");
    expect(saysUnder(folder, "public/link")).toBe("true");
  });

  it.each([
    [composed, decomposed],
    [decomposed, composed],
  ])(
    "is undecided though it exists, where its composed or decomposed form leads outside: %j, %j",
    (name, other) => {
      const folder = tree();
      writeFileSync(join(folder, "public", name), "");
      expect(saysUnder(folder, `public/${name}`)).toBe("true");
      symlinkSync("../private", join(folder, "public", other));
      expect(saysUnder(folder, `public/${name}`)).toBe("untold");
    },
  );
});

describe("a folder with very many entries", () => {
  it("P18 is searched for other spellings up to 10,000 entries of all folders that a path may lead through, and undecided beyond", () => {
    const folder = tree();
    const many = join(folder, "public", "sub");
    const other = join(folder, "public", "sub\u200b");
    for (let index = 0; index < 9_990; index++) symlinkSync("x", join(many, `${index}`));
    mkdirSync(other);
    expect(saysUnder(folder, "public/SUB/new.txt")).toBe("true");
    for (let index = 0; index < 10; index++) symlinkSync("x", join(other, `${index}`));
    expect(saysUnder(folder, "public/sub/new.txt")).toBe("true");
    expect(saysUnder(folder, "public/SUB/new.txt")).toBe("untold");
    for (let index = 9_990; index < 10_000; index++) symlinkSync("x", join(many, `${index}`));
    expect(saysUnder(folder, "public/sub/new.txt")).toBe("true");
    writeFileSync(join(many, "10000"), "");
    expect(saysUnder(folder, "public/sub/new.txt")).toBe("untold");
    expect(saysUnder(folder, "public/sub/10000")).toBe("true");
  });

  it("P18 is undecided if a path has more than 16 spellings", () => {
    const folder = tree();
    const names = (count: number) =>
      Array.from({ length: count }, (_, index) => `a${"\u200b".repeat(index)}`);
    for (const name of names(15)) writeFileSync(join(folder, "public", name), "");
    expect(saysUnder(folder, "public/A")).toBe("true");
    writeFileSync(join(folder, "public", `a${"\u200b".repeat(15)}`), "");
    expect(saysUnder(folder, "public/A")).toBe("untold");
  });
});

describe("the names where a path really leads", () => {
  const realPathHas = ["*.env", ".git"];
  function saysHas(folder: string, path: string): string {
    return saysOf({ at: "/x", realPathHas }, { x: `${folder}/${path}` });
  }

  function linked(): string {
    const folder = tree();
    mkdirSync(join(folder, "public", ".git"));
    writeFileSync(join(folder, "public", "a.txt"), "");
    symlinkSync("prod.env", join(folder, "public", "innocent.txt"));
    symlinkSync(".git", join(folder, "public", "innocent"));
    symlinkSync("a.txt", join(folder, "public", "a.env"));
    symlinkSync("nothing.env", join(folder, "public", "dangling.txt"));
    symlinkSync("prod.env", join(folder, "public", decomposed));
    return folder;
  }

  it.each<[string, string]>([
    ["public/a.txt", "false"],
    ["public/new.txt", "false"],
    ["public/new/b.txt", "false"],
    ["public/prod.env", "true"],
    ["public/PROD.ENV", "true"],
    ["public/new.env", "true"],
    ["public/.git/config", "true"],
    ["public/dangling.txt", "untold"],
    ["public/../public/a.txt", "untold"],
  ])("of %s are %s", (path, expected) => {
    expect(saysHas(linked(), path)).toBe(expected);
  });

  it.each([
    "public/innocent.txt",
    "public/innocent.txt/",
    "public/innocent/config",
    "public/a.env",
  ])(
    "have a rule apply under 'when' and under 'require' where the text of %s says another thing than its end",
    (path) => {
      expect(saysHas(linked(), path)).toBe("untold");
    },
  );

  it("are those of a link in between, too", () => {
    const folder = tree();
    writeFileSync(join(folder, "private", "blob"), "");
    symlinkSync("../private/blob", join(folder, "public", "secret.env"));
    symlinkSync("./sub/../secret.env", join(folder, "public", "innocent.txt"));
    symlinkSync(join(folder, "public"), join(folder, "public", "sub", "up"));
    expect(saysHas(folder, "public/innocent.txt")).toBe("untold");
    expect(saysHas(folder, "public/sub/up/innocent.txt")).toBe("untold");
    expect(saysHas(folder, "public/sub/up/a.txt")).toBe("false");
  });

  it("count for a name that some take for that of a link", () => {
    expect(saysHas(linked(), `public/${composed}`)).toBe("untold");
  });

  it("cannot be told of a path that is not absolute, unless it has the name under 'when'", () => {
    expect(saysOf({ at: "/x", realPathHas }, { x: "a.txt" })).toBe("untold");
    expect(saysOf({ at: "/x", realPathHas }, { x: "a.env" })).toBe("untold");
  });

  it("are asked again for each call", () => {
    const folder = linked();
    const link = join(folder, "public", "innocent.txt");
    expect(saysHas(folder, "public/innocent.txt")).toBe("untold");
    unlinkSync(link);
    symlinkSync("a.txt", link);
    expect(saysHas(folder, "public/innocent.txt")).toBe("false");
  });

  it("P18 are asked of a hundred paths of a call, and undecided for more", () => {
    const folder = linked();
    const paths = (count: number) => ({
      x: new Array(count).fill(join(folder, "public", "a.txt")),
    });
    const condition = { at: "/x/*", realPathHas };
    expect(saysOf(condition, paths(100))).toBe("false");
    expect(saysOf(condition, paths(101))).toBe("untold");
  });
});
