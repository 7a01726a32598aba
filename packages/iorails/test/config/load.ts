import { ToolstileError } from "@toolstile/core";
import { RailsConfig } from "../../src/engine/rails-config.js";

type Content = Parameters<typeof RailsConfig.fromContent>[0];

/** The problems that loading tells of, one a line; nothing if it loads. */
export function problemsOf(content: Content): Promise<readonly string[]> {
  return linesOf(RailsConfig.fromContent(content));
}

export function problemsOfPath(path: string): Promise<readonly string[]> {
  return linesOf(RailsConfig.fromPath(path));
}

async function linesOf(loading: Promise<RailsConfig>): Promise<readonly string[]> {
  try {
    await loading;
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
  flows: Partial<Record<"input" | "output" | "tool_call" | "tool_result", readonly string[]>>,
): Record<string, unknown> {
  const rails: Record<string, unknown> = {
    config: {
      jailbreak_detection: { nim_base_url: "http://localhost:1" },
      regex_detection: { input: { patterns: ["a"] }, output: { patterns: ["a"] } },
      injection_detection: { injections: ["xss"] },
      gliner: { input: { entities: ["email"] }, output: { entities: ["email"] } },
      hf_classifier: {
        c: { engine: "vllm", model: "m", base_url: "http://localhost:1", blocked_labels: ["x"] },
      },
      http_classifier: {
        c: {
          url: "http://localhost:1",
          request: { input: "{text}" },
          verdict: { pointer: "/flagged", block: [true], allow: [false] },
        },
      },
    },
  };
  for (const [family, list] of Object.entries(flows)) rails[family] = { flows: list };
  return {
    models: [main, guard, { ...guard, type: "llama_guard" }],
    rails,
    prompts: [
      "content_safety_check_input $model=guard",
      "content_safety_check_output $model=guard",
      "topic_safety_check_input $model=guard",
      "self_check_input",
      "self_check_output",
      "self_check_facts",
      "self_check_hallucination",
      "llama_guard_check_input",
      "llama_guard_check_output",
    ].map((task) => ({
      task,
      content: "?",
      ...(task.startsWith("content") && { output_parser: "is_content_safe" }),
    })),
  };
}
