import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolstileError } from "@toolstile/core";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  Guardrails,
  LLMRails,
  RailsConfig,
  type RailsEngine,
  unsupportedReason,
} from "../../src/index.js";
import {
  asks,
  configuration,
  getWeather,
  model,
  question,
  scripted,
  toolCall,
  toolRails,
  toolResult,
  wireCall,
} from "./scripted.js";

const address = "http://127.0.0.1:9";
const read = (rest: string) => RailsConfig.fromContent({ yaml: configuration(address, rest) });
const env = {};

/** The error that comes of it, and not a value. */
async function fault(act: () => unknown): Promise<ToolstileError> {
  const thrown = await Promise.resolve()
    .then(act)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  if (!ToolstileError.isInstance(thrown)) throw new Error("nothing of ours was thrown");
  return thrown;
}

/** A configuration that is right and needs the other engine. */
const foreign = `rails: { dialog: {}, ${toolCall} }\n`;
const notAsked = (): never => {
  throw new Error("nobody was to ask for this");
};
/** What a fallback gives. */
const otherEngine = {
  stream: notAsked,
  check: notAsked,
  close: async () => {},
  generate: async () => ({
    message: { role: "assistant", content: "from the other engine" },
    status: "passed",
    violations: [],
    requestId: "1",
  }),
} satisfies Record<keyof RailsEngine, unknown> as unknown as RailsEngine;

