import { hash } from "node:crypto";
import { readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { describe, expect, it } from "vitest";
import { main } from "../src/main.js";
import { decision, denied, noon, outcome, type RecordMembers, writeChain } from "./audit-folder.js";
import { capturedTerminal } from "./captured-terminal.js";
import { temporaryFolder } from "./temporary-folder.js";

async function run(...argv: string[]) {
  const terminal = capturedTerminal();
  const code = await main(["audit", ...argv], terminal);
  return { code, ...terminal.written() };
}

/** A log, its lines, and where its page would be. */
function logOf(...records: readonly RecordMembers[]) {
  const folder = temporaryFolder();
  const path = folder.at("log");
  return {
    ...folder,
    path,
    lines: writeChain(path, "a".repeat(16), records),
    page: folder.at("p"),
  };
}

async function pageOf(log: { readonly path: string; readonly page: string }, ...more: string[]) {
  const { code, err } = await run(log.path, "--html", log.page, ...more);
  expect([code, err]).toEqual([0, ""]);
  return readFileSync(log.page, "utf8");
}

/** What stands between a start tag, given whole, and the next end tag, as a browser finds it. */
function contentOf(html: string, startTag: string) {
  const start = html.indexOf(startTag) + startTag.length;
  return html.slice(start, html.indexOf("</", start));
}

function callsOf(html: string) {
  const block = contentOf(html, '<script type="application/json" id="calls">');
  return JSON.parse(block) as {
    readonly record: Readonly<Record<string, unknown>>;
    readonly facts: Readonly<Record<string, unknown>>;
    readonly payloads?: unknown;
    readonly leftOut?: readonly string[];
  }[];
}

const tags = /<(?:script|\/script|img|style|!--)/gi;
const hostile = [
  "<img src=x onerror=alert(1)>",
  "</script><script>alert(1)</script>",
  "<!--<script>",
  "]]> &lt;b&gt; &amp;",
  "\u2028\u2029\u0000\ud800\u202e",
  "$& $` $' $1 $<a>",
];

describe("the page of toolstile audit --html", () => {
  it("has the records as the log has them", async () => {
    const log = logOf(outcome("one"), denied("two", "No."), outcome("three"));
    const written = log.lines.slice(2).map((line) => JSON.parse(line));
    expect(callsOf(await pageOf(log)).map(({ record }) => record)).toEqual(written);
  });

  it.each(hostile)("holds %j as text in every place that a log has for it", async (text) => {
    const plain = await pageOf(logOf(outcome("one")));
    const members = {
      session: { id: text, seq: 1 },
      principal: text,
      agentName: text,
      traceparent: text,
      requestedName: text,
      toolName: text,
      decidedBy: text,
      code: text,
      status: text,
      decisions: [decision(text, { provider: text, mode: text, code: text, reason: text })],
      digests: { asked: text },
      payloads: { asked: { [text]: text } },
      policyVersion: text,
      [text]: text,
    };
    const log = logOf(denied(text, text, members));
    const html = await pageOf(log, "--payloads", "--tool", text);
    expect(html.match(tags)).toEqual(plain.match(tags));
    const [call] = callsOf(html);
    const { payloads, ...record } = JSON.parse(log.lines[2] ?? "");
    expect(call).toMatchObject({ record, payloads });
    expect(contentOf(html, '<script type="application/json" id="facts">')).not.toMatch(/[<>]/);
  });

  it("forbids everything but its own style and script", async () => {
    const html = await pageOf(logOf(outcome("one")));
    const [, policy = ""] =
      /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html) ?? [];
    const style = contentOf(html, "<style>");
    const script = html.slice(html.lastIndexOf("<script>") + 8, html.lastIndexOf("</script>"));
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash("sha256", style, "base64")}'`,
      `script-src 'sha256-${hash("sha256", script, "base64")}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(html.indexOf("Content-Security-Policy")).toBeLessThan(html.indexOf("<style>"));
    expect(html).not.toMatch(/ (?:src|href|style|on[a-z]+)=/);
    expect(html.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|@import|url\(/);
  });

  it("has a script that is one, and makes no element out of text", async () => {
    const html = await pageOf(logOf(outcome("one")));
    const script = html.slice(html.lastIndexOf("<script>") + 8, html.lastIndexOf("</script>"));
    expect(() => new Script(script)).not.toThrow();
    expect(script).not.toMatch(
      /innerHTML|outerHTML|insertAdjacent|document\.write|eval|^(?:im|ex)port /m,
    );
  });

  it("has payloads only when asked to, and none that is too large", async () => {
    const large = "x".repeat(70_000);
    const payloads = { asked: { q: "green tea" }, result: { content: large } };
    const log = logOf(outcome("one", { payloads }));
    const bare = await pageOf(log);
    expect(bare).not.toContain("green tea");
    const [call] = callsOf(await pageOf(log, "--payloads"));
    expect(call).toMatchObject({ payloads: { asked: { q: "green tea" } }, leftOut: ["result"] });
    expect(JSON.stringify(call)).not.toContain(large);
  });

  it("takes the latest 20,000 calls, and says that it left out others", {
    tags: "long",
  }, async () => {
    const calls = Array.from({ length: 20_003 }, (_, index) => ({
      kind: "outcome",
      time: noon + index,
      runId: `run-${index}`,
    }));
    const log = logOf(...calls);
    const { out } = await run(log.path, "--html", log.page);
    expect(out).toBe(`${log.page}: 20,000 calls; earlier ones did not find room\n`);
    const html = readFileSync(log.page, "utf8");
    const facts = JSON.parse(contentOf(html, '<script type="application/json" id="facts">'));
    expect(facts).toMatchObject({ hasEarlier: true, folder: log.path });
    const shown = callsOf(html);
    expect([shown.length, shown[0]?.record.runId]).toEqual([20_000, "run-3"]);
  });

  it("writes over a page or an empty file, over another only with --force", async () => {
    const log = logOf(outcome("one"));
    log.file("p");
    await pageOf(log);
    await pageOf(log, "--limit", "1");
    const other = log.file("other.html", "<!doctype html>\n<p>mine");
    const { code, err } = await run(log.path, "--html", other);
    expect(code).toBe(2);
    expect(err).toContain("which is not a page of an audit log. Use --force to overwrite it.");
    expect(readFileSync(other, "utf8")).toContain("mine");
    await pageOf({ ...log, page: other }, "--force");
    expect(statSync(other).mode & 0o077).toBe(0);
    expect(readdirSync(join(other, "..")).sort()).toEqual(["log", "other.html", "p"]);
  });

  it("follows a link to the page, and leaves the link", async () => {
    const log = logOf(outcome("one"));
    const link = log.at("link");
    symlinkSync(log.file("p"), link);
    await pageOf({ ...log, page: link });
    expect(callsOf(readFileSync(log.page, "utf8"))).toHaveLength(1);
  });

  it.each([[[]], [["--force"]]])(
    "writes neither into the log nor over a folder: %j",
    async (more) => {
      const log = logOf(outcome("one"));
      const chain = join(log.path, "a".repeat(16));
      for (const place of [join(log.path, "p.html"), join(chain, "00000001.jsonl"), chain]) {
        expect((await run(log.path, "--html", place, ...more)).code).toBe(2);
      }
      expect((await run(log.path, "--html", log.at("."), ...more)).code).toBe(2);
      expect((await run(log.path, "--html", "/dev/null", ...more)).code).toBe(2);
      expect(readdirSync(chain)).toEqual(["00000001.jsonl"]);
    },
  );

  it("ends with 1 when the page cannot be written", async () => {
    const log = logOf(outcome("one"));
    const { code, err } = await run(log.path, "--html", log.at("none/page.html"));
    expect([code, err]).toEqual([1, `${log.at("none/page.html")}: there is no such file\n`]);
  });
});
