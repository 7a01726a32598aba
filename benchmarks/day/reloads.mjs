// A guard.yaml of 1,000 guards, of which another entry changes at each reload; calls go on under it.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchGuardFile } from "@toolstile/config";
import { ToolRunner } from "@toolstile/core";

const guards = 1_000;
const tool = (index) => ({ name: `tool_${index}`, execute: () => "done" });

export const part = {
  name: "reloads of a guard.yaml of 1,000 guards",
  total: 1_000,
  async start() {
    const folder = await mkdtemp(join(tmpdir(), "toolstile-day-"));
    const path = join(folder, "guard.yaml");
    const limits = Array.from({ length: guards }, () => 1_000);
    const text = () =>
      `version: 1\nguards:\n${limits
        .map(
          (limit, index) =>
            `  - use: "@toolstile/rate-limit"\n    with: { name: limit_${index}, limit: ${limit}, windowMs: 60000 }\n    tools: [tool_${index}]\n`,
        )
        .join("")}`;
    await writeFile(path, text());
    const watched = await watchGuardFile(path, {
      import: (name) => import(name),
      intervalMs: Number.POSITIVE_INFINITY,
      onReload: () => undefined,
    });
    const tools = Array.from({ length: guards }, (_, index) => tool(index));
    const runner = new ToolRunner({ tools, ...watched.runnerOptions() });
    let number = 0;
    return {
      async run(count) {
        for (const end = number + count; number < end; number++) {
          limits[number % guards] += 1;
          await writeFile(path, text());
          const event = await watched.reload();
          if (event.status !== "reloaded") throw new Error(`A reload was ${event.status}.`);
          const { status } = await runner.run({ name: `tool_${number % guards}`, arguments: {} });
          if (status !== "executed") throw new Error(`A call after a reload was ${status}.`);
        }
      },
      async close() {
        await watched.close();
        await rm(folder, { recursive: true });
      },
    };
  },
};
