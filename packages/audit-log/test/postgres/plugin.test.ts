import type { ToolObserver } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { plugin, verifyRows } from "../../src/postgres.js";
import { settledCall } from "../calls.js";
import { database, isThere, server as url } from "./database.js";

describe.skipIf(!isThere)("the plugin of an audit log in PostgreSQL", () => {
  const base = database();

  it("writes a chain that can be verified, goes on with it, and lets it go when it is closed", async () => {
    const table = await base.newTable();
    for (const _ of [1, 2]) {
      const log = plugin.create({
        postgres: { url, table, writer: "proxy" },
        payloads: true,
        required: true,
      }) as ToolObserver;
      expect(log).toMatchObject({ name: "audit-log", required: true });
      await log.settle(settledCall());
      await log.close?.();
    }
    const report = await verifyRows(base.admin, { table });
    expect(report).toMatchObject({ ok: true });
    const { rows } = await base.admin.query(
      `select line from ${table} where line like '%"outcome"%'`,
    );
    expect(rows).toHaveLength(2);
  });
});

describe("the plugin of an audit log in PostgreSQL, without one", () => {
  const url = "postgres://nobody@127.0.0.1:1/none";

  it.each([
    [{}, "postgres"],
    [{ postgres: {} }, "url"],
    [{ postgres: { url, tabel: "x" } }, "Did you mean 'table'?"],
    [{ postgres: { url, table: "a b" } }, "'table' is a name"],
    [{ postgres: { url }, required: true, onFull: "drop" }, "exclude each other"],
    [{ postgres: { url }, requird: true }, "Did you mean 'required'?"],
  ])("P5 refuses %j", (options, message) => {
    expect(() => plugin.create(options as never)).toThrow(message);
  });
});
