import { mainModel, requestOf } from "./cases.mjs";

/** @typedef {import("./draw.mjs").Draw} Draw */

/** The tools, and texts for their arguments. @type {Readonly<Record<string, { parameters?: any, texts: readonly string[], numbers: readonly string[] }>>} */
const tools = {
  run_sql: {
    parameters: {
      type: "object",
      properties: { query: { type: "string" }, limit: { type: "integer" } },
      required: ["query"],
    },
    texts: ["query"],
    numbers: ["limit"],
  },
  transfer: {
    parameters: {
      type: "object",
      properties: {
        amount: { type: "number" },
        note: { type: "string" },
        tags: { type: "array", items: { type: "string" } },
      },
      additionalProperties: false,
    },
    texts: ["note"],
    numbers: ["amount"],
  },
  open: {
    parameters: {
      type: "object",
      properties: { path: { type: "string" } },
      additionalProperties: true,
    },
    texts: ["path", "mode"],
    numbers: ["size"],
  },
  ping: { texts: [], numbers: [] },
};
const texts = [
  "drop table",
  "DROP  TABLE x",
  "urgent",
  "Urgent!",
  "/etc/passwd",
  "a b",
  "",
  "Grüße",
  'say "hi"',
  "line\nend",
  "1234",
  "KEY",
];
const numbers = [0, 1, 5, 10, 100, 1000, 1001, 2.5, -1, 100.5];
const patterns = [
  "(?i)drop\\s+table",
  "urgent",
  "\\d{4}",
  "^a",
  "ü",
  '"',
  "\\n",
  "etc",
  ": 1",
  "Gr\\\\u00fc",
  "KEY$",
  "passwd",
  "\\{\\}",
  "x$",
];

/** @param {Draw} draw @param {string} tool */
function args(draw, tool) {
  const { texts: named, numbers: counted } = tools[tool] ?? { texts: [], numbers: [] };
  /** @type {Record<string, unknown>} */
  const made = {};
  for (const name of named) if (draw.chance(0.85)) made[name] = draw.of(texts);
  for (const name of counted) if (draw.chance(0.7)) made[name] = draw.of(numbers);
  if (tool === "transfer" && draw.chance(0.4)) made["tags"] = draw.some(texts, 0, 3);
  if (draw.chance(0.05))
    made[draw.of(["other", "note", "path"])] = draw.of([...texts, ...numbers, null, true]);
  return made;
}

/** A condition on the call of a tool, nearly always one that can be told. @param {Draw} draw @param {string} tool @returns {string} */
function condition(draw, tool) {
  const { texts: named = [], numbers: counted = [] } = tools[tool] ?? {};
  const forms = [
    () => `tool == "${draw.of(Object.keys(tools))}"`,
    () => "size(args) > 1",
    ...named.flatMap((name) => [
      () => `args.${name}.contains("${draw.of(["urgent", "table", "etc"])}")`,
      () => `args.${name}.startsWith("${draw.of(["/", "d", "a"])}")`,
      () => `args.${name}.matches("(?i)${draw.of(["urgent", "^drop", "[0-9]+"])}")`,
      () => `args.${name} == "${draw.of(["urgent", "a b", ""])}"`,
      () => `size(args.${name}) > ${draw.whole(0, 9)}`,
    ]),
    ...counted.flatMap((name) => [
      () => `args.${name} > ${draw.of([0, 5, 100, 1000, "99.5"])}`,
      () => `args.${name} == ${draw.of([1, 100, "2.5"])}`,
      () => `args.${name} in [1, 5, 1000]`,
    ]),
    ...(tool === "transfer"
      ? [() => 'args.tags.exists(t, t == "urgent")', () => '"a b" in args.tags']
      : []),
  ];
  const form = draw.of(forms)();
  const [name] = /(?<=args\.)\w+/.exec(form) ?? [];
  const guarded = name !== undefined && draw.chance(0.7) ? `has(args.${name}) && ${form}` : form;
  return draw.chance(0.15) ? `!(${guarded})` : guarded;
}

