import { didYouMean, quoted } from "@toolstile/core/provider";
import { UsageError } from "../terminal/command-line.js";

/**
 * Refuses an agent that a file with agents does not have: only the general guards would judge its calls.
 *
 * @throws UsageError that names the nearest one.
 */
export function requireAgent(
  agent: string | undefined,
  { agents }: { readonly agents: readonly string[] },
): void {
  if (agent === undefined || agents.length === 0 || agents.includes(agent)) return;
  throw new UsageError(
    `The file has guards for agents, and none for an agent named ${quoted(agent)}.${didYouMean(agent, agents)}`,
  );
}
