import { describe, expect, it } from "vitest";
import type { PromptConfig, RailsConfigData } from "../../src/config/model.js";
import { buildRails } from "../../src/model-rails/build.js";
import { config, flow, model, prompt, sections } from "./data.js";
import { contentInput, data, prompts, topic, withPrompt } from "./judged.js";

describe("building rails", () => {
  const refused = (
    direction: "input" | "output",
    text: string,
    from: RailsConfigData,
    message: RegExp,
  ) => {
    expect(() => buildRails([flow(text)], from, direction)).toThrow(
      expect.objectContaining({ code: "ERR_CONFIG", message: expect.stringMatching(message) }),
    );
  };
  it("P5 names the nearest flow for a typo", () =>
    refused("input", "self chek input", data, /Did you mean 'self check input'/));
  it.each([
    ["input", "self check output"],
    ["output", "self check input"],
    ["input", "__proto__"],
    ["output", "constructor"],
  ] as const)("refuses as %s rail %s", (direction, text) =>
    refused(direction, text, data, /There is no/),
  );
  it("refuses a flow without a prompt", () =>
    refused("input", "self check input", withPrompt(), /self_check_input/));
  it("refuses a flow without a model, and one that is not there", () => {
    refused("input", "content safety check input", data, /names no model/);
    refused("input", "content safety check input $model=gard", data, /Did you mean 'guard'/);
    refused("input", "self check input", config(prompts, { models: [model("guard")] }), /'main'/);
  });
  it("refuses a content check without a parser, and any with an unknown one", () => {
    const own = (rest: Partial<PromptConfig>) =>
      withPrompt(prompt("content_safety_check_input $model=guard", "x", rest));
    refused("input", contentInput, own({}), /no output_parser.*nemoguard_parse_prompt_safety/);
    refused(
      "input",
      contentInput,
      own({ outputParser: "is_content_save" }),
      /Did you mean 'is_content_safe'/,
    );
    refused("input", contentInput, own({ outputParser: "__proto__" }), /unknown/);
  });
  it("refuses a template that does not parse or names an unknown variable, and names the task", () => {
    refused(
      "input",
      "self check input",
      withPrompt(prompt("self_check_input", "{{ user_input")),
      /'self_check_input' is not a Jinja template/,
    );
    refused(
      "input",
      "self check input",
      withPrompt(prompt("self_check_input", "{{ bot_response }}")),
      /'self_check_input'.*'bot_response'/,
    );
    refused(
      "input",
      topic,
      withPrompt(prompt("topic_safety_check_input $model=guard", "{{ user_input }}")),
      /given none/,
    );
  });
  it("refuses a topic prompt of messages", () =>
    refused(
      "input",
      topic,
      withPrompt(prompt("topic_safety_check_input $model=guard", [{ type: "user", content: "x" }])),
      /one text/,
    ));
  it("refuses a jailbreak check without a service", () =>
    refused(
      "input",
      "jailbreak detection model",
      config(prompts, {
        config: sections(),
      }),
      /nim_base_url/,
    ));
  it("keeps the order of the flows", () => {
    const rails = buildRails([flow("self check input"), flow(topic)], data, "input");
    expect(rails.map((rail) => [rail.flow, rail.name])).toEqual([
      ["self check input", "self check input"],
      [topic, "topic safety check input"],
    ]);
  });
});
