import { completionBody, completionChunk } from "@toolstile/testing";
import { leastCpuMs, quietCpuMs } from "@toolstile/testing/cpu";
import { describe, expect, it } from "vitest";
import { Guardrails, RailsConfig } from "../../src/index.js";
import { compileTemplate } from "../../src/model-rails/template.js";

/** Milliseconds of CPU that an answer to a request of ordinary size may take. */
const most = 50;
/** Less than this is mostly noise. */
const noise = 8;

interface Measured {
  /** Characters of the input. */
  readonly size: number;
  readonly run: () => Promise<boolean> | boolean;
}

/** Fails where an input of so many times the size costs more than n log n would, or is let through and costs too much. */
async function expectGrowth(small: Measured, large: Measured): Promise<void> {
  const passed = await large.run();
  await small.run();
  if ((await leastCpuMs(large.run, { tries: 1 })) > noise) {
    const grown = large.size / small.size;
    const allowed = grown * (Math.log2(large.size) / Math.log2(small.size));
    const less = await leastCpuMs(small.run);
    // Twice: CPU time is no count.
    const enoughMs = 2 * allowed * Math.max(less, noise / grown);
    expect(await leastCpuMs(large.run, { enoughMs })).toBeLessThanOrEqual(enoughMs);
  }
  if (!passed) return;
  const bounded = await quietCpuMs(large.run, { enoughMs: most, tries: 12 });
  expect(bounded).toBeLessThanOrEqual(most);
}

