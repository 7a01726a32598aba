import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fault, GuardrailProvider } from "@toolstile/core";
import { completionBody, recordingObserver } from "@toolstile/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { hooks } from "../../src/hooks.js";
import { RailsConfig } from "../../src/index.js";
import { answerTo, decided, decisionOn, hookRequest, hooksOf, preToolUse } from "./post.js";

const blocks = "hooks_server: {blocked_tools: [Bash]}";
const no = (reason: string) => `deny: NeMo Guardrails: ${reason}`;
const secret = "hunter2";

/** A guard with these members, under a name. */
const guard = (evaluate: GuardrailProvider["evaluate"], rest: object = {}): GuardrailProvider => ({
  name: "mine",
  evaluate,
  ...rest,
});

describe("an answer to a hook", () => {
  const bash = { tool_name: "Bash", tool_input: { command: secret } };
  it.each<[string, object, object, object]>([
    [
      "claude-code",
      preToolUse("Bash", bash.tool_input),
      {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: "NeMo Guardrails: tool call 'Bash' is a blocked tool",
        },
      },
      {},
    ],
    [
      "codex",
      { ...bash, hook_event_name: "PreToolUse", tool_use_id: "c1", turn_id: "t1", model: "m" },
      {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: "NeMo Guardrails: tool call 'Bash' is a blocked tool",
        },
      },
      {},
    ],
    [
      "nemo-relay",
      {
        hook_event_name: "NemoRelayToolConditionalExecutionGuardrail",
        tool_name: "Bash",
        arguments: { command: secret },
      },
      { decision: "deny", reason: "tool call 'Bash' is a blocked tool" },
      { decision: "allow" },
    ],
  ])("IO-161 has for %s what it reads, and nothing else", async (agent, body, denied, allowed) => {
    const handle = await hooksOf(blocks);
    const answer = await handle(hookRequest(body, agent));
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect([answer.status, await answer.json()]).toEqual([200, denied]);
    const other = { ...body, tool_name: "Read" };
    expect(await answerTo(handle, hookRequest(other, agent))).toEqual({
      status: 200,
      body: allowed,
    });
  });
});

describe("the rails of a called tool", () => {
  const rails = `
models: [{type: judge, engine: openai, model: j, parameters: {base_url: "http://judge.test", max_attempts: 1}}]
hooks_server: {blocked_tools: [WebFetch]}
rails:
  tool_call:
    per_tool:
      Bash: ["regex check tool call $argument=command"]
      Write: [cel check tool call]
      Edit: [tool safety check tool call $model=judge $variant=v]
  config:
    regex_detection: {tool_call: {Bash: {patterns: ["rm -rf"]}}}
    cel: {tool_call: {Write: {expressions: ['args.path.startsWith("/etc")']}}}
prompts:
  - {task: tool_safety_check_tool_call $model=judge $variant=v, content: "Safe? {{ tool_call_arguments }}"}
`;
  it.each<[string, object, string]>([
    ["Bash", { command: "ls" }, "allow"],
    ["Bash", { command: "rm -rf /" }, no("regex check tool call: a pattern of the tool was found")],
    ["Bash", { description: "rm -rf /" }, no("regex check tool call: ")],
    ["Write", { path: "/home/a" }, "allow"],
    ["Write", { path: "/etc/passwd" }, no("cel check tool call: ")],
    ["Write", { content: secret }, no("cel check tool call failed")],
    ["Read", { path: "/etc/passwd" }, "allow"],
  ])("IO-160 are asked without a declaration: %s with %j", async (tool, input, decision) => {
    const found = await decided(await hooksOf(rails), tool, input);
    if (decision === "allow") expect(found).toBe(decision);
    else expect(found.startsWith(decision), found).toBe(true);
    expect(found).not.toContain(secret);
  });

  const judge = (respond: () => Response | Promise<Response>) => {
    const asked: string[] = [];
    const fetch = async (_: unknown, init?: RequestInit) => {
      asked.push(String(init?.body));
      return respond();
    };
    return { asked, fetch: fetch as typeof globalThis.fetch };
  };
  const said = (content: string) => () => Response.json(completionBody({ content }));
  it.each<[string, () => Response | Promise<Response>, string]>([
    ["safe", said("safe"), "allow"],
    ["unsafe", said(`unsafe ${secret}`), "tool safety check tool call: "],
    ["neither", said(secret), " failed: the model's answer must be a verdict"],
    ["an error", () => new Response(secret, { status: 500 }), " failed: "],
    ["no JSON", () => new Response(secret), " failed: "],
    ["nothing", () => Promise.reject(new Error(secret)), " failed: "],
  ])("IO-160 deny where the judge says %s, and quote nothing", async (_, respond, decision) => {
    const { asked, fetch } = judge(respond);
    const found = await decided(await hooksOf(rails, { fetch }), "Edit", { text: secret });
    expect(found).toContain(decision);
    expect(found).not.toContain(secret);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain(secret);
  });

  it("IO-160 are not asked of a call that the policy denies", async () => {
    const { asked, fetch } = judge(said("safe"));
    const policy = "hooks_server: {blocked_tools: [{name: Edit, arguments: [force]}]}";
    const yaml = rails.replace(/^hooks_server.*$/m, policy);
    const handle = await hooksOf(yaml, { fetch });
    expect(await decided(handle, "Edit", { force: true })).toMatch(/blocked argument 'force'$/);
    expect(asked).toEqual([]);
    expect(await decided(handle, "Edit", { text: "a" })).toBe("allow");
    expect(asked).toHaveLength(1);
  });

  it("fail where an argument is judged that the policy does not let the tool have", async () => {
    const policy =
      "hooks_server: {allowed_tools: [{name: Bash, arguments: [script]}], allow_unlisted_tools: true}";
    const handle = await hooksOf(rails.replace(/^hooks_server.*$/m, policy));
    expect(await decided(handle, "Bash", { script: "ls" })).toBe(
      no(
        "regex check tool call $argument=command failed: the tool's schema does not have $argument",
      ),
    );
  });
});

