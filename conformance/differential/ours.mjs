import { ToolstileError } from "@toolstile/core";
import { Guardrails, RailsConfig } from "@toolstile/iorails";

/** @typedef {import("./cases.mjs").Case} Case */
/** @typedef {import("@toolstile/iorails").Violation} Violation */

/**
 * What came of a case, on either side.
 *
 * @typedef {object} Came
 * @property {"refused" | "passed" | "modified" | "blocked" | "error"} outcome
 * @property {string} [content] The text that was given out.
 * @property {string | null} [rail]
 * @property {string} [kind] The direction or family of what blocked.
 * @property {string} [reason]
 * @property {boolean} [failed] A rail could not decide.
 * @property {string} [error]
 * @property {string} [type] Of a violation.
 * @property {number | undefined} [index] Of a violation.
 * @property {readonly unknown[]} [calls] The name and the arguments of each call that was given out, where a request has tools.
 * @property {readonly import("./model-stub.mjs").Asked[]} [asked]
 */

/** No request is given up because this machine is slow; what is tried again is waited for. */
const clock = {
  now: () => Date.now(),
  setTimeout: (/** @type {() => void} */ run, /** @type {number} */ milliseconds) =>
    milliseconds < 5_000 ? setTimeout(run, milliseconds) : undefined,
  clearTimeout,
};

/** @param {readonly import("@toolstile/iorails").ToolCallMessage[]} [calls] */
const callsOf = (calls = []) =>
  calls.map(({ function: called }) => [called?.name, JSON.parse(called?.arguments ?? "null")]);

/** @param {Violation | undefined} violation @returns {Partial<Came>} */
function told(violation) {
  if (violation === undefined) return {};
  const { kind, violationType: type, reason, rail = null, index } = violation;
  return { kind, type, reason, rail, index, failed: type === "rail_failed" };
}

/** @param {Guardrails} rails @param {Case} given @returns {Promise<Came>} */
async function asking(rails, { mode, messages, options, railTypes }) {
  const request = { messages, ...(options === undefined ? {} : { options }) };
  if (mode === "check") {
    const result = await rails.check(/** @type {any} */ ({ ...request, railTypes }));
    const { status, content, rail = null, violations } = result;
    return { outcome: status, content, rail, ...told(violations[0]) };
  }
  if (mode === "generate") {
    const { status, message, violations } = await rails.generate(request);
    const calls = options === undefined ? {} : { calls: callsOf(message.tool_calls) };
    return { outcome: status, content: message.content ?? "", ...calls, ...told(violations[0]) };
  }
  let content = "";
  /** @type {unknown[]} */
  let calls = [];
  for await (const chunk of rails.stream(request)) {
    if (chunk.type === "text") content += chunk.text;
    if (chunk.type === "tool_calls") calls = callsOf(chunk.toolCalls);
    if (chunk.type === "error") return { outcome: "error", content, error: chunk.error.message };
    if (chunk.type === "violation")
      return { outcome: "blocked", content, ...told(chunk.violations[0]) };
  }
  return { outcome: "passed", content, ...(options === undefined ? {} : { calls }) };
}

/** What comes of a case in this engine. @param {Case} given @returns {Promise<Came>} */
export async function ours(given) {
  let rails;
  try {
    const config = await RailsConfig.fromContent({ config: given.config });
    rails = new Guardrails(config, { requireIorails: true, env: { OPENAI_API_KEY: "k" }, clock });
  } catch (error) {
    if (!ToolstileError.isInstance(error)) throw error;
    return { outcome: "refused", error: error.message };
  }
  try {
    return await asking(rails, given);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { outcome: "error", error: error.message };
  } finally {
    await rails.close();
  }
}
