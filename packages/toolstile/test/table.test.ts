import { describe, expect, it } from "vitest";
import { table } from "../src/terminal/table.js";

const columns = [
  { title: "file", align: "left" },
  { title: "calls", align: "right" },
] as const;

describe("a table", () => {
  it("puts columns under each other, as wide as their widest cell", () => {
    const rows = [{ cells: ["a", "1,000,000"] }, { cells: ["longer", "2"] }];
    expect(table(columns, rows)).toBe(
      ["file        calls", "──────  ─────────", "a       1,000,000", "longer          2", ""].join(
        "\n",
      ),
    );
  });

  it("has as many rows as there are", () => {
    const rows = Array.from({ length: 200_000 }, (_, row) => ({ cells: [String(row), ""] }));
    expect(table(columns, rows).split("\n")).toHaveLength(200_000 + 3);
  });

  it("paints whole lines, so that colours do not move the columns", () => {
    const paint = (text: string) => `<${text}>`;
    const lines = table(columns, [{ cells: ["a", ""], paint }]).split("\n");
    expect(lines[2]).toBe("<a>");
  });
});
