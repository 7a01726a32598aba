import { parseUrl } from "@toolstile/core/provider";
import { nameOfUrl, startHttpProxy } from "@toolstile/mcp/proxy";
import { exitCodes } from "../terminal/command.js";
import { type Arguments, UsageError } from "../terminal/command-line.js";
import type { Terminal } from "../terminal/terminal.js";
import type { ProxyHost } from "./host.js";
import { credentialOf, listenOf, listOf } from "./options.js";
import { announce, type Policy } from "./policy.js";

/** Serves clients over HTTP until a signal comes. */
export async function runHttp(
  given: Arguments,
  policy: Policy,
  terminal: Terminal,
  host: ProxyHost,
): Promise<number> {
  const address = listenOf(given);
  const upstream = parseUrl(given.text("upstream") as string);
  if (upstream === undefined) {
    throw new UsageError("--upstream must be an http: or https: address.");
  }
  const serverName = given.text("name") ?? nameOfUrl(upstream);
  let stopListening = (): void => {};
  const signalled = new Promise<void>((resolve) => {
    stopListening = host.onSignal(() => resolve());
  });
  try {
    const proxy = await startHttpProxy({
      ...policy.options,
      serverName,
      upstream,
      upstreamHeaders: credentialOf(given, terminal.environment),
      ...address,
      allowRemote: given.has("allow-remote"),
      allowedHosts: listOf(given, "allow-host"),
      allowedOrigins: listOf(given, "allow-origin"),
    });
    announce(policy, [`server:  ${serverName}, over HTTP`, `listens: ${proxy.url}`], terminal);
    await signalled;
    await proxy.close();
    return exitCodes.ok;
  } finally {
    stopListening();
  }
}
