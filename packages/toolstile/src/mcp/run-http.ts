import { nameOfUrl, startHttpProxy } from "@toolstile/mcp/proxy";
import { exitCodes } from "../command.js";
import { type Arguments, UsageError } from "../command-line.js";
import type { Terminal } from "../terminal.js";
import { credentialOf, listenOf } from "./options.js";
import { announce, type Policy } from "./policy.js";
import type { Surroundings } from "./surroundings.js";

/** Listen until a signal comes. */
export async function runHttp(
  given: Arguments,
  policy: Policy,
  terminal: Terminal,
  surroundings: Surroundings,
): Promise<number> {
  const { host, port } = listenOf(given);
  const url = given.text("upstream") as string;
  if (!URL.canParse(url)) throw new UsageError("--upstream is an http: or https: address.");
  const upstream = new URL(url);
  const serverName = given.text("name") ?? nameOfUrl(upstream);
  let deaf = (): void => {};
  const signalled = new Promise<void>((resolve) => {
    deaf = surroundings.onSignal(() => resolve());
  });
  try {
    const proxy = await startHttpProxy({
      ...policy.options,
      serverName,
      upstream,
      upstreamHeaders: credentialOf(given, terminal.environment),
      host,
      port,
      allowRemote: given.has("allow-remote"),
      allowedHosts: listOf(given, "allow-host"),
      allowedOrigins: listOf(given, "allow-origin"),
    });
    announce(policy, [`server:  ${serverName}, over HTTP`, `listens: ${proxy.url}`], terminal);
    await signalled;
    await proxy.close();
    return exitCodes.ok;
  } finally {
    deaf();
  }
}

function listOf(given: Arguments, option: string): readonly string[] {
  const text = given.text(option);
  return text === undefined ? [] : text.split(",").map((each) => each.trim());
}
