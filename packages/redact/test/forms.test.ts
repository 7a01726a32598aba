import { describe, expect, it } from "vitest";
import { redactor } from "../src/index.js";
import { item } from "./items.js";

const token = item("secret.github_token", 3);
const mark = "[redacted secret.github_token]";
const whole = redactor();

function folded(width: number, lineBreak: string, encoding: "base64" | "hex" = "base64"): string {
  const text = Buffer.from(`${"lorem ipsum ".repeat(4)}dol ${token} ${"sit amet ".repeat(9)}`);
  return (text.toString(encoding).match(new RegExp(`.{1,${width}}`, "g")) ?? []).join(lineBreak);
}

describe("a token is found", () => {
  it.each([
    ["MIME", folded(76, "\r\n")],
    ["base64", folded(76, "\n")],
    ["PEM", folded(64, "\n")],
    ["xxd -p", folded(60, "\n", "hex")],
    ["JSON", folded(76, "\\n")],
    ["JSON in JSON", folded(76, "\\\\r\\\\n")],
  ])("in a block of lines as %s writes it, and the block is one finding", (_, block) => {
    expect(whole.text(`a:\n\n${block}\n\nb`).value).toBe(`a:\n\n${mark}\n\nb`);
  });

  it.each(["ghp_", "github_pat_", "glpat-"])("with the escapes of Markdown: %s", (prefix) => {
    const rest = {
      ghp_: token.slice(4),
      github_pat_: `${"A1".repeat(11)}_${"k9Zx".repeat(14)}k9Z`,
    };
    const given = prefix + (rest[prefix as keyof typeof rest] ?? "k9Zx-k9_Zxk9Zxk9Zxk9");
    expect(whole.text(`x ${given.replace(/[_-]/g, "\\$&")} y`).value).toMatch(
      /^x \[redacted secret\.git\w+\] y$/,
    );
  });

  it.each(["\u001b", "\\u001b", "\\\\u001B"])("in colours that begin with %s", (sign) => {
    const [red, plain] = [`${sign}[1;31m`, `${sign}[0m`];
    expect(whole.text(`x ${red}${token}${plain} y`).value).toBe(`x ${red}${mark}${plain} y`);
    const cut = `x ghp_${red}${token.slice(4)}${plain} y`;
    expect(whole.text(cut).value).toBe(`x ${mark}${plain} y`);
  });

  it.each(["=\n", "=\r\n", "\\\n", "\\\r\n"])(
    "over the line break %j that continues a line",
    (fold) => {
      const text = `a\n${token.slice(0, 20)}${fold}${token.slice(20)}\nb`;
      expect(whole.text(text).value).toBe(`a\n${mark}\nb`);
    },
  );
});

describe("what stands in lines or colours", () => {
  const text = [folded(76, "\r\n"), `\u001b[32m${token}\u001b[0m`, folded(64, "\n"), `-${token}`];

  it("is the same in pieces of any length, and twice redacted", () => {
    const all = `${text.join("\n\n")}\n\n`.repeat(40);
    const { value } = whole.text(all);
    expect(value).not.toContain(token);
    expect(whole.text(value).value).toBe(value);
    for (const length of [1_000, 4_093, 20_011]) {
      const stream = whole.stream();
      let given = "";
      for (let at = 0; at < all.length; at += length)
        given += stream.push(all.slice(at, at + length));
      expect(given + stream.end()).toBe(value);
    }
  });

  it.each(["\n", "\t", "\u0007", "\u001b[1;31m", '"', "\\"])(
    "is JSON after an item directly behind %j was masked",
    (sign) => {
      for (const kind of ["personal.email", "secret.basic_auth_url"]) {
        const row = (value: string) => ({
          a: `é ${sign}${value} x`,
          b: JSON.stringify({ sign }),
        });
        const { value } = whole.text(JSON.stringify(row(item(kind, 5))));
        expect(JSON.parse(value)).toEqual(row(`[redacted ${kind}]`));
        expect(whole.text(`${sign}${item(kind, 5)}`).value).toBe(`${sign}[redacted ${kind}]`);
      }
    },
  );

  it("does not let a mark behind an ESC be read as a colour", () => {
    const { value } = whole.text(`\u001b${token} ${token}`);
    expect(value).toBe(`\u001b${mark} ${mark}`);
    expect(whole.text(value).kinds).toEqual([]);
  });
});

