import { readFileSync } from "node:fs";
import { fiveGuards } from "../five-guards.mjs";
import { guardedFrameworks } from "../guarded-frameworks.mjs";
import { mail, mailSchema } from "../mail.mjs";
import {
  askedFor,
  callsPerTurn,
  counted,
  mustDecide,
  mustLimit,
  mustSend,
  warmUp,
} from "../turn.mjs";

const { dependencies: versions } = JSON.parse(
  readFileSync(new URL("package.json", import.meta.url), "utf8"),
);
const far = 1_000_000_000;

/** The time that a neighbour adds to a call, against what Toolstile adds to it in the same place. */
const row = (name, of, scenesOf) => {
  let scene;
  const turn = (which) => () => scene[which](askedFor("send_mail", mail, callsPerTurn));
  return {
    name,
    version: of === undefined ? undefined : `${of} ${versions[of]}`,
    goal: undefined,
    callsPerTurn,
    bare: turn("bare"),
    reference: {
      unit: "× what Toolstile adds",
      run: turn("guarded"),
      bare: turn("guardedBare"),
    },
    async setup() {
      const tool = counted();
      const { peer, ours } = await scenesOf({ ...tool, limit: far });
      scene = { ...peer, guarded: ours.guarded, guardedBare: ours.bare };
      for (const bare of [scene.bare, scene.guardedBare]) await mustSend(bare);
      for (const guarded of [scene.hooks, scene.guarded]) await mustDecide(guarded, tool.ran);
      const limited = await scenesOf({ ...tool, limit: 1 });
      await mustLimit(limited.peer.hooks);
      await warmUp(["bare", "hooks", "guarded", "guardedBare"].map(turn));
      return turn("hooks");
    },
  };
};

/** Beside the adapter for the same framework, in the version that the adapter is built against. */
const inFramework = (name, of, adapter) =>
  row(name, of, async (options) => {
    const { inFrameworks } = await import("./in-frameworks.mjs");
    return {
      peer: await inFrameworks[of](options),
      ours: await guardedFrameworks[adapter](options),
    };
  });

/** Beside a runner of core. */
const alone = (name, of) =>
  row(name, of, async (options) => {
    const { withoutFramework } = await import("./without-framework.mjs");
    const bare = withoutFramework.bare(options);
    const hooks = await withoutFramework[of ?? "by hand"](options);
    return { peer: { bare, hooks }, ours: { bare, guarded: await runnerOf(options) } };
  });

/** The tool in a runner, played call by call as the others are. */
async function runnerOf({ execute }) {
  const { ToolRunner } = await import("@toolstile/core");
  const tools = ["send_mail", "delete_mail"].map((name) => ({
    name,
    parameters: mailSchema,
    execute,
  }));
  const runner = new ToolRunner({ tools, guardrails: fiveGuards() });
  return async (calls) => {
    const read = [];
    for (const { id, name, args } of calls) {
      const { result } = await runner.run({ name, arguments: args, callId: id });
      read.push(result.content);
    }
    return read;
  };
}

export const rows = [
  alone("five checks written by hand, no library"),
  alone("Ajv for the schema, the rest by hand", "ajv"),
  alone(
    "rate-limiter-flexible for the limit, Ajv for the schema, the rest by hand",
    "rate-limiter-flexible",
  ),
  alone(
    "executeWithGovernance for tool and rule, Ajv for the schema, the rest by hand",
    "@microsoft/agent-governance-sdk",
  ),
  inFramework("five wrapToolCall, one a check, with Ajv", "langchain", "langchain"),
  inFramework(
    "four tool input guardrails and one for the output, with Ajv",
    "@openai/agents",
    "openai-agents",
  ),
  inFramework(
    "one toolApproval that makes four checks, with Ajv, the tool the fifth",
    "ai",
    "ai-sdk",
  ),
];
