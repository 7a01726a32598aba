import { fakeClock } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import type { HooksOptions } from "../../src/hooks.js";
import { answerTo, decided, decisionOn, hookRequest, hooksOf, preToolUse } from "./post.js";

const hooks = (options: HooksOptions = {}) =>
  hooksOf("hooks_server: {blocked_tools: [Bash]}", options);
const body = JSON.stringify(preToolUse("Read", { path: "hunter2" }));
const typed = (type: string) => ({ headers: { "content-type": type } });

describe("a request that is no hook", () => {
  it.each<[string, Request, number, string]>([
    ["another agent", hookRequest(body, "cursor"), 404, "unknown_path"],
    ["an agent in another case", hookRequest(body, "Claude-Code"), 404, "unknown_path"],
    ["no agent", hookRequest(body, ""), 404, "unknown_path"],
    ["a path behind the agent", hookRequest(body, "codex/x"), 404, "unknown_path"],
    ["an agent in escapes", hookRequest(body, "c%6fdex"), 404, "unknown_path"],
    [
      "another path",
      new Request("http://h/v1/hook/codex", { method: "POST" }),
      404,
      "unknown_path",
    ],
    [
      "GET",
      new Request("http://h/v1/hooks/codex", { headers: { "content-type": "application/json" } }),
      405,
      "method_not_allowed",
    ],
    ["PUT", hookRequest(body, "codex", { method: "PUT" }), 405, "method_not_allowed"],
    ["plain text", hookRequest(body, "codex", typed("text/plain")), 415, "unsupported_media_type"],
    [
      "a form",
      hookRequest(body, "codex", typed("multipart/form-data")),
      415,
      "unsupported_media_type",
    ],
    [
      "another charset",
      hookRequest(body, "codex", typed("application/json; charset=utf-16")),
      415,
      "unsupported_media_type",
    ],
    [
      "a type alike",
      hookRequest(body, "codex", typed("application/jsonp")),
      415,
      "unsupported_media_type",
    ],
    ["no JSON", hookRequest("{tool_name: 1}"), 400, "invalid_json"],
    ["JSON and more", hookRequest(`${body} ${body}`), 400, "invalid_json"],
    ["half a body", hookRequest(body.slice(0, -1)), 400, "invalid_json"],
    ["a blank body", hookRequest(" \n"), 400, "invalid_json"],
    ["no body", hookRequest("", "codex", { body: null }), 400, "invalid_json"],
    [
      "what is not UTF-8",
      hookRequest("", "codex", { body: Buffer.from([0x22, 0xff, 0x22]) }),
      400,
      "invalid_json",
    ],
    ["a list", hookRequest([preToolUse("Read", {})]), 422, "invalid_hook"],
    ["text", hookRequest('"Read"'), 422, "invalid_hook"],
    ["no members", hookRequest({}), 422, "invalid_hook"],
    [
      "another event",
      hookRequest(preToolUse("Read", {}, { hook_event_name: "PostToolUse" })),
      422,
      "invalid_hook",
    ],
    [
      "an event in another case",
      hookRequest(preToolUse("Read", {}, { hook_event_name: "preToolUse" })),
      422,
      "invalid_hook",
    ],
    ["no tool", hookRequest(preToolUse(undefined, {})), 422, "invalid_hook"],
    ["an empty name", hookRequest(preToolUse("", {})), 422, "invalid_hook"],
    ["a name that is a list", hookRequest(preToolUse(["Read"], {})), 422, "invalid_hook"],
    ["no id", hookRequest(preToolUse("Read", {}, { tool_use_id: undefined })), 422, "invalid_hook"],
    [
      "an id that is a number",
      hookRequest(preToolUse("Read", {}, { tool_use_id: 7 })),
      422,
      "invalid_hook",
    ],
    ["a hook of Claude Code for Relay", hookRequest(body, "nemo-relay"), 422, "invalid_hook"],
    [
      "a member that Relay does not have",
      hookRequest({ tool_name: "Read", arguments: {}, tool_input: {} }, "nemo-relay"),
      422,
      "invalid_hook",
    ],
    [
      "another event of Relay",
      hookRequest(
        { hook_event_name: "PreToolUse", tool_name: "Read", arguments: {} },
        "nemo-relay",
      ),
      422,
      "invalid_hook",
    ],
  ])("IO-162 is an error with a sentence: %s", async (_, request, status, code) => {
    const answer = await answerTo(await hooks(), request);
    expect(answer).toEqual({
      status,
      body: { error: { code, message: expect.stringMatching(/^[A-Za-z_].* must .*\.?$/) } },
    });
    expect(JSON.stringify(answer)).not.toContain("hunter2");
  });

  it("says which method there is", async () => {
    const response = await (await hooks())(new Request("http://h/v1/hooks/codex"));
    expect(response.headers.get("allow")).toBe("POST");
  });

  it.each([
    "application/json",
    "Application/JSON; charset=UTF-8",
    'application/json;charset="utf-8"',
  ])("takes the media type %s", async (type) => {
    expect(await decisionOn(await hooks(), hookRequest(body, "codex", typed(type)))).toBe("allow");
  });

  it("takes a path in front of its own, as a host may mount it", async () => {
    const request = new Request("http://h/guard/v1/hooks/codex?x=1", hookRequest(body));
    expect(await decisionOn(await hooks(), request)).toBe("allow");
  });
});

