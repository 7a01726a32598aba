import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A model's server on 127.0.0.1, in a process of its own. It ends with this process, or when it is closed. */
export async function startModel() {
  const path = fileURLToPath(new URL("model-server.mjs", import.meta.url));
  const server = spawn(process.execPath, [path], { stdio: ["pipe", "pipe", "inherit"] });
  const signal = AbortSignal.timeout(10_000);
  const [port] = await once(server.stdout.setEncoding("utf8"), "data", { signal });
  return { url: `http://127.0.0.1:${Number(port)}/v1`, close: () => server.kill() };
}
