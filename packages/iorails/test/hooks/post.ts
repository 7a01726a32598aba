import { onTestFinished } from "vitest";
import { type Hooks, type HooksOptions, hooks } from "../../src/hooks.js";
import { RailsConfig } from "../../src/index.js";

/** The hooks of a configuration. */
export async function hooksOf(yaml: string, options: HooksOptions = {}): Promise<Hooks> {
  const handle = hooks(await RailsConfig.fromContent({ yaml }), { env: {}, ...options });
  onTestFinished(() => handle.close());
  return handle;
}

/** A request as an agent sends it; text is sent as it is. */
export function hookRequest(body: unknown, agent = "claude-code", init: RequestInit = {}): Request {
  return new Request(`http://127.0.0.1:8100/v1/hooks/${agent}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });
}

/** The body of a hook before a call, as Claude Code sends it. */
export function preToolUse(tool_name: unknown, tool_input: unknown, rest: object = {}): object {
  return {
    session_id: "abc123",
    transcript_path: "/home/ada/.claude/projects/p/abc123.jsonl",
    cwd: "/home/ada/p",
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name,
    tool_input,
    tool_use_id: "toolu_01ABC123",
    ...rest,
  };
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export async function answerTo(handle: Hooks, request: Request): Promise<Answer> {
  const response = await handle(request);
  return { status: response.status, body: await response.json() };
}

/** "allow", the reason of a denial, or the status and the code of an error. */
export async function decisionOn(handle: Hooks, request: Request): Promise<string> {
  const { status, body } = await answerTo(handle, request);
  if (status !== 200) return `${status} ${(body as { error: { code: string } }).error.code}`;
  const said = (body as { hookSpecificOutput?: Record<string, string> }).hookSpecificOutput;
  if (said === undefined) return JSON.stringify(body) === "{}" ? "allow" : JSON.stringify(body);
  return `${said["permissionDecision"]}: ${said["permissionDecisionReason"]}`;
}

/** The decision on a call of a tool, as Claude Code asks for it. */
export function decided(handle: Hooks, tool: unknown, input: unknown = {}): Promise<string> {
  return decisionOn(handle, hookRequest(preToolUse(tool, input)));
}