describe("the body of a hook", () => {
  const denied = (reason: string) =>
    `deny: NeMo Guardrails: the members of the hook cannot be read: ${reason}`;
  const raw = (input: string, rest = "") =>
    `{"hook_event_name":"PreToolUse","tool_name":"Read","tool_use_id":"t","tool_input":${input}${rest}}`;
  it.each<[string, string, string]>([
    ["an argument twice", raw('{"a":1,"a":2}'), "an object has the same key twice"],
    [
      "an argument twice, once in escapes",
      raw('{"a":1,"\\u0061":2}'),
      "an object has the same key twice",
    ],
    ["the tool twice", raw("{}", ',"tool_name":"Bash"'), "an object has the same key twice"],
    ["the arguments twice", raw("{}", ',"tool_input":{"a":1}'), "an object has the same key twice"],
    ["__proto__", raw('{"__proto__":{"a":1}}'), "an object has the key __proto__"],
    ["__proto__ beside the tool", raw("{}", ',"__proto__":{}'), "an object has the key __proto__"],
    ["half a surrogate pair", raw('{"a":"\\ud800"}'), "a string has half of a surrogate pair"],
    ["a number without end", raw('{"a":1e999}'), "a number is not finite"],
    [
      "a number that would be rounded",
      raw('{"a":9007199254740993}'),
      "an integer is beyond 2^53 - 1, and would be rounded: give it as text",
    ],
    [
      "a deep list",
      raw(`{"a":${"[".repeat(200)}${"]".repeat(200)}}`),
      "they are nested too deeply, or in a circle",
    ],
    ["many values", raw(`{"a":[${"0,".repeat(200_000)}0]}`), "they are too large"],
  ])("IO-160 denies a call with %s: two readers could take it for two", async (_, text, reason) => {
    expect(await decisionOn(await hooks(), hookRequest(text))).toBe(denied(reason));
  });

  it.each<[unknown]>([
    ["{}"],
    ['{"a":1}'],
    ["not an object"],
    [[]],
    [["a"]],
    [null],
    [7],
    [true],
    [undefined],
  ])("IO-160 denies a call whose arguments are no object: %j", async (input) => {
    const reason =
      "deny: NeMo Guardrails: arguments for tool 'Read' cannot be read: they are not a JSON object";
    expect(await decisionOn(await hooks(), hookRequest(preToolUse("Read", input)))).toBe(reason);
    const relayed = hookRequest({ tool_name: "Read", arguments: input }, "nemo-relay");
    expect((await answerTo(await hooks(), relayed)).body).toEqual({
      decision: "deny",
      reason: "arguments for tool 'Read' cannot be read: they are not a JSON object",
    });
  });

  it("denies arguments that are longer than those of any call may be", async () => {
    expect(await decided(await hooks(), "Write", { content: "a".repeat(1_100_000) })).toBe(
      "deny: NeMo Guardrails: arguments for tool 'Write' cannot be read: they are too large",
    );
  });

  const most = { maxBodyBytes: body.length };
  const tooLarge = "413 body_too_large";
  it("IO-162 is an error if it is longer than it may be, said by its head or found out", async () => {
    const handle = await hooks(most);
    expect(await decisionOn(handle, hookRequest(body))).toBe("allow");
    expect(await decisionOn(handle, hookRequest(`${body} `))).toBe(tooLarge);
    const headers = { "content-type": "application/json", "content-length": "9000000000" };
    expect(await decisionOn(handle, hookRequest(body, "codex", { headers }))).toBe(tooLarge);
  });

  it("is not read further than it may be long", async () => {
    let pulled = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled++;
        controller.enqueue(new Uint8Array(64).fill(0x20));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const init = { body: endless, duplex: "half" } as RequestInit;
    expect(await decisionOn(await hooks(most), hookRequest("", "codex", init))).toBe(tooLarge);
    expect(pulled).toBeLessThan(body.length / 64 + 4);
    expect(cancelled).toBe(true);
  });

  /** A body of which a part comes, and then nothing. */
  function stalled() {
    let cancelled = false;
    let fail: (error: unknown) => void = () => {};
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(body.slice(0, 40)));
        fail = (error) => controller.error(error);
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const init = (signal?: AbortSignal) =>
      ({ body: stream, duplex: "half", signal }) as RequestInit;
    return { init, fail: (error: unknown) => fail(error), cancelled: () => cancelled };
  }

  it("IO-162 is an error if it does not come in time", async () => {
    const clock = fakeClock();
    const slow = stalled();
    const answer = decisionOn(
      await hooks({ clock, bodyWithinMs: 500 }),
      hookRequest("", "codex", slow.init()),
    );
    await Promise.resolve();
    clock.advance(499);
    expect(slow.cancelled()).toBe(false);
    clock.advance(1);
    expect(await answer).toBe("408 body_too_slow");
    expect(slow.cancelled()).toBe(true);
    expect(clock.waiting()).toBe(0);
  });

  it("IO-162 is an error in time where empty pieces come without end", async () => {
    let left = 50_000;
    const body = new ReadableStream({
      pull: (controller) => {
        if (left-- > 0) controller.enqueue(new Uint8Array());
        else controller.close();
      },
    });
    const clock = fakeClock();
    const answer = decisionOn(
      await hooks({ clock, bodyWithinMs: 500 }),
      hookRequest("", "codex", { body, duplex: "half" } as RequestInit),
    );
    setImmediate(() => clock.advance(500));
    expect(await answer).toBe("408 body_too_slow");
  });

  it("IO-162 is an error if its pieces are no bytes", async () => {
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue("{}");
      },
    });
    const request = hookRequest("", "codex", { body, duplex: "half" } as RequestInit);
    expect(await decisionOn(await hooks(), request)).toBe("400 unreadable_body");
  });

  it("IO-162 is an error if the caller leaves", async () => {
    const caller = new AbortController();
    const slow = stalled();
    const answer = decisionOn(await hooks(), hookRequest("", "codex", slow.init(caller.signal)));
    caller.abort(new Error("hunter2"));
    expect(await answer).toBe("503 abandoned");
  });

  it("IO-162 is an error if it breaks off, or was read before", async () => {
    const broken = stalled();
    const answer = decisionOn(await hooks(), hookRequest("", "codex", broken.init()));
    broken.fail(new Error("hunter2"));
    expect(await answer).toBe("400 unreadable_body");
    const used = hookRequest(body);
    await used.text();
    const told: unknown[] = [];
    const onFault = (fault: unknown) => void told.push(fault);
    expect(await decisionOn(await hooks({ onFault }), used)).toBe("500 not_decided");
    expect(told).toHaveLength(1);
  });
});
