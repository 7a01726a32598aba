import { describe, expect, it } from "vitest";
import { promptFor } from "../../src/config/prompts.js";
import { RailsConfig } from "../../src/config/rails-config.js";
import { guard, main } from "./load.js";

/** Which of these prompts is picked, by its content. */
function picked(
  prompts: readonly object[],
  task: string,
  model?: string,
  more: object = {},
): string | undefined {
  const { data } = RailsConfig.fromContent({ config: { models: [main, guard], prompts, ...more } });
  return promptFor(data, task, model)?.content;
}

const task = "self_check_input";

describe("promptFor", () => {
  it("picks the last of equals", () => {
    expect(
      picked(
        [
          { task, content: "a" },
          { task, content: "b" },
        ],
        task,
      ),
    ).toBe("b");
  });

  it("prefers exact model, model, engine, part of a name, any, in this order", () => {
    const best = [["openai/m"], ["m"], ["openai"], ["open"], undefined];
    for (let from = 0; from < best.length; from++) {
      const prompts = best.slice(from).map((models, index) => ({
        task,
        content: `${from + index}`,
        ...(models === undefined ? {} : { models }),
      }));
      expect(picked(prompts, task)).toBe(`${from}`);
      expect(picked([...prompts].reverse(), task)).toBe(`${from}`);
    }
  });

  it("compares models whatever their case", () => {
    const prompts = [
      { task, content: "a", models: ["OpenAI/M"] },
      { task, content: "b" },
    ];
    expect(picked(prompts, task)).toBe("a");
  });

  it("asks the model named by the flow, else of the task's name, else the main one", () => {
    const prompts = [
      { task, content: "main", models: ["openai"] },
      { task, content: "guard", models: ["nim"] },
    ];
    expect(picked(prompts, task)).toBe("main");
    expect(picked(prompts, task, "guard")).toBe("guard");
    const own = { models: [main, { type: task, engine: "nim", model: "x" }] };
    expect(picked(prompts, task, undefined, own)).toBe("guard");
  });

  it("prefers the mode in force, takes standard instead, and never a third", () => {
    const prompts = [
      { task, content: "compact", mode: "compact" },
      { task, content: "standard" },
    ];
    expect(picked(prompts, task)).toBe("standard");
    expect(picked(prompts, task, undefined, { prompting_mode: "compact" })).toBe("compact");
    expect(picked(prompts, task, undefined, { prompting_mode: "x" })).toBe("standard");
    expect(picked(prompts.slice(0, 1), task)).toBeUndefined();
  });

  it("takes for a check that needs a model only the prompt of that model", () => {
    const safety = "content_safety_check_input";
    const prompts = [
      { task: safety, content: "bare" },
      { task: `${safety} $model=guard`, content: "guard" },
    ];
    expect(picked(prompts, safety, "guard")).toBe("guard");
    expect(picked(prompts, safety, "main")).toBeUndefined();
    expect(picked(prompts, safety)).toBeUndefined();
  });

  it("takes for a self-check the model's own prompt first, then the general one", () => {
    const prompts = [
      { task: `${task} $model=guard`, content: "guard" },
      { task, content: "bare" },
    ];
    expect(picked(prompts, task, "guard")).toBe("guard");
    expect(picked(prompts, task, "main")).toBe("bare");
  });

  it("leaves out the prompts of the other engine, whatever they say", () => {
    const { data } = RailsConfig.fromContent({
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
