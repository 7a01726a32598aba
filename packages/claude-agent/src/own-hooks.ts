import { sameJson } from "@toolstile/core/provider";
import { denied, stopped } from "./answers.js";
import type { CanUseTool, HookCallback, HookMatcher, HookOutput, Hooks } from "./sdk.js";

const changesArguments =
  "Tool call denied: a hook changes its arguments beside the guards. Make it a guard that answers modify()";
const changesResult =
  "A hook changes results beside the guards. Make it a guard with evaluateResult() that answers rewrite()";

/** Limits on the application's own hooks, by event: of several hooks that change a call the last would win, over the guards too. */
const limits: Readonly<Record<string, (output: HookOutput) => HookOutput>> = {
  PreToolUse: (output) =>
    said(output, "updatedInput") === undefined ? output : denied(changesArguments),
  PermissionRequest: (output) => {
    const { updatedInput } = Object(said(output, "decision")) as { updatedInput?: unknown };
    if (updatedInput === undefined) return output;
    const decision = { behavior: "deny", message: changesArguments };
    return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
  },
  PostToolUse: (output) =>
    said(output, "updatedToolOutput") === undefined &&
    said(output, "updatedMCPToolOutput") === undefined
      ? output
      : stopped(changesResult),
};

function said(output: HookOutput, key: string): unknown {
  return (Object(output?.hookSpecificOutput) as Record<string, unknown>)[key];
}

/** The application's own hooks, none of which changes what guards decide on. */
export function heldHooks(hooks: Hooks): Record<string, readonly HookMatcher[]> {
  return Object.fromEntries(
    Object.entries(hooks).map(([event, matchers = []]) => {
      const limit = Object.hasOwn(limits, event) ? limits[event] : undefined;
      return [event, limit === undefined ? matchers : matchers.map((each) => held(each, limit))];
    }),
  );
}

function held(matcher: HookMatcher, limit: (output: HookOutput) => HookOutput): HookMatcher {
  const hooks = matcher.hooks.map(
    (hook): HookCallback =>
      async (...args) =>
        limit(await hook(...args)),
  );
  return { ...matcher, hooks };
}

/** Wraps `canUseTool`: a permission is only for the arguments that the guards agreed to. */
export function heldPermission(canUseTool: CanUseTool): CanUseTool {
  return async (toolName, input, options) => {
    // A copy, as the callback may change the object that it is given.
    const asked: unknown = structuredClone(input);
    const answer = await canUseTool(toolName, input, options);
    const { behavior, updatedInput } = Object(answer) as Record<string, unknown>;
    if (behavior !== "allow") return answer;
    // Without one, the SDK runs the tool with what it asked about.
    if (updatedInput === undefined || sameJson(updatedInput, asked)) return answer;
    return {
      behavior: "deny",
      message: "Tool call denied: its arguments were changed after they had been decided",
    };
  };
}
