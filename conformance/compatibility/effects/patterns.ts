import { calling, type Effect, resulting, status, withTool } from "./probe.js";

/** The rail of a direction with its section, without one key. */
export const input = (flow: string, config: object = {}) => ({
  rails: { input: { flows: [flow] }, config },
});
export const output = (flow: string, config: object = {}) => ({
  rails: { output: { flows: [flow] }, config },
});

/** Regular expressions, and CEL. */
export const patterns: readonly Effect[] = [
  ...(["input", "output"] as const).flatMap((direction): readonly Effect[] => {
    const of = direction === "input" ? input : output;
    const ask = direction === "input" ? status("BAD") : status();
    const flow = `regex check ${direction}`;
    const section = `rails.config.regex_detection.${direction}`;
    return [
      {
        key: `${section}.patterns`,
        given: of(flow),
        values: [["BAD"], ["GOOD"]],
        replies: { m: "BAD" },
        ask,
        sees: ["blocked", "passed"],
      },
      {
        key: `${section}.case_insensitive`,
        given: of(flow, { regex_detection: { [direction]: { patterns: ["bad"] } } }),
        values: [true, false],
        replies: { m: "BAD" },
        ask,
        sees: ["blocked", "passed"],
      },
    ];
  }),
  ...(["tool_call", "tool_result"] as const).flatMap((section): readonly Effect[] => {
    const name = section.replace("_", " ");
    const ask = section === "tool_call" ? status() : resulting("BAD", "t");
    const given = (patterns: readonly string[] | undefined) => ({
      models: [withTool],
      rails: {
        [section]: { per_tool: { t: [`regex check ${name}`] } },
        config: {
          regex_detection: { [section]: { t: patterns === undefined ? {} : { patterns } } },
        },
      },
    });
    const replies = section === "tool_call" ? { m: calling({ a: "BAD" }) } : {};
    return [
      {
        key: `rails.config.regex_detection.${section}.*.patterns`,
        given: given(undefined),
        values: [["BAD"], ["GOOD"]],
        replies,
        ask,
        sees: ["blocked", "passed"],
      },
      {
        key: `rails.config.regex_detection.${section}.*.case_insensitive`,
        given: given(["bad"]),
        values: [true, false],
        replies,
        ask,
        sees: ["blocked", "passed"],
      },
      {
        key: `rails.config.cel.${section}.*.expressions`,
        given: {
          models: [withTool],
          rails: {
            [section]: { per_tool: { t: [`cel check ${name}`] } },
            config: { cel: { [section]: { t: {} } } },
          },
        },
        values: [["true"], ["false"]],
        replies,
        ask,
        sees: ["blocked", "passed"],
      },
    ];
  }),
];
