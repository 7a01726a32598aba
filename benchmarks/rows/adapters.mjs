import { guardedFrameworks } from "../guarded-frameworks.mjs";
import { mail } from "../mail.mjs";
import { askedFor, callsPerTurn, counted, mustDecide, mustSend, warmUp } from "../turn.mjs";

const row = (adapter, hooks, { byHand = false } = {}) => {
  const subject = byHand ? "byHand" : "guarded";
  const through = byHand ? `by hand in ${adapter}: the floor` : `through @toolstile/${adapter}`;
  let scene;
  const turn = (which) => () =>
    scene[which](askedFor(`${scene.prefix ?? ""}send_mail`, mail, callsPerTurn));
  return {
    name: `five guards ${through}, added to a call in a turn of ${callsPerTurn}, against ${hooks} in the same run`,
    goal: byHand ? undefined : 1,
    callsPerTurn,
    bare: turn("bare"),
    reference: { unit: "of what these add", run: turn("hooks") },
    async setup() {
      const tool = counted();
      scene = await guardedFrameworks[adapter](tool);
      await mustSend(scene.bare, scene);
      await mustSend(scene.hooks, scene);
      await mustDecide(scene[subject], tool.ran, scene);
      await warmUp(["bare", "hooks", subject].map(turn));
      return turn(subject);
    },
    close: () => scene.close?.(),
  };
};

const hooksOf = {
  langchain: "five bare wrapToolCall",
  "openai-agents": "five bare tool input guardrails",
  "ai-sdk": "one toolApproval that awaits five functions",
  mastra: "one beforeToolCall that awaits five functions",
  "claude-agent": "five bare PreToolUse hooks",
};

export const rows = [
  ...Object.entries(hooksOf).map(([adapter, hooks]) => row(adapter, hooks)),
  ...Object.entries(hooksOf).map(([adapter, hooks]) => row(adapter, hooks, { byHand: true })),
];
