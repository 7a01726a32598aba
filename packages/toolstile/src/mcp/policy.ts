import { type GuardFileEvent, watchGuardFile } from "@toolstile/config";
import type { Fault } from "@toolstile/core";
import { didYouMean, quoted, ToolstileError } from "@toolstile/core/provider";
import { DefinitionPins, filePins } from "@toolstile/mcp";
import type { ProxyOptions } from "@toolstile/mcp/proxy";
import { isUnchecked, uncheckedWords } from "../policy/unchecked.js";
import { type Arguments, UsageError } from "../terminal/command-line.js";
import { printable, type Terminal } from "../terminal/terminal.js";
import { callTimeoutOf, listOf, pinsPath, trustOf } from "./options.js";

/** The guards and options of a proxy, and the lines that describe them. */
export interface Policy {
  readonly options: Omit<ProxyOptions, "serverName">;
  /** Lines for the operator who starts it. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

/** @throws ToolstileError for a guard.yaml or pins that cannot be used, and UsageError. */
export async function openPolicy(given: Arguments, terminal: Terminal): Promise<Policy> {
  const config = given.text("config") as string;
  const path = given.has("no-pins") ? undefined : pinsPath(given);
  const trust = trustOf(given);
  const callTimeoutMs = callTimeoutOf(given);
  const agentName = given.text("agent");
  const pins =
    path === undefined ? undefined : new DefinitionPins({ store: await filePins(path), trust });
  const { err } = terminal;
  const file = await watchGuardFile(config, {
    onReload: (event) => {
      err.write(eventLines(config, event));
      if (agentName === undefined || isKnown(agentName, file.agents)) return;
      err.write(`toolstile mcp: no guards are for ${printable(quoted(agentName))} any more\n`);
    },
  });
  if (agentName !== undefined && !isKnown(agentName, file.agents)) {
    await file.close();
    throw new UsageError(
      `${config} has guards for agents, and none for an agent named ${quoted(agentName)}: only the general guards would judge its calls. If you intend that, give this agent an empty list of guards.${didYouMean(agentName, file.agents)}`,
    );
  }
  const names = file.guards.map(({ name }) => name).join(", ");
  return {
    options: {
      ...file.runnerOptions(),
      callTimeoutMs,
      passMethods: listOf(given, "pass-method"),
      pins,
      unchecked: given.has("unchecked"),
      hideDenied: !given.has("show-denied"),
      describe: ({ extra }) => ({
        agentName,
        // Facts of the proxy's own: nothing that a client says.
        context: { sessionId: (extra as { readonly sessionId: string }).sessionId },
      }),
      onRefused: (from, reason) =>
        err.write(`toolstile mcp: refused a message of the ${from}: ${printable(reason)}\n`),
      onFault: faultLines((line) => err.write(line)),
    },
    lines: [
      `guards:  ${names} (${config}, ${file.policyVersion}${file.mode === "shadow" ? ", in shadow: nothing is enforced" : ""})`,
      path === undefined ? "pins:    none" : `pins:    ${path} (${trust})`,
      ...(file.approver === undefined ? [] : [`asks:    ${file.approver.name}`]),
    ].map(printable),
    close: () => file.close(),
  };
}

/** The most lines about withheld tools that are remembered, so that each session does not repeat them. */
const mostTold = 10_000;

/** How the error begins by which a tool is withheld. */
const withheld = /^The tool ('.*?') is withheld: /;

/** Writes a line for each fault, and one for each tool that is withheld for a reason. */
function faultLines(write: (line: string) => void): (fault: Fault) => void {
  const told = new Set<string>();
  const unchecked: string[] = [];
  const tell = (text: string): void => {
    if (told.has(text)) return;
    if (told.size === mostTold) told.clear();
    told.add(text);
    write(`toolstile mcp: ${printable(text)}\n`);
  };
  // All tools of one list are told of in a row.
  const tellUnchecked = (): void => tell(uncheckedWords(unchecked.splice(0)));
  return ({ source, phase, error }) => {
    const [, name] = withheld.exec(error instanceof Error ? error.message : "") ?? [];
    if (source === "mcp" && name !== undefined && isUnchecked((error as Error).cause)) {
      if (unchecked.push(name) === 1) queueMicrotask(tellUnchecked);
      return;
    }
    // Words of a program's own may quote arguments; those of this project do not.
    const words = isUnchecked(error)
      ? "no tool of the server can be used."
      : ToolstileError.isInstance(error)
        ? error.message
        : undefined;
    const isWithheld = source === "mcp" && phase === "register" && words !== undefined;
    const why = words === undefined ? "" : `: ${words}`;
    const text = isWithheld ? words : `${source} failed in ${phase}${why}`;
    if (isWithheld) tell(text);
    else write(`toolstile mcp: ${printable(text)}\n`);
  };
}

/** A file without agents says nothing about any: then the name is for the records. */
function isKnown(agent: string, agents: readonly string[]): boolean {
  return agents.length === 0 || agents.includes(agent);
}

function eventLines(config: string, event: GuardFileEvent): string {
  const lines =
    event.status === "refused"
      ? [
          `${config} has changed and is refused; the rules of before hold`,
          ...event.error.message.split("\n"),
        ]
      : event.status === "reloaded"
        ? [`${config} has changed and is in force: ${event.policyVersion}`]
        : ["a guard that is used no longer could not be closed"];
  return lines.map((line) => `toolstile mcp: ${printable(line)}\n`).join("");
}

/** Say on the standard error what is guarded. The standard output may be the client's. */
export function announce(policy: Policy, lines: readonly string[], { err }: Terminal): void {
  err.write(
    [...lines.map(printable), ...policy.lines].map((line) => `toolstile mcp: ${line}\n`).join(""),
  );
}
