import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { plugin as allowlist } from "@toolstile/allowlist";
import { plugin as approval } from "@toolstile/approval";
import { plugin as approvalPostgres } from "@toolstile/approval/postgres";
import { plugin as auditLog } from "@toolstile/audit-log";
import { plugin as otel } from "@toolstile/audit-log/otel";
import { plugin as auditLogPostgres } from "@toolstile/audit-log/postgres";
import { plugin as containment } from "@toolstile/containment";
import { plugin as injectionScanner } from "@toolstile/containment/scanner";
import type { JsonObject } from "@toolstile/core";
import { plugin as judge } from "@toolstile/iorails/judge";
import { plugin as rateLimit } from "@toolstile/rate-limit";
import { plugin as rateLimitRedis } from "@toolstile/rate-limit/redis";
import { plugin as redact } from "@toolstile/redact";
import { plugin as resultLinkage } from "@toolstile/result-linkage";
import { plugin as rules } from "@toolstile/rules";
import { plugin as schema } from "@toolstile/schema";
import { describe, expect, it } from "vitest";
import { guardFileJsonSchema } from "../../packages/config/src/guard-file/schema.js";
import { definitionOf, type OwnPlugin, withPluginOptions } from "../guard-schema.js";

const packages = fileURLToPath(new URL("../../packages", import.meta.url));

const own: readonly OwnPlugin[] = [
  { use: "@toolstile/allowlist", place: "guard", plugin: allowlist },
  { use: "@toolstile/schema", place: "guard", plugin: schema },
  { use: "@toolstile/rules", place: "guard", plugin: rules },
  { use: "@toolstile/rate-limit", place: "guard", plugin: rateLimit },
  { use: "@toolstile/rate-limit/redis", place: "guard", plugin: rateLimitRedis },
  { use: "@toolstile/redact", place: "guard", plugin: redact },
  { use: "@toolstile/result-linkage", place: "guard", plugin: resultLinkage },
  { use: "@toolstile/containment", place: "guard", plugin: containment },
  { use: "@toolstile/containment/scanner", place: "guard", plugin: injectionScanner },
  { use: "@toolstile/iorails/judge", place: "guard", plugin: judge },
  { use: "@toolstile/audit-log", place: "observer", plugin: auditLog },
  { use: "@toolstile/audit-log/postgres", place: "observer", plugin: auditLogPostgres },
  { use: "@toolstile/audit-log/otel", place: "observer", plugin: otel },
  { use: "@toolstile/approval", place: "approver", plugin: approval },
  { use: "@toolstile/approval/postgres", place: "approver", plugin: approvalPostgres },
];

/** The names of all entries of packages whose source exports a plugin. */
function namesOfPlugins(): readonly string[] {
  return readdirSync(packages).flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8"));
    return Object.entries<string | Record<string, string>>(manifest.exports ?? {}).flatMap(
      ([subpath, targets]) => {
        const source = typeof targets === "string" ? undefined : targets["@toolstile/source"];
        if (source === undefined) return [];
        const text = readFileSync(join(packages, folder, source), "utf8");
        const exported = /^export (?:const plugin\b|\{[^}]*\bplugin\b[^}]*\})/m.test(text);
        return exported ? [`${manifest.name}${subpath.slice(1)}`] : [];
      },
    );
  });
}

describe("guard.schema.json", () => {
  // Write it anew: npx vitest run conformance/test/guard-schema.test.ts --update
  it("is the schema that a guard.yaml is held to, with the options of every plugin", async () => {
    const whole = withPluginOptions(guardFileJsonSchema(), own);
    const text = `${JSON.stringify(whole, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot("../../packages/config/guard.schema.json");
  });

  it("knows every plugin that a package exports", () => {
    expect(own.map(({ use }) => use).sort()).toEqual([...namesOfPlugins()].sort());
  });

  const published = JSON.parse(readFileSync(join(packages, "config/guard.schema.json"), "utf8"));

  it.each(own)("has every option of $use, and no other", ({ use, place, plugin }) => {
    const options = published.definitions[definitionOf(use)] as JsonObject;
    const names = (of: JsonObject) => Object.keys(of["properties"] as JsonObject);
    expect(names(options)).toEqual(names(plugin.optionsSchema));
    expect(options["additionalProperties"]).toBe(false);
    const { allOf, properties } = published.definitions[place];
    expect(properties.use.anyOf[0].enum).toContain(use);
    expect(allOf).toContainEqual({
      if: { properties: { use: { const: use } }, required: ["use"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: expect.objectContaining({
        properties: { with: { $ref: `#/definitions/${definitionOf(use)}` } },
      }),
    });
  });

  it("refers to nothing that it does not have", () => {
    const references = JSON.stringify(published).matchAll(/"\$ref":"([^"]*)"/g);
    const missing = [...references]
      .map(([, to = ""]) => to)
      .filter((to) => !Object.hasOwn(published.definitions, to.replace("#/definitions/", "")));
    expect(missing).toEqual([]);
  });
});