describe("a hook's call", () => {
  it("IO-160 is decided on by the guards of the host, last and with what the agent says of itself", async () => {
    const seen: unknown[] = [];
    const provider = guard(({ toolName, args, context, agentName, callId }) => {
      seen.push({ toolName, args, sessionId: context.sessionId, agentName, callId });
      return { decision: "deny", reason: "not today" };
    });
    const handle = await hooksOf(blocks, { providers: [provider] });
    expect(await decided(handle, "Bash", {})).toBe(no("tool call 'Bash' is a blocked tool"));
    expect(seen).toEqual([]);
    const body = preToolUse("Read", { path: "a" }, { agent_type: "Explore" });
    expect(await decisionOn(handle, hookRequest(body))).toBe("deny: not today");
    expect(seen).toEqual([
      {
        toolName: "Read",
        args: { path: "a" },
        sessionId: "abc123",
        agentName: "Explore",
        callId: "toolu_01ABC123",
      },
    ]);
  });

  it("IO-160 is never answered with a question: where a guard of other code asks a human, it is denied", async () => {
    const asking = { decision: "deny", reason: "it deletes", approval: { summary: "s" } } as const;
    const handle = await hooksOf(blocks, { providers: [guard(() => asking)] });
    for (const permission_mode of ["default", "bypassPermissions"]) {
      const body = preToolUse("Read", {}, { permission_mode });
      expect(await decisionOn(handle, hookRequest(body))).toBe("deny: it deletes");
    }
  });

  it("IO-160 is denied with the prefix of NeMo Guardrails only by what NeMo has too: its policy and its flows", async () => {
    const flows = `
${blocks}
rails:
  tool_call: {per_tool: {Grep: [regex check tool call]}}
  config: {regex_detection: {tool_call: {Grep: {patterns: [secret]}}}}
`;
    const own = guard(() => ({ decision: "deny", reason: "not today" }));
    const handle = await hooksOf(flows, { providers: [own] });
    expect(await decided(handle, "Bash")).toMatch(/^deny: NeMo Guardrails: tool call/);
    expect(await decided(handle, "Grep", { pattern: "secret" })).toMatch(
      /^deny: NeMo Guardrails: /,
    );
    expect(await decided(handle, "Grep", { pattern: "tea" })).toBe("deny: not today");
  });

  it.each<[string, GuardrailProvider["evaluate"]]>([
    [
      "throws",
      () => {
        throw new Error(secret);
      },
    ],
    ["gives no decision", () => ({ decision: "ALLOW" }) as never],
    ["rejects", () => Promise.reject(new Error(secret))],
  ])("IO-160 is denied where a guard %s", async (_, evaluate) => {
    const handle = await hooksOf(blocks, { providers: [guard(evaluate)], onFault: () => {} });
    const found = await decided(handle, "Read", { path: secret });
    expect(found).toMatch(/^deny: (?!NeMo)./);
    expect(found).not.toContain(secret);
  });

  it("IO-160 is denied where a guard would change it: the agent runs what it asked about", async () => {
    const ended: string[] = [];
    const provider = guard(
      ({ args }) => ({ decision: "modify", modifiedArgs: { ...args, path: "/tmp" } }),
      {
        admit: () => ({ decision: "allow" }),
        settle: (_: unknown, { status }: { readonly status: string }) => void ended.push(status),
      },
    );
    const handle = await hooksOf(blocks, { providers: [provider] });
    expect(await decided(handle, "Read", { path: secret })).toBe(
      "deny: 'mine' changed the arguments of tool call 'Read', and a hook cannot hand them on",
    );
    // It was not handed out, and gives back what it took.
    expect(ended).toEqual(["aborted"]);
  });

  it("is taken from a limit when it is allowed, and only then", async () => {
    const taken: string[] = [];
    const provider = guard(() => ({ decision: "allow" }), {
      admit: ({ toolName }: { readonly toolName: string }) => {
        taken.push(toolName);
        return taken.length > 2 ? { decision: "deny", reason: "two a day" } : { decision: "allow" };
      },
    });
    const handle = await hooksOf(blocks, { providers: [provider] });
    expect(await decided(handle, "Read")).toBe("allow");
    expect(await decided(handle, "Bash")).toMatch(/^deny/);
    expect(await decided(handle, "Read")).toBe("allow");
    expect(await decided(handle, "Read")).toBe("deny: two a day");
    expect(taken).toEqual(["Read", "Read", "Read"]);
  });

  it("is recorded: allowed, denied, and with arguments that are no object", async () => {
    const observer = recordingObserver();
    const handle = await hooksOf(blocks, { observers: [observer] });
    await decided(handle, "Read", { path: "a" });
    await decided(handle, "Bash", {});
    await decided(handle, "Read", "text");
    expect(observer.records.map(({ toolName, outcome }) => [toolName, outcome?.status])).toEqual([
      ["Read", "released"],
      ["Bash", "denied"],
      ["Read", "invalid"],
    ]);
  });

  it("IO-160 is denied where it cannot be recorded by an observer that is required", async () => {
    const broken = {
      name: "log",
      required: true,
      intent: () => {
        throw new Error(secret);
      },
      settle: () => {
        throw new Error(secret);
      },
    };
    const handle = await hooksOf(blocks, { observers: [broken], onFault: () => {} });
    const found = await decided(handle, "Read", {});
    expect(found).toMatch(/^deny: (?!NeMo)./);
    expect(found).not.toContain(secret);
  });

  it("may have an id that was there before", async () => {
    const handle = await hooksOf(blocks);
    const both = [decided(handle, "Read"), decided(handle, "Read")];
    expect(await Promise.all(both)).toEqual(["allow", "allow"]);
  });
});