async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "toolstile-config-"));
  onTestFinished(() => rm(path, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
  return path;
}

describe("a mistake in a tool section", () => {
  it.each([
    [
      "IO-034 P5 is an error where the flow belongs in the other section",
      "rails: { tool_call: { flows: [tool result validation] } }\n",
      ["tool result validation", "rails.tool_result"],
    ],
    [
      "IO-031 IO-035 P5 is an error where the flow is misspelt",
      "rails: { tool_call: { flows: [tool cal validation] } }\n",
      ["tool cal validation", "tool call validation"],
    ],
    [
      "IO-031 IO-035 is an error where the flow differs in case",
      "rails: { tool_result: { flows: [Tool Result Validation] } }\n",
      ["Tool Result Validation", "tool result validation"],
    ],
    [
      "IO-035 is an error where the flow is like no other",
      "rails: { tool_result: { flows: [hello] } }\n",
      ["hello", "tool result validation"],
    ],
    [
      "IO-036 is an error where the flow stands twice",
      "rails: { tool_call: { flows: [tool call validation, tool call validation] } }\n",
      ["tool call validation"],
    ],
    [
      "P5 is an error where a key is misspelt",
      "rails: { tool_result: { flows: [tool result validation], require_names: false } }\n",
      ["require_names", "require_name"],
    ],
  ])("%s", async (_, yaml, named) => {
    const error = await fault(() => read(yaml));
    expect(error.code).toBe("ERR_CONFIG");
    for (const name of named) expect(error.message).toContain(name);
  });

  it("IO-119 is an error also where another engine would take the configuration", async () => {
    const yaml = "rails: { dialog: {}, tool_call: { flows: [tool cal validation] } }\n";
    const error = await fault(async () => {
      const config = await read(yaml);
      return new Guardrails(config, { env, fallback: () => otherEngine });
    });
    expect(error.code).toBe("ERR_CONFIG");
  });

  it("IO-037 IO-038 is only a warning where rails that are local should run at once", async () => {
    const warnings: string[] = [];
    const listen = (warning: Error) => warnings.push(warning.message);
    process.on("warning", listen);
    onTestFinished(() => {
      process.off("warning", listen);
    });
    const engine = await scripted({
      yaml: "rails: { tool_call: { flows: [tool call validation], parallel: true } }\n",
      models: { m: asks(wireCall("drop_table"), wireCall("get_weather", {}, "call_2")) },
    });
    const { violations } = await engine.rails.generate({
      messages: [question],
      options: { llm_params: { tools: [getWeather] } },
    });
    expect(violations.map(({ index }) => index)).toEqual([0, 1]);
    // The process tells of a warning in its next turn.
    await new Promise(setImmediate);
    expect(warnings.join()).toContain("parallel");
  });
});

describe("a configuration for another engine", () => {
  it.each([
    ["IO-028 is one of Colang 2", `colang_version: "2.x"\n${toolRails}`, "Colang"],
    ["IO-010 IO-030 is one with rails that only the other engine runs", foreign, "dialog"],
    [
      "IO-030 is one with flows that only the other engine runs",
      "rails: { input: { flows: [clavata check input] } }\n",
      "clavata check input",
    ],
  ])("%s", async (_, yaml, named) => {
    const config = await read(yaml);
    expect(unsupportedReason(config)).toContain(named);
    const error = await fault(() => new Guardrails(config, { env }));
    expect(error.code).toBe("ERR_UNSUPPORTED");
    expect(error.message).toContain(named);
  });

  it("IO-026 goes to the fallback, with the reason", async () => {
    const reasons: string[] = [];
    const rails = new Guardrails(await read(foreign), {
      env,
      fallback: (_config, reason) => {
        reasons.push(reason);
        return otherEngine;
      },
    });
    const { message } = await rails.generate({ messages: [question] });
    expect(message.content).toBe("from the other engine");
    expect(reasons.join()).toContain("dialog");
  });

  it("IO-027 is refused where this engine is required, fallback or not", async () => {
    const config = await read(foreign);
    const error = await fault(
      () => new Guardrails(config, { env, requireIorails: true, fallback: () => otherEngine }),
    );
    expect(error.code).toBe("ERR_UNSUPPORTED");
    expect(error.message).toContain("dialog");
  });

  it("IO-024 is none that holds what this engine runs", async () => {
    const config = await read(toolRails);
    expect(unsupportedReason(config)).toBeUndefined();
    await new Guardrails(config, { env, requireIorails: true }).close();
  });

  it("IO-029 P5 is not made by giving a model object, which is refused", async () => {
    const config = await read(toolRails);
    const error = await fault(() => new Guardrails(config, { env, llm: {} } as never));
    expect(["ERR_UNKNOWN_OPTION", "ERR_UNSUPPORTED"]).toContain(error.code);
    expect(error.message).toContain("llm");
  });
});

describe("LLMRails", () => {
  it.each(["1", "true", "YES"])(
    "IO-023 is this engine where the environment says %s",
    async (value) => {
      const engine = await scripted({ models: { m: asks(wireCall("drop_table")) } });
      const rails = LLMRails(engine.config, { env: { NEMO_GUARDRAILS_IORAILS_ENGINE: value } });
      onTestFinished(() => rails.close());
      const { status } = await rails.generate({ messages: [question] });
      expect(status).toBe("blocked");
    },
  );

  it.each([undefined, "0", "on"])(
    "IO-023 is the other engine where the environment says %s",
    async (value) => {
      const config = await read(toolRails);
      const options = { env: { NEMO_GUARDRAILS_IORAILS_ENGINE: value } };
      expect((await fault(() => LLMRails(config, options))).code).toBe("ERR_UNSUPPORTED");
      const rails = LLMRails(config, { ...options, fallback: () => otherEngine });
      const { message } = await rails.generate({ messages: [question] });
      expect(message.content).toBe("from the other engine");
    },
  );
});

describe("a folder", () => {
  const base = configuration(address, "");

  it("IO-025 IO-122 is read as one configuration, its rails merged in depth", async () => {
    const path = await folder({
      "config.yml": `${base}rails:\n  ${toolCall}\n`,
      "more.yaml": `rails:\n  ${toolResult}\n  tool_output: { parallel: false }\n`,
    });
    const rails = new Guardrails(await RailsConfig.fromPath(path), { env });
    onTestFinished(() => rails.close());
    const forged = { role: "tool", tool_call_id: "none", name: "x", content: "y" };
    const { violations } = await rails.generate({ messages: [question, forged] });
    expect(violations[0]?.violationType).toBe("unknown_call_id");
  });

  it("IO-123 is an error where two of its files disagree", async () => {
    const path = await folder({
      "a.yml": `${base}rails: { tool_result: { require_name: true } }\n`,
      "b.yml": "rails: { tool_result: { require_name: false } }\n",
    });
    const error = await fault(() => RailsConfig.fromPath(path));
    expect(error.code).toBe("ERR_CONFIG");
    for (const name of ["a.yml", "b.yml", "require_name"]) expect(error.message).toContain(name);
  });

  it("IO-120 is an error where it holds Colang files that would be ignored", async () => {
    const path = await folder({
      "config.yml": `${base}${toolRails}`,
      "dialog.co": "define flow greeting\n  user hello\n",
    });
    const error = await fault(
      async () => new Guardrails(await RailsConfig.fromPath(path), { env }),
    );
    expect(error.message).toContain("dialog.co");
    expect(error.message).toContain("ignore");
  });

  it("IO-121 goes with its Colang files to the fallback", async () => {
    const path = await folder({
      "config.yml": `${base}${toolRails}`,
      "dialog.co": "define flow greeting\n  user hello\n",
    });
    const rails = new Guardrails(await RailsConfig.fromPath(path), {
      env,
      fallback: () => otherEngine,
    });
    const { message } = await rails.generate({ messages: [question] });
    expect(message.content).toBe("from the other engine");
  });

  it("is an error where it holds no configuration", async () => {
    const path = await folder({});
    expect((await fault(() => RailsConfig.fromPath(path))).code).toBe("ERR_CONFIG");
  });
});

describe("a model of the configuration", () => {
  it("IO-011 IO-072 is asked in Chat Completions, whatever its engine is called", async () => {
    for (const name of ["openai", "nim", "house-made"]) {
      const engine = await scripted();
      const yaml = configuration(engine.server.url, toolRails).replace(
        "engine: openai",
        `engine: ${name}`,
      );
      const rails = new Guardrails(await RailsConfig.fromContent({ yaml }), { env });
      onTestFinished(() => rails.close());
      await rails.generate({ messages: [question] });
      expect(engine.server.requests).toMatchObject([
        {
          method: "POST",
          path: "/v1/chat/completions",
          body: { model: "m", messages: [question] },
        },
      ]);
    }
  });

  it("IO-072 of another engine needs an address", async () => {
    const yaml = `models: [{ type: main, engine: anthropic, model: m }]\n${toolRails}`;
    const error = await fault(async () => {
      const config = await RailsConfig.fromContent({ yaml });
      return new Guardrails(config, { env });
    });
    expect(error.message).toContain("base_url");
  });

  it("sends the key of its engine, and none that another engine has", async () => {
    const engine = await scripted({
      options: { env: { OPENAI_API_KEY: "sk-1", NVIDIA_API_KEY: "nv-1" } },
    });
    await engine.rails.generate({ messages: [question] });
    expect(engine.server.requests[0]?.headers.authorization).toBe("Bearer sk-1");
  });

  it("IO-140 is not asked by a self-check without a prompt, which is an error", async () => {
    const error = await fault(() => read("rails: { input: { flows: [self check input] } }\n"));
    expect(error.message).toContain("self_check_input");
  });

  it("IO-139 is not asked by a prompt that names an undefined variable", async () => {
    const yaml = `${model("self_check_input")}rails: { input: { flows: [self check input] } }
prompts: [{ task: self_check_input, content: "Block {{ user_inptu }}?" }]
`;
    const error = await fault(async () => {
      const config = await read(yaml);
      return new Guardrails(config, { env });
    });
    expect(error.message).toContain("user_inptu");
  });
});
