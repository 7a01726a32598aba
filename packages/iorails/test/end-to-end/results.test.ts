import { describe, expect, it } from "vitest";
import {
  answered,
  asks,
  getWeather,
  onlyAsked,
  question,
  refusal,
  scripted,
  text,
  toolRails,
  turn,
  wireCall,
} from "./scripted.js";

const call = wireCall("get_weather", { city: "Paris" });
const second = wireCall("get_weather", { city: "Rome" }, "call_2");
const options = { llm_params: { tools: [getWeather] } };

async function generated(messages: readonly unknown[], yaml?: string) {
  const engine = await scripted(yaml === undefined ? {} : { yaml });
  const result = await engine.rails.generate({ messages: messages as never, options });
  return { ...result, engine };
}

describe("a result in a request", () => {
  it.each<[string, readonly unknown[], string, string]>([
    [
      "IO-056 blocks without an id",
      [question, turn(call), answered(null)],
      "missing_call_id",
      "tool result is missing a call_id",
    ],
    [
      "IO-056 blocks with an empty id",
      [question, turn(call), answered("")],
      "missing_call_id",
      "tool result is missing a call_id",
    ],
    [
      "IO-003 IO-014 IO-018 IO-057 blocks where no such call was made",
      [question, turn(call), answered("call_9")],
      "unknown_call_id",
      "tool result for call_id 'call_9' does not correspond to a prior tool call",
    ],
    [
      "IO-057 blocks where no call was made at all",
      [question, answered("call_1")],
      "unknown_call_id",
      "tool result for call_id 'call_1' does not correspond to a prior tool call",
    ],
    [
      "IO-058 blocks where the call has one already",
      [question, turn(call), answered(), answered()],
      "duplicate_result",
      "duplicate tool result for call_id 'call_1'",
    ],
    [
      "IO-059 blocks with another tool's name",
      [question, turn(call), answered("call_1", "delete_database")],
      "name_mismatch",
      "tool result name 'delete_database' does not match the called tool 'get_weather'",
    ],
    [
      "IO-060 blocks without a name",
      [question, turn(call), answered("call_1", null)],
      "missing_name",
      "tool result for call_id 'call_1' is missing a name",
    ],
    [
      "IO-061 blocks where its content is an object",
      [question, turn(call), answered("call_1", "get_weather", { t: 18 })],
      "malformed_content",
      "tool result for call_id 'call_1' has malformed content",
    ],
    [
      "IO-061 blocks where its content is a list of texts",
      [question, turn(call), answered("call_1", "get_weather", ["18"])],
      "malformed_content",
      "tool result for call_id 'call_1' has malformed content",
    ],
    [
      "IO-110 blocks after a message of the user",
      [question, turn(call), question, answered()],
      "unknown_call_id",
      "tool result for call_id 'call_1' does not directly follow its tool call",
    ],
    [
      "IO-055 blocks with the id of an earlier turn",
      [question, turn(call), answered(), turn(second), answered("call_1")],
      "unknown_call_id",
      "tool result for call_id 'call_1' does not correspond to a prior tool call",
    ],
    [
      "IO-055 blocks in an earlier turn of the conversation",
      [question, turn(call), answered("call_9"), { role: "assistant", content: "18." }, question],
      "unknown_call_id",
      "tool result for call_id 'call_9' does not correspond to a prior tool call",
    ],
    [
      "blocks where two calls of its turn have one id",
      [question, turn(call, call), answered()],
      "duplicate_prior_call_id",
      "duplicate prior tool call id 'call_1'",
    ],
    [
      "blocks where its id is a number",
      [question, turn({ ...call, id: "5" }), answered(5)],
      "malformed_call_id",
      "tool result has a call_id that is not text",
    ],
  ])("%s", async (_, messages, violationType, reason) => {
    const { message, status, violations, engine } = await generated(messages);
    expect({ message, status }).toEqual({ message: refusal, status: "blocked" });
    expect(violations[0]).toMatchObject({ kind: "tool_result", violationType });
    expect(violations[0]?.reason).toContain(reason);
    // The model has not seen it.
    expect(engine.server.requests).toEqual([]);
  });

  it.each<[string, readonly unknown[]]>([
    [
      "IO-013 IO-062 passes with the id and the name of its call",
      [question, turn(call), answered()],
    ],
    [
      "IO-062 passes where its content is a list of blocks",
      [question, turn(call), answered("call_1", "get_weather", [{ type: "text", text: "18" }])],
    ],
    [
      "passes in another order than the calls",
      [question, turn(call, second), answered("call_2"), answered("call_1")],
    ],
    [
      "IO-055 passes where an id is used again in a later turn",
      [
        question,
        turn(call),
        answered(),
        { role: "assistant", content: "18." },
        question,
        turn(call),
        answered(),
      ],
    ],
    [
      "IO-111 passes where another call of its turn has none",
      [question, turn(call, second), answered()],
    ],
    [
      "passes where the earlier call's arguments cannot be read",
      [question, turn(wireCall("get_weather", "{")), answered()],
    ],
  ])("%s", async (_, messages) => {
    const { status, violations, engine } = await generated(messages);
    expect({ status, violations }).toEqual({ status: "passed", violations: [] });
    expect(onlyAsked(engine)["messages"]).toEqual(messages);
  });

  it.each<[string, readonly unknown[]]>([
    [
      "IO-008 blocks where the calls before it are no list",
      [question, { role: "assistant", content: null, tool_calls: "get_weather" }, answered()],
    ],
    ["IO-008 blocks where a call before it is no object", [question, turn(call, null), answered()]],
    [
      "IO-008 blocks where the calls are no list, without any result",
      [question, { role: "assistant", content: null, tool_calls: { 0: call } }],
    ],
  ])("%s", async (_, messages) => {
    const { status, violations, engine } = await generated(messages);
    expect(status).toBe("blocked");
    expect(violations[0]?.kind).toBe("tool_result");
    expect(engine.server.requests).toEqual([]);
  });

  it("IO-109 passes without a name where the configuration does not ask for one", async () => {
    const yaml = toolRails.replace("result validation]", "result validation], require_name: false");
    const { status } = await generated([question, turn(call), answered("call_1", null)], yaml);
    expect(status).toBe("passed");
  });

  it("IO-109 blocks with another tool's name also where none is asked for", async () => {
    const yaml = toolRails.replace("result validation]", "result validation], require_name: false");
    const { violations } = await generated([question, turn(call), answered("call_1", "x")], yaml);
    expect(violations[0]?.violationType).toBe("name_mismatch");
  });

  it("IO-112 blocks where the configuration asks for all of a turn and one is missing", async () => {
    const yaml = toolRails.replace("result validation]", "result validation], require_all: true");
    const { status, violations } = await generated(
      [question, turn(call, second), answered()],
      yaml,
    );
    expect(status).toBe("blocked");
    expect(violations[0]?.violationType).toBe("missing_result");
    expect(violations[0]?.reason).toContain("'call_2'");
  });

  it("IO-112 passes where all of a turn are asked for and there", async () => {
    const yaml = toolRails.replace("result validation]", "result validation], require_all: true");
    const messages = [question, turn(call, second), answered(), answered("call_2")];
    expect((await generated(messages, yaml)).status).toBe("passed");
  });

  it("IO-114 IO-115 is named in the reason, cut to 64 characters, each violation in order", async () => {
    const { violations } = await generated([
      question,
      turn(call, second),
      answered("i".repeat(300)),
      answered("call_1", "get_weather", { t: 18 }),
      answered("call_2", "n".repeat(300)),
    ]);
    expect(violations.map(({ violationType }) => violationType)).toEqual([
      "unknown_call_id",
      "malformed_content",
      "name_mismatch",
    ]);
    expect(violations.map(({ reason }) => reason).join()).not.toMatch(/n{65}|i{65}/);
  });

  it("IO-033 is checked without the rail on calls", async () => {
    const engine = await scripted({
      yaml: toolRails.replace(/.*tool_output.*\n/, ""),
      models: { m: asks(wireCall("drop_table")) },
    });
    const good = await engine.rails.generate({ messages: [question], options });
    expect(good.message.tool_calls).toHaveLength(1);
    const bad = await engine.rails.generate({ messages: [question, answered()], options });
    expect(bad.violations.map(({ kind }) => kind)).toEqual(["tool_result"]);
  });

  it("IO-064 is not checked in the one request that says so", async () => {
    const engine = await scripted();
    const ask = (rails: { readonly tool_input?: boolean }) =>
      engine.rails.generate({ messages: [question, answered()], options: { rails } });
    expect((await ask({ tool_input: false })).status).toBe("passed");
    expect((await ask({})).status).toBe("blocked");
  });
});

describe("the loop of a call and its result", () => {
  it("IO-016 IO-042 IO-043 goes on until the model ends it with text", async () => {
    const third = wireCall("delete_database", {}, "call_3");
    const engine = await scripted({
      models: { m: [asks(call), asks(second), text("18 and 24 degrees."), asks(third)] },
    });
    const messages: Record<string, unknown>[] = [question];
    const ask = () => engine.rails.generate({ messages: messages as never, options });

    const first = await ask();
    expect(first.message.tool_calls).toEqual([call]);
    messages.push(first.message as never, answered());
    const more = await ask();
    expect(more.message.tool_calls).toEqual([second]);
    messages.push(more.message as never, answered("call_2"));
    const last = await ask();
    expect(last.message).toEqual({ role: "assistant", content: "18 and 24 degrees." });
    expect(engine.asked("m")[2]?.["messages"]).toEqual(messages);
    expect((await ask()).status).toBe("blocked");
  });
});
