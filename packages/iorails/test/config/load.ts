import { ToolstileError } from "@toolstile/core";
import { RailsConfig } from "../../src/config/rails-config.js";

type Content = Parameters<typeof RailsConfig.fromContent>[0];

/** The problems that loading tells of, one a line; nothing if it loads. */
export function problemsOf(content: Content): readonly string[] {
  return linesOf(() => RailsConfig.fromContent(content));
}

export async function problemsOfPath(path: string): Promise<readonly string[]> {
  try {
    await RailsConfig.fromPath(path);
    return [];
  } catch (error) {
    return configLines(error);
  }
}

function linesOf(act: () => unknown): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    return configLines(error);
  }
}

function configLines(error: unknown): readonly string[] {
  if (!ToolstileError.isInstance(error) || error.code !== "ERR_CONFIG") throw error;
  return error.message.split("\n");
}

export const main = { type: "main", engine: "openai", model: "m" };
export const guard = { type: "guard", engine: "nim", model: "g" };

/** A configuration with these flows and all that they need. */
export function withFlows(
  flows: Partial<Record<"input" | "output" | "tool_output" | "tool_input", readonly string[]>>,
): Record<string, unknown> {
  const rails: Record<string, unknown> = {
    config: { jailbreak_detection: { nim_base_url: "http://localhost:1" } },
  };
  for (const [family, list] of Object.entries(flows)) rails[family] = { flows: list };
  return {
    models: [main, guard],
    rails,
    prompts: [
      "content_safety_check_input $model=guard",
      "content_safety_check_output $model=guard",
      "topic_safety_check_input $model=guard",
      "self_check_input",
      "self_check_output",
      "self_check_facts",
      "self_check_hallucination",
    ].map((task) => ({ task, content: "?" })),
  };
}
