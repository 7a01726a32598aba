import { describe, expect, it } from "vitest";
import { readFlow } from "../../src/config/flows.js";
import { promptFor } from "../../src/config/prompts.js";
import { RailsConfig } from "../../src/engine/rails-config.js";
import { guard, main } from "./load.js";

/** Which of these prompts is picked, by its content. */
async function picked(
  prompts: readonly object[],
  task: string,
  model?: string,
  more: object = {},
): Promise<string | undefined> {
  const { data } = await RailsConfig.fromContent({
    config: { models: [main, guard], prompts, ...more },
  });
  const flow = model === undefined ? flows[task] : `${flows[task]} $model=${model}`;
  return promptFor(data, readFlow(flow ?? ""))?.content;
}

const task = "self_check_input";
const flows: Readonly<Record<string, string>> = {
  self_check_input: "self check input",
  content_safety_check_input: "content safety check input",
};

describe("promptFor", () => {
  it("picks the last of equals", async () => {
    expect(
      await picked(
        [
          { task, content: "a" },
          { task, content: "b" },
        ],
        task,
      ),
    ).toBe("b");
  });

  it("prefers exact model, model, engine, part of a name, any, in this order", async () => {
    const best = [["openai/m"], ["m"], ["openai"], ["open"], undefined];
    for (let from = 0; from < best.length; from++) {
      const prompts = best.slice(from).map((models, index) => ({
        task,
        content: `${from + index}`,
        ...(models === undefined ? {} : { models }),
      }));
      expect(await picked(prompts, task)).toBe(`${from}`);
      expect(await picked([...prompts].reverse(), task)).toBe(`${from}`);
    }
  });

  it("compares models whatever their case", async () => {
    const prompts = [
      { task, content: "a", models: ["OpenAI/M"] },
      { task, content: "b" },
    ];
    expect(await picked(prompts, task)).toBe("a");
  });

  it("asks the model named by the flow, else of the task's name, else the main one", async () => {
    const prompts = [
      { task, content: "main", models: ["openai"] },
      { task, content: "guard", models: ["nim"] },
    ];
    expect(await picked(prompts, task)).toBe("main");
    expect(await picked(prompts, task, "guard")).toBe("guard");
    const own = { models: [main, { type: task, engine: "nim", model: "x" }] };
    expect(await picked(prompts, task, undefined, own)).toBe("guard");
  });

  it("prefers the mode in force, takes standard instead, and never a third", async () => {
    const prompts = [
      { task, content: "compact", mode: "compact" },
      { task, content: "standard" },
    ];
    expect(await picked(prompts, task)).toBe("standard");
    expect(await picked(prompts, task, undefined, { prompting_mode: "compact" })).toBe("compact");
    expect(await picked(prompts, task, undefined, { prompting_mode: "x" })).toBe("standard");
    expect(await picked(prompts.slice(0, 1), task)).toBeUndefined();
  });

  it("takes for a check that needs a model only the prompt of that model", async () => {
    const safety = "content_safety_check_input";
    const prompts = [
      { task: safety, content: "bare" },
      { task: `${safety} $model=guard`, content: "guard" },
    ];
    expect(await picked(prompts, safety, "guard")).toBe("guard");
    expect(await picked(prompts, safety, "main")).toBeUndefined();
    expect(await picked(prompts, safety)).toBeUndefined();
  });

  it("takes for a self-check the model's own prompt first, then the general one", async () => {
    const prompts = [
      { task: `${task} $model=guard`, content: "guard" },
      { task, content: "bare" },
    ];
    expect(await picked(prompts, task, "guard")).toBe("guard");
    expect(await picked(prompts, task, "main")).toBe("bare");
  });

  it("takes for a variant its own prompt, then one under its bare name, and never the general one", async () => {
    const prompts = [
      { task, content: "bare" },
      { task: "tone", content: "older" },
      { task: `${task} $variant=tone`, content: "own" },
    ];
    const config = {
      models: [main],
      rails: { input: { flows: [`${flows[task]} $variant=tone`] } },
    };
    const of = async (some: readonly object[]) => {
      const { data } = await RailsConfig.fromContent({ config: { ...config, prompts: some } });
      return promptFor(data, data.input.flows[0] as never)?.content;
    };
    expect(await of(prompts)).toBe("own");
    expect(await of(prompts.slice(0, 2))).toBe("older");
    await expect(of(prompts.slice(0, 1))).rejects.toThrow(
      "Missing a `self_check_input $variant=tone` prompt template",
    );
  });

  it("leaves out the prompts of the other engine, whatever they say", async () => {
    const { data } = await RailsConfig.fromContent({
      config: {
        prompts: [
          {
            task: "generate_user_intent",
            messages: ["{{ x }}"],
            output_parser: "verbose_v1",
            odd: 1,
          },
        ],
      },
    });
    expect(data.prompts).toEqual([]);
  });
});
