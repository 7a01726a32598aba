import { ToolstileError } from "@toolstile/core";

/** Settings of the SDK that keep hooks of a session from being asked. */
const switches = ["disableAllHooks", "allowManagedHooksOnly"];

/**
 * Hooks that nobody asks guard nothing, and a permission tool may put other
 * arguments in the place of those that were decided.
 *
 * Settings in files are not looked into.
 *
 * @throws ToolstileError `ERR_UNSUPPORTED` where the options of `query()` ask for either.
 */
export function checkSettings(queryOptions: object): void {
  const { settings, managedSettings, extraArgs, permissionPromptToolName } =
    membersOf(queryOptions);
  const { settings: flag, ...flags } = membersOf(extraArgs);
  for (const each of [settings, managedSettings, flag]) {
    const given = membersOf(each);
    const found = switches.find((name) => isOn(given[name]));
    if (found !== undefined) throw unsupported(`The setting '${found}' keeps hooks from running`);
  }
  if (Object.hasOwn(flags, "safe-mode")) {
    throw unsupported("The argument 'safe-mode' keeps hooks from running");
  }
  if (permissionPromptToolName !== undefined) {
    throw unsupported(
      "permissionPromptToolName has a tool answer that may change arguments, and nothing here can stand between",
      "Give canUseTool in its place.",
    );
  }
}

function unsupported(what: string, wayOut = "Leave it out: the guards are hooks.") {
  return new ToolstileError("ERR_UNSUPPORTED", `${what}. ${wayOut}`);
}

/** Of an object, or of one that is written as JSON text. */
function membersOf(given: unknown): Record<string, unknown> {
  return Object.assign(Object.create(null), typeof given === "string" ? read(given) : given);
}

function read(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : undefined;
  } catch {
    // The path of a file.
    return undefined;
  }
}

/** As the SDK takes it, which allows text for a boolean. */
function isOn(value: unknown): boolean {
  return value !== undefined && value !== false && value !== "false";
}
