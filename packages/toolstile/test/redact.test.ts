import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import { redactor } from "@toolstile/redact";
import { describe, expect, it } from "vitest";
import { FindingLines } from "../src/redact/finding-lines.js";
import { redactCommand } from "../src/redact/redact.js";
import { capturedTerminal } from "./captured-terminal.js";

const mail = "zoe@brawyn.de";
const body = Buffer.concat([Buffer.from([0x30, 0x82]), Buffer.alloc(94, 5)]).toString("base64");
const key = `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`;

async function* bytes(text: string, size: number): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

async function run(argv: readonly string[], text: string, size = 7) {
  const terminal = capturedTerminal();
  const code = await redactCommand(() => bytes(text, size)).run(argv, terminal);
  return { code, ...terminal.written() };
}

const entry = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

describe("toolstile redact", () => {
  it
    .skipIf(!existsSync(entry))
    .each([["redact"], ["redact", "--findings"], ["redact", "--jsonl", "text"]])(
    "says that its input is a folder: %s %s",
    (...argv) => {
      const folder = openSync(".", "r");
      const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...argv], {
        encoding: "utf8",
        stdio: [folder, "pipe", "pipe"],
      });
      closeSync(folder);
      expect({ status, stdout, stderr }).toEqual({
        status: 1,
        stdout: "",
        stderr: "toolstile redact: it is a folder\n",
      });
    },
  );

  it("masks text whose characters are cut by its pieces", async () => {
    expect(await run([], `🔐 to ${mail} …\n`)).toEqual({
      code: 0,
      out: "🔐 to [redacted personal.email] …\n",
      err: "",
    });
  });

  it("masks an input that is longer than what it holds back as if it were read at once", async () => {
    const text = `${"lorem ipsum\n".repeat(2_000)}${mail}\n${key}\n${"dolor\n".repeat(4_000)}`;
    expect((await run([], text, 4_096)).out).toBe(redactor().text(text).value);
  });

  it("prints the findings of each line, and those of a key in each of its lines", async () => {
    const { out } = await run(["--findings"], `🔐 ${mail}\n\n${key}\nend`);
    const lists = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lists).toEqual([
      [{ start: 3, end: 16, kind: "personal.email" }],
      [],
      [{ start: 0, end: 27, kind: "secret.private_key" }],
      [{ start: 0, end: body.length, kind: "secret.private_key" }],
      [{ start: 0, end: 25, kind: "secret.private_key" }],
      [],
    ]);
  });

  it("prints for a long input the findings of the same text in one piece", async () => {
    const text = `${"lorem ipsum\n".repeat(3_000)}x ${mail}\n`.repeat(3);
    expect((await run(["--findings"], text, 3_000)).out).toBe(
      (await run(["--findings"], text, 1 << 22)).out,
    );
  });

  it("prints for lines of base64 with escapes in them the findings of the same text in one piece", async () => {
    const value = `${"The report says it. ".repeat(1_500)} ${mail} ${"And more. ".repeat(2_000)}`;
    const digits = Buffer.from(value).toString("base64").replaceAll("b", "\\u0062");
    const text = digits.replace(/.{77}/g, "$&\n");
    const { out } = await run(["--findings"], text, 3_000);
    expect(out).toContain("personal.email");
    expect(out).toBe((await run(["--findings"], text, 1 << 22)).out);
  });

  it("looks for nothing in a line before it has ended", () => {
    const looked: number[] = [];
    const whole = redactor();
    const find = (text: string) => {
      looked.push(text.length);
      return whole.find(text);
    };
    const lines = new FindingLines({ ...whole, find });
    for (let piece = 0; piece < 50; piece++) lines.push(`${"lorem ".repeat(2_000)}${mail} `);
    expect(looked).toEqual([]);
    const findings: unknown = JSON.parse(lines.end());
    expect([findings, looked]).toEqual([expect.objectContaining({ length: 50 }), [600_700]]);
  });

  it("masks one member of each JSON line, and leaves the others", async () => {
    const rows = [{ text: mail, owner: mail }, { owner: mail }, { text: { to: [mail] } }];
    const { out } = await run(
      ["--jsonl", "text"],
      rows.map((row) => JSON.stringify(row)).join("\n"),
    );
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { text: "[redacted personal.email]", owner: mail },
      { owner: mail },
      { text: { to: ["[redacted personal.email]"] } },
    ]);
  });

  it("changes nothing of a JSON line but the member, however it is written", async () => {
    const line = (text: string) =>
      `{ "id": 12345678901234567890, "a": {"text": 1.0},"t\\u0065xt" :${text} , "é\\"}": [2.50, "text"] }\r\n`;
    const { out } = await run(["--jsonl", "text"], `${line(`"${mail}"`)}\n${line("null")}`);
    expect(out).toBe(`${line('"[redacted personal.email]"')}\n${line("null")}`);
  });

  it("masks a member that is given twice in both places", async () => {
    const { out } = await run(["--jsonl", "text"], `{"text":"${mail}","text":["${mail}"]}`);
    expect(out).toBe('{"text":"[redacted personal.email]","text":["[redacted personal.email]"]}\n');
  });

  it.each([[[]], [["--findings"]]])("says that no line has the member %s", async (more) => {
    const { code, err } = await run(["--jsonl", "/text", ...more], `{"text":"${mail}"}\n\n`);
    expect([code, err]).toEqual([1, "No line has the member '/text': nothing was masked.\n"]);
  });

  it("prints one list of findings for each JSON line", async () => {
    const { out } = await run(
      ["--jsonl", "text", "--findings"],
      `{"text":"${mail}"}\n\n{"text":"tea"}\n{}\n`,
    );
    expect(out).toBe('[{"start":0,"end":13,"kind":"personal.email"}]\n[]\n[]\n[]\n');
  });

  it("finds with --findings all that it would mask: in objects, lists, numbers, names, and a member that is given twice", async () => {
    const lines = [
      `{"text":{"a/b":["tea",{"to":"to ${mail}"}]}}`,
      `{"text":{"${mail}":1,"password":"Xk4v-9Qz!w"}}`,
      `{"text":4532015112830366}`,
      `{"text":"${mail}","text":["tea"]}`,
    ].join("\n");
    const { out } = await run(["--jsonl", "text", "--findings"], lines);
    const email = { start: 0, end: 13, kind: "personal.email" };
    const found = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(found).toEqual([
      [{ path: "/a~1b/1/to", start: 3, end: 16, kind: "personal.email" }],
      [
        { path: "/[redacted personal.email]", ...email, inName: true },
        { path: "/password", start: 0, end: 10, kind: "secret.password" },
      ],
      [{ path: "", start: 0, end: 16, kind: "personal.card" }],
      [email],
    ]);
    expect(out).not.toContain(mail);
    const masked = (await run(["--jsonl", "text"], lines)).out.trim().split("\n");
    expect(masked.map((line) => line.split("[redacted").length - 1)).toEqual([1, 2, 1, 1]);
  });

  it("ends at a line that is no JSON object, and prints nothing of it", async () => {
    const { code, out, err } = await run(
      ["--jsonl", "text"],
      `{"text":"tea"}\n${mail}\n{"text":"tea"}\n`,
    );
    expect([code, out]).toEqual([1, '{"text":"tea"}\n']);
    expect(err).toContain("Line 2 is no JSON object");
    expect(err).not.toContain(mail);
  });

  it("lists every kind, with its scores or with no items", async () => {
    const { out } = await run(["--kinds"], "");
    for (const kind of redactor().kinds) {
      expect(out).toMatch(new RegExp(`^${kind} +(?:[\\d.]+ % +[\\d.]+ % +\\d+|– +– +0)$`, "m"));
    }
  });

  it("refuses the name of a file", async () => {
    await expect(run(["log.txt"], "")).rejects.toThrow("reads its standard input");
  });

  it("lets none of 1,000 planted tokens through, plain, encoded, escaped or cut", async () => {
    const tokens = Array.from({ length: 1_000 }, (_, index) => token(index));
    const forms = tokens.map(
      (each, index) =>
        [
          each,
          Buffer.from(`t=${each}`).toString("base64"),
          Buffer.from(each).toString("hex"),
          each.replaceAll("_", "%5F"),
          each.replaceAll("_", "\\u005f"),
        ][index % 5] as string,
    );
    const { out } = await run(
      [],
      forms.map((form, index) => `line ${index}: ${form} .\n`).join(""),
      1_013,
    );
    expect(forms.filter((form) => out.includes(form))).toEqual([]);
    expect(out.match(/\[redacted secret\.github_token\]/g)?.length).toBe(1_000);
  });
});

/** A token of GitHub's form, which nobody has. */
function token(seed: number): string {
  const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  let state = seed + 1;
  const body = Array.from({ length: 30 }, () => {
    state = Math.imul(state, 1_103_515_245) + 12_345;
    return base62.charAt((state >>> 16) % 62);
  }).join("");
  let rest = crc32(body);
  let check = "";
  for (let index = 0; index < 6; index++) {
    check = base62.charAt(rest % 62) + check;
    rest = Math.floor(rest / 62);
  }
  return `ghp_${body}${check}`;
}
