import {
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

type Core = typeof import("@toolstile/core");
type Workbench = typeof import("@toolstile/core/workbench");
type Allowlist = typeof import("@toolstile/allowlist");

const packages = fileURLToPath(new URL("../../packages", import.meta.url));
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Core and a guard as one project has them installed: what is published of them, in a folder of its own. */
async function copy() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolstile-copy-")));
  folders.push(folder);
  const installed = join(folder, "node_modules");
  for (const name of ["core", "allowlist"]) {
    const place = join(installed, "@toolstile", name);
    cpSync(join(packages, name, "dist"), join(place, "dist"), { recursive: true });
    const manifest = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
    const published = { ...manifest, ...manifest.publishConfig };
    writeFileSync(join(place, "package.json"), JSON.stringify(published));
  }
  for (const name of ["eventemitter3", "p-limit"]) {
    symlinkSync(realpathSync(join(packages, "core/node_modules", name)), join(installed, name));
  }
  const load = (file: string) => import(pathToFileURL(join(installed, "@toolstile", file)).href);
  return {
    core: (await load("core/dist/index.js")) as Core,
    workbench: (await load("core/dist/workbench/index.js")) as Workbench,
    guards: (await load("allowlist/dist/index.js")) as Allowlist,
  };
}

describe("two installed copies of core", () => {
  let one: Awaited<ReturnType<typeof copy>>;
  let other: Awaited<ReturnType<typeof copy>>;
  beforeAll(async () => {
    [one, other] = [await copy(), await copy()];
  });

  /** The outcome of a call in a runner of the one copy. */
  async function status(guardrail: unknown, tool: unknown = one.core.tool(search)) {
    const { ToolRunner } = one.core;
    // The types of two copies are the same here; those of two versions may differ.
    const runner = new ToolRunner({ tools: [tool as never], guardrails: [guardrail as never] });
    return (await runner.run({ name: "search" })).status;
  }
  const search = { name: "search", execute: () => "found" };

  it("are two", () => {
    expect(one.core.ToolRunner).not.toBe(other.core.ToolRunner);
    expect(one.core.allow).not.toBe(other.core.allow);
  });

  it("let a guard of the other decide, and a tool of the other run", async () => {
    const { allowlist } = other.guards;
    expect(await status(allowlist(["search"]))).toBe("executed");
    expect(await status(allowlist({ allow: ["search"], deny: ["search"] }))).toBe("denied");
    expect(await status(other.core.allowAll(), other.core.tool(search))).toBe("executed");
  });

  it("know each other's errors by isInstance, and not by instanceof", () => {
    const wrong = () => other.guards.allowlist(5 as never);
    expect(wrong).toThrow(other.core.ToolstileError);
    try {
      wrong();
    } catch (error) {
      expect(error).not.toBeInstanceOf(one.core.ToolstileError);
      expect(one.core.ToolstileError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ code: "ERR_INVALID_OPTION" });
    }
  });

  it("know each other's results", async () => {
    const execute = () => other.core.toolResult({ callId: "another", content: "found" });
    const judge = one.core.allowAll();
    expect(await status(judge, one.core.tool({ name: "search", execute }))).toBe("executed");
  });

  const composed: readonly (readonly [string, (core: Core, guard: never) => unknown])[] = [
    ["chain()", (core, guard) => core.chain([guard])],
    ["shadow()", (core, guard) => core.shadow(guard)],
    ["failOpen()", (core, guard) => core.failOpen(guard)],
    ["forTools()", (core, guard) => core.forTools(["search"], guard)],
    ["when()", (core, guard) => core.when(() => true, guard)],
    ["withTimeout()", (core, guard) => core.withTimeout(guard, 1_000)],
    ["shared()", (core, guard) => core.shared(guard)],
    ["parallel()", (core, guard) => core.parallel([guard, { ...core.allowAll(), name: "all" }])],
  ];

  it.each(composed)("refuse what %s of the other composed, and say why", async (_, compose) => {
    for (const { guards } of [one, other]) {
      const guardrail = compose(other.core, guards.allowlist(["search"]) as never);
      await expect(status(guardrail)).rejects.toThrow(
        "was composed by another copy of @toolstile/core, or copied. Install one copy",
      );
    }
  });

  it("refuse a live chain of the other, and say where it may stand", async () => {
    const { guardrail } = other.core.liveChain([other.guards.allowlist(["search"])]);
    await expect(status(guardrail)).rejects.toThrow(
      "of a runner of its own copy of @toolstile/core",
    );
  });

  it("P7 take no permit and no seal of each other", async () => {
    const sealed = other.core.tool({ ...search, sealed: true });
    await expect(status(one.core.allowAll(), sealed)).rejects.toThrow(
      "Make it with tool() of this copy of @toolstile/core",
    );
    const { ToolRunner, allowAll, tool } = one.core;
    const runner = new ToolRunner({ tools: [tool(search)], guardrails: [allowAll()] });
    const opened = await runner.open({ name: "search" });
    const execute = sealed.execute as (args: object, context: unknown) => unknown;
    expect(() => execute({}, opened)).toThrow("The tool 'search' is sealed");
    if ("close" in opened) await opened.close({ error: new Error("not run") });
  });

  it("let one put guards around a workbench of the other, which keeps its own", async () => {
    const guardrails = [other.guards.allowlist(["search"])];
    const tools = [other.core.tool(search), other.core.tool({ ...search, name: "refund" })];
    const inner = new other.workbench.StaticWorkbench(tools, { guardrails });
    const outer = one.workbench.guardWorkbench(inner as never, {
      guardrails: [one.core.allowAll()],
    });
    await outer.start();
    expect(await outer.callTool("search")).toMatchObject({ isError: false, content: "found" });
    expect(await outer.callTool("refund")).toMatchObject({ isError: true });
    await outer.stop();
  });
});
