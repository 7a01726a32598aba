import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { redactor } from "../src/index.js";

const path = fileURLToPath(
  new URL("../../../../shared/data/sensitive/dev.jsonl.gz", import.meta.url),
);

interface Row {
  readonly kind: string;
  readonly label: string;
  readonly text: string;
  readonly spans: readonly {
    start: number;
    end: number;
    kind: string;
    core?: { start: number; end: number };
  }[];
  readonly obfuscated?: boolean;
  readonly disputed?: boolean;
}

const present = existsSync(path);
const rows: readonly Row[] = present
  ? gunzipSync(readFileSync(path))
      .toString()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  : [];
/** Kinds that only the words around them tell. */
const byContext = new Set(["secret.password", "secret.aws_secret_access_key"]);

describe.skipIf(!present)("the bars on made-up data (needs ../shared/data)", () => {
  const { find } = redactor();
  const hits = new Map<string, { all: number; found: number }>();
  let alarms = 0;
  let inClean = 0;
  let lookAlikes = 0;
  for (const { label, kind, text, spans, obfuscated, disputed } of rows) {
    if (obfuscated || disputed) continue;
    const found = find(text);
    if (label === "clean") inClean += found.length;
    if (label === "lookalike") {
      lookAlikes += 1;
      if (found.length > 0) alarms += 1;
    }
    for (const span of spans) {
      if (span.kind !== kind) continue;
      const { start, end } = span.core ?? span;
      const count = hits.get(kind) ?? { all: 0, found: 0 };
      count.all += 1;
      if (found.some((each) => each.start <= start && each.end >= end)) count.found += 1;
      hits.set(kind, count);
    }
  }

  it("are met by the recall of every kind", () => {
    const missed = [...hits].filter(([kind, { all, found }]) => {
      const bar = byContext.has(kind) ? 0.9 : kind.startsWith("secret.") ? 0.98 : 0.97;
      return found / all < bar;
    });
    expect(hits.size).toBeGreaterThan(30);
    expect(missed).toEqual([]);
  });

  it("are met by the false alarms: 2 in 1,000 look-alikes, and none in clean texts", () => {
    expect(alarms).toBeLessThanOrEqual(0.002 * lookAlikes);
    expect(inClean).toBe(0);
  });
});
