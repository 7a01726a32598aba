import { ToolstileError } from "@toolstile/core";
import type { RailsConfigData } from "../config/model.js";
import type { Mountable } from "../tool-rails/mounted.js";
import type { Mounted } from "./parts.js";

/**
 * Load the guards that a configuration mounts by name.
 *
 * @param base the folder that names of files are relative to.
 * @throws ToolstileError `ERR_PLUGIN` and others, that name the place in the
 *   configuration; those that were loaded before are closed then.
 */
export async function loadNamed(
  { toolCall, toolResult }: RailsConfigData,
  base: string,
): Promise<Mounted> {
  const { loadPlugin } = await import("@toolstile/config");
  const loaded = { toolCall: [] as Mountable[], toolResult: [] as Mountable[] };
  try {
    for (const [section, guards] of [
      [toolCall, loaded.toolCall],
      [toolResult, loaded.toolResult],
    ] as const) {
      for (const [index, reference] of section.providers.entries()) {
        const where = `rails.${section.name}.providers[${index}]`;
        const guard = await loadPlugin(reference, { base, where });
        guards.push(guard as Mountable);
        if ("evaluate" in guard || "evaluateResult" in guard) continue;
        throw new ToolstileError(
          "ERR_PLUGIN",
          `${where} is an observer, which decides nothing. Pass it to Guardrails as one of observers.`,
        );
      }
    }
    return loaded;
  } catch (error) {
    await closeAll([...loaded.toolCall, ...loaded.toolResult]);
    throw error;
  }
}

/** Close guards that are not going to be asked anything, whatever one of them makes of it. */
export async function closeAll(guards: readonly Pick<Mountable, "close">[]): Promise<void> {
  for (const guard of guards) {
    try {
      await guard.close?.();
    } catch {
      // It is not in use, and another error is on its way.
    }
  }
}
