import { ToolstileError } from "@toolstile/core";
import { isJsonObject, quoted } from "@toolstile/core/provider";

/** Mastra's mark on its own tools, the same in every copy of it. */
const marker = Symbol.for("mastra.core.tool.Tool");

/** @throws ToolstileError for a set, or a tool of it, that cannot be guarded. */
export function checkTools(tools: unknown): void {
  if (!isJsonObject(tools)) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "guardTools(): the first argument must be an object of tools, by the names that the model uses.",
    );
  }
  for (const [name, tool] of Object.entries(tools)) checkTool(quoted(name), tool);
}

function checkTool(name: string, tool: unknown): void {
  if (typeof tool !== "object" || tool === null) {
    throw new ToolstileError("ERR_INVALID_TOOL", `The tool ${name} is not an object.`);
  }
  const { execute, id } = tool as Record<string, unknown>;
  if (!(marker in tool)) throw otherwiseMade(name, tool);
  if (typeof id !== "string" || id === "") {
    throw new ToolstileError("ERR_INVALID_TOOL", `The tool ${name} has no id.`);
  }
  if (typeof execute === "function") return;
  throw new ToolstileError(
    "ERR_UNSUPPORTED",
    `The tool ${name} has no execute: something else runs it, so it cannot be guarded here. Guard it where it runs.`,
  );
}

function otherwiseMade(name: string, tool: object): ToolstileError {
  if ("resumeSchema" in tool) {
    return new ToolstileError(
      "ERR_UNSUPPORTED",
      `The tool ${name} was made by @mastra/core 0.x, whose tools run differently. Install @mastra/core 1.71 or later. On Node 20, npm installs 0.24 unless you give the version.`,
    );
  }
  if ("isProviderExecuted" in tool || "args" in tool) {
    return new ToolstileError(
      "ERR_UNSUPPORTED",
      `The provider runs the tool ${name}, so it cannot be guarded here.`,
    );
  }
  return new ToolstileError(
    "ERR_INVALID_TOOL",
    `The tool ${name} was not made by createTool(). A tool of the AI SDK is guarded by guardTools() of @toolstile/ai-sdk.`,
  );
}