describe("a hook that is not decided on", () => {
  /** A guard that lets a call wait until it is told. */
  function waiting() {
    let begun = (): void => {};
    let go = (): void => {};
    const asked = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const told = new Promise<void>((resolve) => {
      go = resolve;
    });
    const provider = guard(
      async () => {
        begun();
        await told;
        return { decision: "allow" };
      },
      { timeoutMs: Number.POSITIVE_INFINITY },
    );
    return { provider, asked, go: () => go() };
  }

  it("IO-162 is an error where too many are under way, and says when to come again", async () => {
    const { provider, asked, go } = waiting();
    const handle = await hooksOf(blocks, { providers: [provider], maxRequests: 1, maxQueued: 1 });
    const first = decided(handle, "Read");
    await asked;
    const second = decided(handle, "Read");
    const third = await handle(hookRequest(preToolUse("Read", {})));
    expect([third.status, third.headers.get("retry-after")]).toEqual([503, "30"]);
    go();
    expect([await first, await second]).toEqual(["allow", "allow"]);
  });

  it("IO-162 is an error where the caller leaves, and the call is not handed out", async () => {
    const { provider, asked, go } = waiting();
    const observer = recordingObserver();
    const handle = await hooksOf(blocks, { providers: [provider], observers: [observer] });
    const caller = new AbortController();
    const { signal } = caller;
    const answer = decisionOn(handle, hookRequest(preToolUse("Read", {}), "codex", { signal }));
    await asked;
    caller.abort(new Error(secret));
    go();
    expect(await answer).toBe("503 abandoned");
    expect(observer.records.map(({ outcome }) => outcome?.status)).not.toContain("released");
  });

  it("IO-162 is an error once the hooks are closed", async () => {
    const handle = await hooksOf(blocks);
    await handle.close();
    expect(await decided(handle, "Read")).toBe("503 closed");
    await expect(handle.start()).rejects.toMatchObject({ code: "ERR_CLOSED" });
  });

  it("IO-162 is an error where a guard that is mounted by name cannot be loaded", async () => {
    const path = mkdtempSync(join(tmpdir(), "toolstile-hooks-"));
    onTestFinished(() => rmSync(path, { recursive: true }));
    const file =
      "export const plugin = { name: 'p', optionsSchema: {}, create() { throw new Error('hunter2'); } };";
    writeFileSync(join(path, "guard.mjs"), file);
    const mounted = "rails: {tool_call: {providers: [./guard.mjs]}}";
    writeFileSync(join(path, "config.yml"), `${blocks}\n${mounted}\n`);
    const faults: Fault[] = [];
    const onFault = (fault: Fault) => void faults.push(fault);
    await using handle = hooks(await RailsConfig.fromPath(path), { onFault });
    await expect(handle.start()).rejects.toThrow();
    const answer = await answerTo(handle, hookRequest(preToolUse("Read", {})));
    expect(answer).toEqual({
      status: 500,
      body: { error: { code: "not_decided", message: "The call could not be decided on." } },
    });
    expect(faults.map(({ source, phase }) => [source, phase])).toEqual([["iorails", "hook"]]);
  });

  it("IO-162 is an error for what is no request at all", async () => {
    const handle = await hooksOf(blocks, { onFault: () => {} });
    for (const request of [undefined, {}, { url: "x", method: "POST" }]) {
      expect((await handle(request as never)).status).toBe(500);
    }
  });
});