const ofResults = [
  'type(result) == string && result.contains("KEY")',
  "type(result) == string && size(result) > 20",
  'type(result) == list && result.exists(p, p.text == "urgent")',
  "result == null",
  'tool == "run_sql"',
  "size(args) == 0",
];

/** @param {Draw} draw @param {string} tool @param {"tool_call" | "tool_result"} family */
function expression(draw, tool, family) {
  if (draw.chance(0.03))
    return draw.of(["args.absent == 1", "1", "args.", "nope(args)", "args.limit > 'x'"]);
  const one = () =>
    family === "tool_result" && draw.chance(0.7) ? draw.of(ofResults) : condition(draw, tool);
  const parts = draw.times(1, 2, one);
  return parts.length === 1
    ? parts[0]
    : parts.map((part) => `(${part})`).join(draw.of([" && ", " || "]));
}

const kinds = /** @type {("regex" | "cel" | "safety")[]} */ ([
  "regex",
  "regex",
  "cel",
  "cel",
  "safety",
]);

const spelled = {
  tool_call: {
    regex: ["regex check tool call", "regex check tool output"],
    cel: ["cel check tool call", "cel check tool output"],
    safety: ["tool safety check call", "tool safety check output"],
  },
  tool_result: {
    regex: ["regex check tool result", "regex check tool input"],
    cel: ["cel check tool result", "cel check tool input"],
    safety: ["tool safety check result", "tool safety check input"],
  },
};

/** @param {Draw} draw @param {any} config @param {"tool_call" | "tool_result"} family */
function perTool(draw, config, family) {
  const section = config.rails[family];
  const { config: detection } = config.rails;
  for (const tool of draw.some(Object.keys(tools), 1, 3)) {
    /** @type {string[]} */
    const flows = [];
    for (const kind of draw.some(kinds, 1, 2)) {
      const name = draw.of(spelled[family][kind]);
      if (flows.some((flow) => flow.startsWith(name.slice(0, 5)))) continue;
      if (kind === "safety") flows.push(`${name} $model=guard $variant=strict`);
      else {
        const named = [...(tools[tool]?.texts ?? []), "nope"];
        const one = kind === "regex" && family === "tool_call" && draw.chance(0.3);
        flows.push(one ? `${name} $argument=${draw.of(named)}` : name);
        if (kind === "regex") {
          detection.regex_detection[family][tool] = {
            patterns: draw.some(patterns, 1, 3),
            ...(draw.chance(0.3) ? { case_insensitive: true } : {}),
          };
        } else {
          const expressions = draw.times(1, 2, () => expression(draw, tool, family));
          detection.cel[family][tool] = { expressions };
        }
      }
    }
    section.per_tool[tool] = flows;
  }
}

/** @param {Draw} draw */
export const declared = (draw) =>
  draw.some(Object.entries(tools), 2, 4).map(([name, { parameters }]) => ({
    type: "function",
    function: { name, ...(parameters ? { parameters } : {}) },
  }));

/** @param {Draw} draw @param {number} from */
export function calls(draw, from) {
  return draw
    .times(1, draw.chance(0.3) ? 3 : 1, () => 0)
    .map((_, at) => {
      const name = draw.chance(0.04) ? "nobody" : draw.of(Object.keys(tools));
      return {
        id: `call_${from + at}`,
        type: "function",
        function: { name, arguments: JSON.stringify(args(draw, name)) },
      };
    });
}

/** @param {Draw} draw */
const resultOf = (draw) =>
  draw.of([
    () => draw.of(texts),
    () => `PRIVATE KEY ${draw.of(texts)} and more`,
    () => JSON.stringify({ note: draw.of(texts) }),
    () => [{ type: "text", text: draw.of(texts) }],
    () => draw.times(1, 2, () => ({ type: "text", text: draw.of(texts) })),
  ])();

