import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { allowAll } from "@toolstile/core";
import { schemaValidation } from "@toolstile/schema";
import { describe, expect, it } from "vitest";
import { DefinitionPins } from "../src/index.js";
import { listed, request, Wire } from "./support/wire.js";

const path = fileURLToPath(
  new URL("../../../../shared/data/tools/mcp-tools.jsonl", import.meta.url),
);

interface Row {
  readonly server: string;
  readonly tool: { readonly function: { name: string; description?: string; parameters?: object } };
}

/** What a connection with pins and a schema guard makes of one server's list. */
async function admitted(serverName: string, tools: readonly object[], pins: DefinitionPins) {
  const wire = new Wire(
    { guardrails: [schemaValidation(), allowAll()], serverName, pins, unchecked: false },
    tools,
  );
  const told = await wire.exchange(request(1, "tools/list"), { tools });
  const { tools: shown = [] } = (told.result ?? {}) as { tools?: { name: string }[] };
  const reasons = wire.faults.map((fault) => {
    const { message } = (fault as { error: Error }).error;
    return message;
  });
  return { shown: shown.map(({ name }) => name), reasons };
}

describe("definitions through pins and schema admission", () => {
  it("are shown, or refused with a reason that names the tool and what is wrong", async () => {
    const pins = new DefinitionPins();
    const remote = { type: "object", properties: { a: { $ref: "https://example.com/s" } } };
    const tools = [
      listed("plain"),
      listed("strict", { inputSchema: { type: "object", required: ["to"] } }),
      listed("remote", { inputSchema: remote }),
    ];
    const { shown, reasons } = await admitted("mail", tools, pins);
    expect(shown).toEqual(["plain", "strict"]);
    expect(reasons.join("\n")).toMatch(/^The tool 'remote' is withheld: .*example\.com/);
  });
});

describe.skipIf(!existsSync(path))("real definitions (needs ../shared/data)", () => {
  const servers = new Map<string, object[]>();
  if (existsSync(path)) {
    for (const line of readFileSync(path, "utf8").trim().split("\n")) {
      const { server, tool } = JSON.parse(line) as Row;
      const { name, description, parameters } = tool.function;
      const tools = servers.get(server) ?? [];
      servers.set(server, [...tools, { name, description, inputSchema: parameters }]);
    }
  }
  const all = [...servers.values()].flat().length;

  it("are each shown, or refused with a reason; and all that change later are withheld", {
    tags: "long",
  }, async () => {
    const pins = new DefinitionPins();
    const refusals: string[] = [];
    let shown = 0;
    for (const [server, tools] of servers) {
      const first = await admitted(server, tools, pins);
      const refused = tools.filter(
        ({ name }: { name?: string }) => !first.shown.includes(name ?? ""),
      );
      for (const { name } of refused as { name: string }[]) {
        const reason = first.reasons.find((each) => each.includes(`refused the tool '${name}'.`));
        refusals.push(`${server}/${name}: ${reason}`);
      }
      shown += first.shown.length;
      const changed = tools.map((tool) => ({ ...tool, title: "Another" }));
      expect((await admitted(server, changed, pins)).shown).toEqual([]);
      expect((await admitted(server, tools, pins)).shown).toEqual(first.shown);
    }
    process.stdout.write(
      `${all} definitions of ${servers.size} servers: ${shown} shown, ${refusals.length} refused\n${refusals.join("\n")}\n`,
    );
    expect(shown + refusals.length).toBe(all);
    expect(all).toBe(379);
    expect(refusals.filter((reason) => reason.endsWith("undefined"))).toEqual([]);
  });
});