function passes(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

/** All pairs of names, and each name alone. */
function pairsOf<Name extends string>(names: readonly Name[]): (readonly [Name, Name])[] {
  return names.flatMap((one, at) => names.slice(at).map((other) => [one, other] as const));
}

const dimensions = ["messages", "parts", "calls", "tools", "length", "properties"] as const;
type Counts = Record<(typeof dimensions)[number], number>;

function requestOf({ messages, parts, calls, tools, length, properties }: Counts) {
  const list = (count: number) => Array.from({ length: count }, (_, at) => at);
  const content = list(parts).map((at) => ({ type: "text", text: `${at}`.padEnd(length, "x") }));
  const args = JSON.stringify(Object.fromEntries(list(properties).map((at) => [`p${at}`, at])));
  const asked = (turn: number) =>
    list(calls).map((at) => ({
      id: `${turn}-${at}`,
      type: "function",
      function: { name: `t${at % tools}`, arguments: args },
    }));
  const turns = list(messages).flatMap((turn) => [
    { role: "user", content },
    { role: "assistant", content: null, tool_calls: asked(turn) },
    ...asked(turn).map(({ id, function: { name } }) => ({
      role: "tool",
      tool_call_id: id,
      name,
      content: "x",
    })),
  ]);
  const parameters = {
    type: "object",
    properties: Object.fromEntries(list(properties).map((at) => [`p${at}`, { type: "integer" }])),
  };
  const declared = list(tools).map((at) => ({
    type: "function",
    function: { name: `t${at}`, parameters },
  }));
  return { messages: [...turns, { role: "user", content }], tools: declared };
}

const rails = new Guardrails(
  await RailsConfig.fromContent({
    yaml: `
models: [{ type: main, engine: x, model: m, parameters: { base_url: "http://127.0.0.1:9" } }]
rails:
  input: { flows: [self check input] }
  tool_output: { flows: [tool call validation] }
  tool_input: { flows: [tool result validation] }
prompts: [{ task: self_check_input, content: "{{ user_input }}", max_length: 100000000 }]
`,
  }),
  { env: {}, fetch: async () => Response.json(completionBody({ content: "No" })) },
);

describe("the cost of a check", () => {
  it.each(pairsOf(dimensions))(
    "P18 grows no faster than the request by %s and %s",
    { tags: "long" },
    async (one, other) => {
      const sized = (count: number): Measured => {
        const single = { messages: 1, parts: 1, calls: 1, tools: 1, length: 1, properties: 1 };
        const request = requestOf({ ...single, [one]: count, [other]: count });
        return {
          size: JSON.stringify(request).length,
          run: async () => (await rails.check(request)).status === "passed",
        };
      };
      // Of a pair, one may multiply the other.
      const [few, many] = one === other ? [250, 1_000] : [16, 64];
      await expectGrowth(sized(few), sized(many));
    },
  );
});

const pieces = {
  texts: (at: number) => completionChunk({ content: `word${at} ` }),
  calls: (at: number) =>
    completionChunk({
      tool_calls: [
        { index: at % 900, id: `c${at % 900}`, function: { name: "t0", arguments: "" } },
      ],
    }),
  fragments: (at: number) =>
    completionChunk({
      tool_calls: [
        { index: 0, id: "c", function: { ...(at === 0 && { name: "t0" }), arguments: " " } },
      ],
    }),
  comments: () => undefined,
} as const;

describe("the measure of growth", () => {
  it("lets an ordinary request pass, so that what is measured is done", async () => {
    const two = { messages: 2, parts: 2, calls: 2, tools: 2, length: 2, properties: 2 };
    const { status, violations } = await rails.check(requestOf(two));
    expect(violations).toEqual([]);
    expect(status).toBe("passed");
  });

  it("tells a cost that is the square of the size", { tags: "long" }, async () => {
    const square = (size: number): Measured => ({
      size,
      run: () => {
        let sum = 0;
        for (let at = 0; at < size * size; at++) sum = (sum + at) % 1_000_003;
        return sum < 0;
      },
    });
    await expect(expectGrowth(square(1_000), square(4_000))).rejects.toThrow();
  });
});

describe("the cost of a stream", () => {
  const kinds = Object.keys(pieces) as (keyof typeof pieces)[];
  it.each(pairsOf(kinds))(
    "P18 grows no faster than the answer by %s and %s",
    { tags: "long" },
    async (one, other) => {
      const sized = (count: number): Measured => {
        const chunks = Array.from({ length: count }, (_, at) =>
          pieces[at % 2 === 0 ? one : other](at),
        );
        const text = chunks
          .map((chunk) => (chunk === undefined ? ": x\n\n" : `data: ${JSON.stringify(chunk)}\n\n`))
          .join("");
        const end = `data: ${JSON.stringify(completionChunk({}, "stop"))}\n\ndata: [DONE]\n\n`;
        const reader = new Guardrails(plain, {
          env: {},
          fetch: async () =>
            new Response(text + end, { headers: { "content-type": "text/event-stream" } }),
        });
        return {
          size: text.length,
          run: async () => {
            for await (const chunk of reader.stream({ prompt: "x" })) {
              if (chunk.type === "error" || chunk.type === "violation") return false;
            }
            return true;
          },
        };
      };
      await expectGrowth(sized(250), sized(1_000));
    },
  );
});

const plain = await RailsConfig.fromContent({
  yaml: `models: [{ type: main, engine: x, model: m, parameters: { base_url: "http://127.0.0.1:9" } }]`,
});

describe("the cost of rendering a template", () => {
  const loop = (body: string) => `{% for i in range(9999) %}${body}{% endfor %}`;
  it.each([
    ["a loop over text", "{% for c in user_input %}{{ c }}{% endfor %}"],
    [
      "a loop in a loop",
      "{% for c in user_input %}{% for d in user_input %}{{ d }}{% endfor %}{% endfor %}",
    ],
    ["a loop that asks for its round", "{% for c in user_input %}{{ loop.index }}{% endfor %}"],
    ["filters", "{{ user_input | escape | upper | wordcount }}"],
    [
      "a text that grows",
      "{% set n = namespace(a='') %}{% for c in user_input %}{% set n.a = n.a ~ c %}{% endfor %}{{ n.a }}",
    ],
    ["a slice", "{{ user_input[::-1] }}"],
    ["a split", "{{ user_input.split(' ') | length }}"],
    ["a search", loop("{{ user_input in 'x' ~ user_input }}")],
    ["a replacement", "{{ user_input | replace('x', user_input) }}"],
    ["a replacement of nothing", "{{ user_input.replace('', user_input) }}"],
    ["a join", "{{ range(9999) | join(user_input) }}"],
    ["a block that is filtered", "{% filter title %}{{ user_input }}{% endfilter %}"],
    ["calls in a loop", loop("{{ 'a'.upper() }}")],
    ["loops in a loop", loop("{% for j in [1] %}{% endfor %}")],
    ["lists in a loop", loop("{{ range(100) | sort | length }}")],
    ["a text in a loop", loop("{{ user_input | upper | length }}")],
  ])(
    "P18 grows no faster than its work, or is refused, of %s",
    { tags: "long" },
    async (_, content) => {
      const template = compileTemplate(content, ["user_input"], "x");
      const sized = (length: number): Measured => ({
        size: length,
        run: () => passes(() => template.render({ user_input: "x ".repeat(length / 2) })),
      });
      await expectGrowth(sized(1_000), sized(4_000));
      await expectGrowth(sized(50_000), sized(200_000));
    },
  );
});

const templates = {
  text: (count: number) => "word ".repeat(count),
  blanks: (count: number) => " ".repeat(4 * count),
  lines: (count: number) => "\n".repeat(4 * count),
  "blanks in a tag": (count: number) => `{{${" ".repeat(4 * count)}1 }}`,
  comments: (count: number) => "{# a #}".repeat(count),
  outputs: (count: number) => "{{ x }}".repeat(count),
  literals: (count: number) => `{{ [${"1,".repeat(count)}1] }}`,
  names: (count: number) =>
    Array.from({ length: count }, (_, at) => `{% set a${at} = 1 %}`).join(""),
  blocks: (count: number) => "{% if x %}a{% endif %}".repeat(count),
  depth: (count: number) => "{% if x %}".repeat(count) + "{% endif %}".repeat(count),
  brackets: (count: number) => `{{ ${"(".repeat(count)}1${")".repeat(count)} }}`,
  filters: (count: number) => `{{ x${" | upper".repeat(count)} }}`,
  members: (count: number) => `{{ x${".a".repeat(count)} }}`,
  indices: (count: number) => `{{ x${"[1]".repeat(count)} }}`,
  branches: (count: number) => `{% if x %}${"{% elif x %}".repeat(count)}{% endif %}`,
  raw: (count: number) => "{% raw %}{{ a }}{% endraw %}".repeat(count),
  open: (count: number) => "{% raw %}".repeat(count),
} as const;

describe("the cost of reading a template", () => {
  it.each(pairsOf(Object.keys(templates) as (keyof typeof templates)[]))(
    "P18 grows no faster than its text, or is refused, by %s and %s",
    { tags: "long" },
    async (one, other) => {
      const sized = (count: number): Measured => {
        const both = templates[one](count) + (one === other ? "" : templates[other](count));
        return { size: both.length, run: () => passes(() => compileTemplate(both, ["x"], "x")) };
      };
      for (const count of [400, 1_600]) await expectGrowth(sized(count), sized(4 * count));
    },
  );
});

const shapes = {
  depth: (count: number) =>
    `d: ${"[".repeat(Math.min(count, 50))}${"]".repeat(Math.min(count, 50))}\n`,
  width: (count: number) => `w:\n${"- 1\n".repeat(count)}`,
  keys: (count: number) => Array.from({ length: count }, (_, at) => `k${at}: 1\n`).join(""),
  anchors: (count: number) =>
    `a:\n${Array.from({ length: count }, (_, at) => `- &a${at} 1\n`).join("")}`,
  aliases: (count: number) => `b: &b 1\nc: [${"*b,".repeat(Math.min(count, 90))}]\n`,
  texts: (count: number) => `t: "${"x\\n ".repeat(count)}"\n`,
  flows: (count: number) =>
    `f: {${Array.from({ length: count }, (_, at) => `f${at}: x,`).join("")}}\n`,
} as const;

describe("the cost of a configuration", () => {
  const kinds = Object.keys(shapes) as (keyof typeof shapes)[];
  const indented = (text: string) => text.replaceAll(/^(?=.)/gm, "  ");
  it.each(pairsOf(kinds))(
    "P18 grows no faster than its text by %s and %s",
    { tags: "long" },
    async (one, other) => {
      const sized = (count: number): Measured => {
        const both = one === other ? shapes[one](count) : shapes[one](count) + shapes[other](count);
        // Unread by this engine, and told as unknown keys: each has to be found in the file.
        const yaml = `models: []\ncustom_data:\n${indented(both)}${both}`;
        return {
          size: yaml.length,
          run: async () => {
            const loading = RailsConfig.fromContent({ yaml });
            return loading.then(
              () => true,
              () => false,
            );
          },
        };
      };
      await expectGrowth(sized(500), sized(2_000));
    },
  );
});