/** @param {Draw} draw @param {number} from */
export function toolTurn(draw, from) {
  const asked = calls(draw, from);
  const results = asked.map(({ id, function: { name } }) => ({
    role: "tool",
    tool_call_id: id,
    name,
    content: resultOf(draw),
  }));
  if (draw.chance(0.05)) /** @type {any} */ (results[0]).name = "other";
  if (draw.chance(0.1)) delete (/** @type {any} */ (results[0]).name);
  if (draw.chance(0.04)) /** @type {any} */ (results[0]).tool_call_id = "call_x";
  return [{ role: "assistant", content: null, tool_calls: asked }, ...results];
}

/** With the name that the section of calls had before 0.25. @param {any} config */
function inOlderNames({ rails: { tool_call, config, ...rails }, ...others }) {
  const { regex_detection, cel } = config;
  const older = (/** @type {any} */ { tool_call: of, ...rest }) => ({ tool_output: of, ...rest });
  return {
    ...others,
    rails: {
      ...rails,
      tool_output: tool_call,
      config: { regex_detection: older(regex_detection), cel: older(cel) },
    },
  };
}

/** A configuration of rails of single tools. @param {Draw} draw */
export function perToolCase(draw) {
  const families = /** @type {("tool_call" | "tool_result")[]} */ (
    draw.of([["tool_call"], ["tool_call"], ["tool_result"], ["tool_call", "tool_result"]])
  );
  /** @type {any} */
  const config = {
    models: [structuredClone(mainModel)],
    rails: {
      config: {
        regex_detection: { tool_call: {}, tool_result: {} },
        cel: { tool_call: {}, tool_result: {} },
      },
    },
  };
  for (const family of families) {
    const flow = family === "tool_call" ? "tool call validation" : "tool result validation";
    config.rails[family] = {
      ...(draw.chance(0.5) ? { flows: [flow] } : {}),
      per_tool: {},
      ...(draw.chance(0.2) ? { parallel: true } : {}),
    };
    perTool(draw, config, family);
  }
  const text = JSON.stringify(config);
  if (text.includes("safety check")) {
    config.models.push({
      type: "guard",
      engine: "openai",
      model: "guard",
      parameters: { base_url: "@BASE@" },
    });
    config.prompts = [
      {
        task: "tool_safety_check_output $model=guard $variant=strict",
        content: "{{ tool_name }}: {{ tool_call_arguments }}",
      },
      {
        task: "tool_safety_check_input $model=guard $variant=strict",
        content: "{{ tool_name }}: {{ tool_result_content }}",
      },
    ];
  }
  const list = declared(draw);
  const inConfig = draw.chance(0.3);
  if (inConfig) config.models[0].parameters.tools = list;
  const hasTurn = families.includes("tool_result") || draw.chance(0.3);
  const talk = [{ role: "user", content: "hi" }, ...(hasTurn ? toolTurn(draw, 1) : [])];
  const asked = calls(draw, 10);
  const { mode, railTypes } = requestOf(draw, families, () => []);
  const isCheck = mode === "check";
  const rails = draw.chance(0.1) ? { [draw.of(families)]: draw.chance(0.5) } : undefined;
  const options = {
    ...(inConfig ? {} : { llm_params: { tools: list } }),
    ...(rails ? { rails } : {}),
  };
  const isOlder = families.includes("tool_call") && draw.chance(0.15);
  return {
    config: isOlder ? inOlderNames(config) : config,
    mode,
    messages: isCheck ? [...talk, { role: "assistant", content: null, tool_calls: asked }] : talk,
    ...(isCheck ? { railTypes: railTypes ?? families } : {}),
    ...(Object.keys(options).length > 0 ? { options } : {}),
    script: {
      calls: asked,
      says: draw.of([
        ["safe", "unsafe"],
        ["safe", "unsafe"],
        ["Safe.", "unsafe S1"],
        ["no", "yes"],
        ["perhaps", "unsafe"],
      ]),
      forbidden: ["urgent", "KEY", "passwd"],
    },
  };
}
