import { ToolstileError } from "@toolstile/core";
import { own, quoted } from "@toolstile/core/provider";
import { compileExpression, type Expression } from "@toolstile/rules/cel";
import type { ToolFamily } from "../config/flows.js";
import type { Flow, RailsConfigData } from "../config/model.js";
import type { Report } from "../config/shape.js";
import { CannotJudge } from "../model-rails/cannot-judge.js";
import { blockedIf } from "../model-rails/verdicts.js";
import { declaredSchemas } from "./declared-tool.js";
import type { PerToolRail } from "./per-tool-rail.js";

/**
 * Compiles an expression on the calls or the results of a tool, checked against the schema that the
 * configuration declares for its arguments, if it does.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` that quotes the expression and says what is wrong with it.
 */
export function celExpression(
  text: string,
  family: ToolFamily,
  tool: string,
  data: RailsConfigData,
): Expression {
  const args = declaredSchemas(data).get(tool) ?? true;
  const onCalls = { args, tool: { type: "string" } } as const;
  const variables = family === "tool_call" ? onCalls : { ...onCalls, result: true };
  return compileExpression(text, { variables, where: `${quoted(text)} cannot be run` });
}

/** Reports the expressions that cannot be run, each at its place. */
export function checkExpressions(data: RailsConfigData, report: Report): void {
  for (const family of ["tool_call", "tool_result"] as const) {
    for (const [tool, { expressions }] of Object.entries(data.config.cel[family])) {
      for (const [index, text] of expressions.entries()) {
        try {
          celExpression(text, family, tool, data);
        } catch (error) {
          if (!ToolstileError.isInstance(error)) throw error;
          report(["rails", "config", "cel", family, tool, "expressions", index], error.message);
        }
      }
    }
  }
}

/**
 * `cel check tool call` and `cel check tool result`: an expression of the tool that is true blocks.
 *
 * All are evaluated. One that fails makes the rail fail, whatever the others say.
 */
export function celCheck(
  _flow: Flow,
  family: ToolFamily,
  tool: string,
  data: RailsConfigData,
): PerToolRail["judge"] {
  const { expressions = [] } = own(data.config.cel[family], tool) ?? {};
  const compiled = expressions.map((text) => celExpression(text, family, tool, data));
  return ({ args, content }) => {
    const answers = compiled.map((each) => each.evaluate({ args, tool, result: content ?? null }));
    const failures = answers.flatMap((answer, index) =>
      typeof answer === "boolean" ? [] : [{ index, kind: answer.kind, ...answer.place }],
    );
    const [first] = failures;
    if (first !== undefined) {
      const where = `at line ${first.line}, column ${first.column}`;
      const why = `expression ${first.index} gives no answer: ${first.kind} ${where}`;
      throw new CannotJudge(why, { failed_expressions: failures });
    }
    const matched = expressions.filter((_, index) => answers[index] === true);
    const metadata = { matched_expressions: matched };
    return blockedIf(matched.length > 0, "an expression of the tool is true", metadata);
  };
}
