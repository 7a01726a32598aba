import { RailsConfig } from "@toolstile/iorails";
import { hooks } from "@toolstile/iorails/hooks";
import { absent, type Effect, status } from "./probe.js";
import { recorded } from "./telemetry.js";

/** Keys for which a configuration is another engine's, or an error. */
const refused: readonly Effect[] = (
  [
    ["rails.retrieval", [{ flows: [] }, absent], "ERR_UNSUPPORTED"],
    ["rails.dialog", [{}, absent], "ERR_UNSUPPORTED"],
    ["rails.actions", [{}, absent], "ERR_UNSUPPORTED"],
    ["import_paths", [["more"], []], "ERR_UNSUPPORTED"],
    ["flows", [[{ id: "x" }], []], "ERR_UNSUPPORTED"],
    ["colang_version", ["2.x", "1.0"], "ERR_UNSUPPORTED"],
    ["rails.config.injection_detection.yara_path", ["rules", ""], "ERR_CONFIG"],
    ["rails.config.injection_detection.yara_rules", [{ r: "rule" }, {}], "ERR_CONFIG"],
  ] as const
).map(([key, values, code]) => ({
  key,
  given: key.includes("yara")
    ? {
        rails: {
          output: { flows: ["injection detection"] },
          config: { injection_detection: { injections: ["xss"] } },
        },
      }
    : {},
  values,
  refused: true,
  ask: status(),
  sees: [code, "passed"],
}));

/** The decision of hooks on a call of `Bash`. */
async function decision(config: object): Promise<unknown> {
  await using decide = hooks(await RailsConfig.fromContent({ config }));
  const answer = await decide(
    new Request("http://localhost/v1/hooks/nemo-relay", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ tool_name: "Bash", arguments: {} }),
    }),
  );
  return ((await answer.json()) as { readonly decision?: string }).decision;
}
const policies: readonly Effect[] = (
  [
    ["allowed_tools", { allow_unlisted_tools: false }, [["Bash"], ["Read"]], ["allow", "deny"]],
    ["blocked_tools", {}, [["Bash"], ["Read"]], ["deny", "allow"]],
    ["allow_unlisted_tools", { blocked_tools: ["Read"] }, [false, true], ["deny", "allow"]],
  ] as const
).map(([key, policy, values, sees]) => ({
  key: `hooks_server.${key}`,
  given: { hooks_server: policy },
  values,
  ask: status(),
  decide: decision,
  sees,
}));

const tracing: readonly Effect[] = [
  {
    key: "tracing.enabled",
    values: [true, false],
    ask: async (session) => (await recorded(() => status()(session))).spans.length > 0,
    sees: [true, false],
  },
  {
    key: "tracing.enable_content_capture",
    given: { tracing: { enabled: true } },
    values: [true, false],
    ask: async (session) =>
      (await recorded(() => status("a marked text")(session))).spans.includes("a marked text"),
    sees: [true, false],
  },
  {
    key: "metrics.enabled",
    values: [true, false],
    ask: async (session) => (await recorded(() => status()(session))).metrics.length > 0,
    sees: [true, false],
  },
];

export const rest: readonly Effect[] = [
  ...refused,
  ...policies,
  ...tracing,
  {
    key: "enable_rails_exceptions",
    given: {
      rails: {
        input: { flows: ["regex check input"] },
        config: { regex_detection: { input: { patterns: ["bad"] } } },
      },
    },
    values: [true, false],
    ask: async ({ rails }) => (await rails.generate({ prompt: "bad" })).exception?.type,
    sees: ["InputRailException", undefined],
  },
];
