import { allow, ToolstileError } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { plugin, type SchemaValidationOptions, schemaValidation } from "../src/index.js";
import { call, mail, mailSchema, result } from "./calls.js";

const tool = { parameters: mailSchema };

describe("schemaValidation", () => {
  it("is named 'schema' and says that it checks arguments", () => {
    const provider = schemaValidation();
    expect(provider.name).toBe("schema");
    expect(provider.checksArguments?.({ name: "any" })).toBe(true);
    expect(schemaValidation({ name: "arguments" }).name).toBe("arguments");
  });

  it("allows arguments that match, with the shared answer", () => {
    expect(schemaValidation().evaluate(call(mail, tool))).toBe(allow());
  });

  it.each([
    ["a tool that nobody declared", undefined],
    ["a tool without parameters", {}],
    ["the schema true", { parameters: true }],
    ["the empty schema", { parameters: {} }],
  ])("allows any arguments for %s", (_, declared) => {
    expect(schemaValidation().evaluate(call({ x: 1 }, declared))).toBe(allow());
  });

  it.each([
    [
      "a missing property",
      { to: ["a@b"], body: "" },
      "required at the top level: 'subject' is missing",
    ],
    ["a wrong type", { ...mail, to: "hunter2" }, "type at /to: expected array"],
    [
      "a wrong item",
      { ...mail, to: ["hunter2"] },
      "pattern at /to/0: expected text that matches '^[^@\\\\s]+@[^@\\\\s]+$'",
    ],
    [
      "a text too long",
      { ...mail, subject: "hunter2".repeat(99) },
      "maxLength at /subject: expected at most 200 characters",
    ],
    [
      "a value not listed",
      { ...mail, attachments: [{ name: "a", size: 1, mime: "hunter2" }] },
      "enum at /attachments/0/mime: expected 'text/plain' or 'application/pdf' or 'image/png'",
    ],
    [
      "an undeclared property",
      { ...mail, hunter2: 1 },
      "additionalProperties at /*: this property is not declared",
    ],
    [
      "an undeclared property below",
      { ...mail, attachments: [{ name: "a", size: 1, hunter2: 1 }] },
      "additionalProperties at /attachments/0/*: this property is not declared",
    ],
  ])("denies %s, naming the place and quoting nothing", (_, args, detail) => {
    const verdict = schemaValidation().evaluate(call(args, tool));
    expect(verdict).toMatchObject({
      decision: "deny",
      code: "schema",
      reason: `arguments for tool 'send_mail' do not match its schema: ${detail}`,
    });
    expect(JSON.stringify(verdict)).not.toContain("hunter2");
  });

  it("shows undeclared keys on the way down as *, and a number only where it counts items", () => {
    const parameters = {
      additionalProperties: { items: { additionalProperties: { type: "string" } } },
    };
    expect(
      schemaValidation().evaluate(call({ "4111": [{ "4112": 5 }] }, { parameters })),
    ).toMatchObject({ metadata: { keyword: "type", pointer: "/*/0/*" } });
  });

  it("denies every call of a tool whose schema is refused, and says where it is wrong", () => {
    const parameters = { type: "object", properties: { a: { type: "dict" } } };
    expect(schemaValidation().evaluate(call({}, { parameters }))).toMatchObject({
      decision: "deny",
      code: "schema_invalid",
      reason: expect.stringContaining("its schema is refused at /properties/a/type"),
    });
  });

  it("refuses a tool at load, naming the tool, the place and the reason", () => {
    const provider = schemaValidation();
    const register = () =>
      provider.register?.({ name: "find", parameters: { type: "object", required: null } });
    expect(register).toThrow(ToolstileError);
    expect(register).toThrow(/'find'.*parameters.*\/required.*no valid 2020-12 schema/u);
    expect(() =>
      provider.register?.({ name: "find", outputSchema: { $ref: "https://example.com/x" } }),
    ).toThrow(/outputSchema.*nothing is ever fetched/u);
    expect(provider.register?.({ name: "send", parameters: mailSchema })).toBeUndefined();
  });

  it("does not keep the old rules of a schema that was changed", () => {
    const parameters = { type: "object", properties: { n: { type: "number" } } };
    const provider = schemaValidation();
    expect(provider.evaluate(call({ n: 1 }, { parameters }))).toBe(allow());
    parameters.properties.n.type = "string";
    expect(provider.evaluate(call({ n: 1 }, { parameters }))).toMatchObject({ decision: "deny" });
  });

  it("keeps two schemas with the same $id apart", () => {
    const $id = "https://schemas.example.com/p";
    const provider = schemaValidation();
    const text = { $id, properties: { n: { type: "string" } } };
    const number = { $id, properties: { n: { type: "integer" } } };
    expect(provider.evaluate(call({ n: 1 }, { parameters: text }))).toMatchObject({
      decision: "deny",
    });
    expect(provider.evaluate(call({ n: 1 }, { parameters: number }))).toBe(allow());
  });

  it.each([
    ["unknown", { defaultDrafts: "2020-12" }, "ERR_UNKNOWN_OPTION", "Did you mean 'defaultDraft'?"],
    ["not a draft", { defaultDraft: "draft-03" }, "ERR_INVALID_OPTION", '"draft-04"'],
    [
      "not a flag",
      { dropNulls: "yes" },
      "ERR_INVALID_OPTION",
      "'dropNulls' must be a boolean, received string",
    ],
    [
      "not a count",
      { maxPatternInput: 0 },
      "ERR_INVALID_OPTION",
      "'maxPatternInput' must be a whole number",
    ],
    ["not a name", { name: "" }, "ERR_INVALID_OPTION", "'name' must be"],
  ])("refuses an option that is %s", (_, options, code, hint) => {
    const build = () => schemaValidation(options as SchemaValidationOptions);
    expect(build).toThrow(expect.objectContaining({ code }));
    expect(build).toThrow(hint);
  });

  it("takes as a plugin what its options schema describes", () => {
    const described = Object.keys(plugin.optionsSchema.properties as object);
    for (const name of described) {
      expect(() => plugin.create({ [name]: Symbol() } as SchemaValidationOptions)).toThrow(
        `schemaValidation(): '${name}' must be`,
      );
    }
    expect(plugin.create({ name: "x" }).name).toBe("x");
  });
});