describe("what an escape changes behind the line in which it stands", () => {
  const key = item("secret.anthropic", 4);
  it.each([
    ["a number behind a word for it", "t\\u0065l\n030 1234567.", "t\\u0065l\n", "."],
    [
      "a value behind a word for a password",
      "pass\u200bword:\nk9Rw4xT7bq2 x",
      "pass\u200bword:\n",
      " x",
    ],
    [
      "a value in percent escapes behind a word in those of JSON",
      "p\\u0061ssword:\nk9R%77%34xT7bq2 x",
      "p\\u0061ssword:\n",
      " x",
    ],
    [
      "a card behind a word of other numbers that is the end of a longer word",
      "\\u0041tracking_number\n4916338506082832.",
      "\\u0041tracking_number\n",
      ".",
    ],
    [
      "an address behind a word for versions that is the end of a longer word",
      "sub\u00adversion\n35.61.121.230.",
      "sub\u00adversion\n",
      ".",
    ],
    [
      "a token in lines, all but the first of which are short",
      `a\n${key.slice(0, 66)}\n${key.slice(66, 77)}\n${key.slice(77)}\n\nb`,
      "a\n",
      "\n\nb",
    ],
  ])("is found: %s", (_, text, before, behind) => {
    const { value, kinds } = whole.text(text);
    expect(value).toBe(`${before}[redacted ${kinds[0]}]${behind}`);
  });

  it("is found to its end: a key in whose lines some is in escapes of JSON and some in percent escapes", () => {
    const body = Buffer.from([
      0x30,
      0x82,
      ...Array.from({ length: 700 }, (_, at) => (at * 7) % 256),
    ]);
    const lines = body.toString("base64").match(/.{1,64}/g) ?? [];
    const spoilt = lines.map((line, index) =>
      index === 5 ? `\\u00${line.charCodeAt(0).toString(16)}${line.slice(1)}` : line,
    );
    spoilt[8] = `%${lines[8]?.charCodeAt(0).toString(16)}${lines[8]?.slice(1)}`;
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${spoilt.join("\n")}\n-----END RSA PRIVATE KEY-----`;
    expect(whole.find(`a\n${key}\nb`)).toEqual([
      { start: 2, end: 2 + key.length, kind: "secret.private_key" },
    ]);
  });

  it("stays unfound by itself when a mark cuts the block of lines that it seemed to go on", () => {
    const token = `xapp-1-A0Q7ZK3M9XT-20257413908-${"3f".repeat(5)}\u00ad${"7c1e0".repeat(10)}9a4d`;
    const { value } = whole.text(`${token}\\n+49539-31-9048655613\\n+49539-31-9048`);
    expect(value).toBe(
      "[redacted secret.slack]\\n+49539-31-9048655613\\n[redacted personal.phone]",
    );
    expect(whole.text(value).value).toBe(value);
  });
});

describe("what is decoded", () => {
  it("is not told by words that the digits spell behind it", () => {
    const words = "lorem ipsum dolor ".repeat(400);
    const encoded = (text: string) => Buffer.from(text.slice(0, 3 * Math.floor(text.length / 3)));
    const [head, tail] = [`${words} ${item("personal.ssn", 1)} ${words}`, words].map((text) =>
      encoded(text).toString("base64"),
    );
    expect(whole.text(`${head}/order/${tail}`).kinds).toEqual(["personal.ssn"]);
    const number = Buffer.from(`${words} 030 1234567 ${words}`).toString("base64");
    expect(whole.text(`${number}/tel/${tail}`).kinds).toEqual([]);
    expect(whole.text(`tel ${Buffer.from("030 1234567.").toString("base64")}`).kinds).toEqual([
      "personal.phone",
    ]);
  });
});

describe("mail in encoded text", () => {
  it.each(["base64", "hex"] as const)("may have letters beyond ASCII, in UTF-8: %s", (encoding) => {
    for (const address of ["zoé@brawyn.de", "믿준@brawyn.de", "zoe@brawyn.ñandú.es", "é@b.de"]) {
      const run = Buffer.from(`reply to: ${address}`).toString(encoding);
      expect(whole.text(`data ${run} end`).value).toBe("data [redacted personal.email] end");
    }
  });
});

describe("a token", () => {
  it("is one as a whole, and what stands directly behind it is found", () => {
    const others = `${item("personal.email", 2)} ${item("secret.npm_token", 2)}`;
    for (const behind of [`. ${others}`, `\n${others}`, `_ ${others}`, `@${others}`])
      for (const token of [item("secret.stripe", 1), item("secret.slack", 1)])
        expect(whole.text(`to ${token}${behind}`).kinds.slice(1)).toEqual([
          ...["personal.email", "secret.npm_token"],
        ]);
  });

  it("goes on in the next line of a block", () => {
    const key = `sk_live_${"aB3dE5gH".repeat(12)}`;
    const text = `key: ${key.slice(0, 76)}\n${key.slice(76)}\n\nend`;
    expect(whole.text(text).value).toBe("key: [redacted secret.stripe]\n\nend");
  });
});

describe("a card in groups", () => {
  const card = "5018 0833 4644 4446";
  const marked = "[redacted personal.card]";

  it.each(["qty 2", "12", "100", "12345"])(
    "is found behind a space and a number that is no group of four: %s",
    (number) => {
      for (const each of [card, "3782 822463 10013"])
        for (const behind of ["", ".", " 7", " 12 2025"])
          expect(whole.text(`${number} ${each}${behind}`).value).toBe(
            `${number} ${marked}${behind}`,
          );
    },
  );

  it("may have dots between, unless more digits with dots stand before or behind it", () => {
    const dots = card.replaceAll(" ", ".");
    expect(whole.text(`2 ${dots}, 7,${dots},9.50 ${dots}.`).value).toBe(
      `2 ${marked}, 7,${marked},9.50 ${marked}.`,
    );
    for (const text of [`1.${dots}`, `${dots}.12`, `1.3.6.1.4.1.${dots}`])
      expect(whole.text(text).value).toBe(text);
  });

  it("is none within an IBAN in groups", () => {
    // Four of its groups pass the check of a card.
    const iban = "DE77 5018 0833 4644 4446 00";
    for (const text of [iban, `to:\\n${iban}`, `no. 1${iban}`])
      expect(whole.text(text).kinds).not.toContain("personal.card");
  });

  it.each(["\n", "\t", ",", ";", ", ", ":", "/"])(
    "is found behind a number, and before one, with %j between",
    (sign) => {
      for (const each of [card, card.replaceAll(" ", "-")]) {
        expect(whole.text(`12${sign}${each}${sign}13`).value).toBe(`12${sign}${marked}${sign}13`);
        expect(whole.text(`${each}${sign}${each}`).value).toBe(`${marked}${sign}${marked}`);
      }
    },
  );

  it("is none as a part of a longer row of groups", () => {
    for (const row of [`1234 ${card}`, `1234-${card.replaceAll(" ", "-")}`])
      expect(whole.text(row).value).toBe(row);
  });
});

describe("a long run before a mark", () => {
  const text = Buffer.from(`mail ${item("personal.email", 1)}, `.repeat(300));

  it.each(["hex", "base64"] as const)("is read as without it: %s", (encoding) => {
    const run = text.toString(encoding);
    const found = whole.find(run);
    expect(found.length).toBeGreaterThan(0);
    for (const end of ["[redacted]", mark]) {
      expect(whole.find(run + end)).toEqual(found);
      const once = whole.text(run + end).value;
      expect(whole.text(once).value).toBe(once);
    }
  });
});
