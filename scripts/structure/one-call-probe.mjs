// Runs one call on the core that it is given, and prints what of it the call entered.
import { Session } from "node:inspector/promises";
import { pathToFileURL } from "node:url";

const entry = pathToFileURL(String(process.argv[2])).href;
const { ToolRunner, allow } = await import(entry);
const runner = new ToolRunner({
  tools: [{ name: "send", execute: () => "sent" }],
  guardrails: [{ name: "guard", evaluate: () => allow() }],
});
const request = { name: "send", arguments: { to: "ada" }, callId: "c1" };

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
const outcome = await runner.run(request);
const { result } = await session.post("Profiler.takePreciseCoverage");
if (outcome.status !== "executed") throw new Error(`The call ended as '${outcome.status}'.`);

const folder = new URL(".", entry).href;
const entered = result
  .filter(({ url }) => url.startsWith(folder))
  .map(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count ?? 0).filter(Boolean))
  .filter((counts) => counts.length > 0);
const counts = entered.flat();
console.log(
  JSON.stringify({
    files: entered.length,
    functions: counts.length,
    calls: counts.reduce((sum, count) => sum + count, 0),
  }),
);
