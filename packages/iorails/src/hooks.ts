import { type GuardrailProvider, ToolstileError } from "@toolstile/core";
import { reportFault } from "@toolstile/core/host";
import {
  type OptionTable,
  readOptions,
  sharedSignal,
  timeout,
  whole,
} from "@toolstile/core/provider";
import { canDeny } from "./config/hooks-server.js";
import { Iorails } from "./engine/iorails.js";
import { type GuardrailsOptions, guardrailsOptions, guards } from "./engine/options.js";
import { checkIsConfig, type RailsConfig, unsupportedReason } from "./engine/rails-config.js";
import { wrongConfig } from "./errors.js";
import { answerHook, type Decide } from "./hooks/handler.js";
import { systemPorts } from "./http/model-client.js";
import { callFlow } from "./tool-rails/call-violation.js";
import type { Violation } from "./violation.js";

type Shared =
  | "observers"
  | "policyVersion"
  | "fetch"
  | "env"
  | "clock"
  | "maxRequests"
  | "maxQueued"
  | "closeWithinMs"
  | "onFault";

/** The options of `hooks()`. */
export interface HooksOptions extends Pick<GuardrailsOptions, Shared> {
  /** Guards passed in code, after the policy of tools, the rails of the called tool and the guards that the configuration mounts. */
  readonly providers?: readonly GuardrailProvider[] | undefined;
  /** The most bytes of a hook's body. Default 4 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Milliseconds in which the body of a hook must be there. Default 10,000. */
  readonly bodyWithinMs?: number | undefined;
}

/** Answers the hooks of agents, each before a call of a tool. */
export interface Hooks extends AsyncDisposable {
  /** Answers one request: an allow, a deny, or an error whose status is not 2xx. It never rejects. */
  (request: Request): Promise<Response>;
  /** Loads the guards that the configuration mounts by name. The first request loads them too. */
  readonly start: () => Promise<void>;
  /** Refuses what comes from now on, waits for what is under way, and closes guards and observers. */
  readonly close: () => Promise<void>;
}

const hooksOptions = {
  observers: guardrailsOptions.observers,
  policyVersion: guardrailsOptions.policyVersion,
  fetch: guardrailsOptions.fetch,
  env: guardrailsOptions.env,
  clock: guardrailsOptions.clock,
  maxRequests: guardrailsOptions.maxRequests,
  maxQueued: guardrailsOptions.maxQueued,
  closeWithinMs: guardrailsOptions.closeWithinMs,
  onFault: guardrailsOptions.onFault,
  providers: guards<GuardrailProvider>(),
  maxBodyBytes: whole(1).default(4 * 1_024 * 1_024),
  bodyWithinMs: timeout().default(10_000),
} satisfies OptionTable<HooksOptions>;

/**
 * Decides on calls of tools for the hooks of Claude Code, Codex and NeMo Relay, by the policy in
 * `hooks_server` and the rails of the called tool.
 *
 * It answers `POST` at paths that end in `/v1/hooks/claude-code`, `/v1/hooks/codex` and
 * `/v1/hooks/nemo-relay`. An allow says nothing of permissions: the agent's own rules still count.
 * Whatever is not decided has a status that is not 2xx.
 *
 * @throws ToolstileError `ERR_CONFIG` for a configuration without `hooks_server`, or with one that
 *   can deny nothing; `ERR_UNSUPPORTED` for one of another engine; `ERR_INVALID_OPTION` or
 *   `ERR_UNKNOWN_OPTION` for wrong options.
 */
export function hooks(config: RailsConfig, options: HooksOptions = {}): Hooks {
  const {
    providers = [],
    maxBodyBytes,
    bodyWithinMs,
    ...read
  } = readOptions("hooks()", options, hooksOptions);
  checkConfig(config, providers);
  const engine = new Iorails(config, { ...read, providers: { toolCall: providers } });
  const limits = { maxBodyBytes, bodyWithinMs, clock: read.clock ?? systemPorts.clock };
  const onError = (error: unknown): void =>
    reportFault(read.onFault, { source: "iorails", phase: "hook", error });
  const flows = Object.values(config.data.toolCall.perTool).flat();
  const rails = ["hooks_server", callFlow, ...flows.map(({ name }) => name)];
  // The parameters of a flow stand behind its name.
  const isOfRail = ({ rail = "" }: Violation): boolean =>
    rails.some((name) => rail === name || rail.startsWith(`${name} $`));
  const decide: Decide = async ({ sessionId, agentName, ...call }, signal) => {
    const caller = { context: { sessionId }, agentName, signal: sharedSignal(signal) };
    const [violation] = await engine.decide({ ...call, type: "function" }, caller);
    return violation && { reason: violation.reason, isOfRail: isOfRail(violation) };
  };
  const answer = (request: Request): Promise<Response> =>
    answerHook(request, decide, limits, onError);
  return Object.assign(answer, {
    start: () => engine.start(),
    close: () => engine.close(),
    [Symbol.asyncDispose]: () => engine.close(),
  });
}

/** @throws ToolstileError for a configuration that hooks cannot be decided by. */
function checkConfig(config: RailsConfig, providers: readonly GuardrailProvider[]): void {
  checkIsConfig("hooks()", config);
  const reason = unsupportedReason(config);
  if (reason !== undefined) {
    throw new ToolstileError(
      "ERR_UNSUPPORTED",
      `hooks() cannot use this configuration: ${reason}.`,
    );
  }
  const { hooksServer, toolCall } = config.data;
  if (hooksServer === undefined) {
    throw wrongConfig("hooks() needs a policy of tools: the configuration has no hooks_server.");
  }
  const rails = Object.values(toolCall.perTool).some((flows) => flows.length > 0);
  if (canDeny(hooksServer) || rails || toolCall.providers.length + providers.length > 0) return;
  throw wrongConfig(
    "hooks_server can deny nothing: name blocked_tools, or allowed_tools and `allow_unlisted_tools: false`, or put rails of single tools under rails.tool_call.per_tool.",
  );
}