describe("results", () => {
  const outputSchema = {
    type: "object",
    properties: { id: { type: "integer" } },
    required: ["id"],
  };
  const judge = (details: Parameters<typeof result>[0], declared: object = { outputSchema }) =>
    schemaValidation().evaluateResult?.(call({}, declared), result(details));

  it.each([
    ["matches", { structured: { id: 1 } }, { outputSchema }],
    ["is an error", { isError: true }, { outputSchema }],
    ["has no schema", {}, {}],
    ["has the schema true", {}, { outputSchema: true }],
  ])("are let through when the result %s", (_, details, declared) => {
    expect(judge(details, declared)).toBe(allow());
  });

  it.each([
    ["missing", {}, "has no structured content"],
    [
      "invalid",
      { structured: { id: "hunter2" } },
      "does not match its schema: type at /id: expected integer",
    ],
    ["incomplete", { structured: {} }, "required at the top level: 'id' is missing"],
  ])("are withheld when the structured content is %s", (_, details, reason) => {
    expect(judge(details)).toMatchObject({
      decision: "deny",
      code: "schema",
      reason: expect.stringContaining("result of tool 'send_mail' "),
    });
    expect(JSON.stringify(judge(details))).toContain(reason);
    expect(JSON.stringify(judge(details))).not.toContain("hunter2");
  });

  it("are withheld when their schema is refused", () => {
    expect(judge({ structured: 1 }, { outputSchema: { type: "dict" } })).toMatchObject({
      decision: "deny",
      code: "schema_invalid",
    });
  });

  it("are nobody's business with resultSchema: false", () => {
    const provider = schemaValidation({ resultSchema: false });
    expect(provider.evaluateResult).toBeUndefined();
    expect(provider.register?.({ name: "x", outputSchema: { type: "dict" } })).toBeUndefined();
  });
});
