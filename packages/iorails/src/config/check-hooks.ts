import { ownValue, quoted } from "@toolstile/core/provider";
import { flowLists } from "./flow-lists.js";
import { deniesAlways } from "./hooks-server.js";
import type { RailsConfigData } from "./model.js";
import type { Report } from "./shape.js";

/**
 * Finds what would be off in a configuration with `hooks_server`: rails that a hook does not ask,
 * rails of a tool that its policy never lets through, and tools that a model declares.
 */
export function checkHooks(data: RailsConfigData, report: Report): void {
  const { hooksServer, models, toolCall, toolResult } = data;
  if (hooksServer === undefined) return;
  for (const { path, family, tool, flows } of flowLists(data)) {
    if (flows.length === 0) continue;
    if (family === "tool_call" && tool !== undefined) {
      if (!deniesAlways(hooksServer, tool)) continue;
      report(path, "is for a tool of which hooks_server denies every call");
    } else if (family === "tool_call") {
      report(
        path,
        "must be empty beside hooks_server, which says which tools may be called. Rails of one tool stand in rails.tool_call.per_tool",
      );
    } else {
      report(path, "must be empty beside hooks_server: a hook asks about calls of tools only");
    }
  }
  if (toolResult.providers.length > 0) {
    report(
      ["rails", "tool_result", "providers"],
      "must be empty beside hooks_server: a hook asks about calls of tools only",
    );
  }
  for (const { at, why } of questionsIn(data)) {
    report(
      ["rails", toolCall.name, "providers", ...at],
      `${why}, and a hook has nobody to ask: write deny, which is what it would come to. An agent's own permission rules can ask its user`,
    );
  }
  for (const [index, { parameters }] of models.entries()) {
    if (ownValue(parameters, "tools") === undefined) continue;
    report(
      ["models", index, "parameters", "tools"],
      "must not stand beside hooks_server, which says which tools may be called",
    );
  }
}

interface Question {
  /** The place from the list of providers on. */
  readonly at: readonly (string | number)[];
  readonly why: string;
}

/** The guards, mounted as data, that ask a human. What a guard of other code asks shows only when it does. */
function questionsIn({ toolCall }: RailsConfigData): readonly Question[] {
  return toolCall.providers.flatMap(({ use, with: options }, index): readonly Question[] => {
    if (use === "@toolstile/containment" && ownValue(options, "hold") === "ask") {
      return [{ at: [index, "with", "hold"], why: "asks a human" }];
    }
    const rules = use === "@toolstile/rules" ? ownValue(options, "rules") : undefined;
    if (!Array.isArray(rules)) return [];
    return rules.flatMap((rule: unknown, place): readonly Question[] => {
      if (ownValue(rule, "ask") === undefined) return [];
      const id = ownValue(rule, "id");
      const named = typeof id === "string" ? `the rule ${quoted(id)}` : "the rule";
      return [{ at: [index, "with", "rules", place, "ask"], why: `lets ${named} ask a human` }];
    });
  });
}
