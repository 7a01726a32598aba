import { guardedFrameworks } from "../guarded-frameworks.mjs";
import { mail } from "../mail.mjs";
import { askedFor, callsPerTurn, counted, mustDecide, mustSend, warmUp } from "../turn.mjs";

const row = (adapter, hooks) => {
  let scene;
  const turn = (which) => () =>
    scene[which](askedFor(`${scene.prefix ?? ""}send_mail`, mail, callsPerTurn));
  return {
    name: `five guards through @toolstile/${adapter}, added to a call in a turn of ${callsPerTurn}, against ${hooks} in the same run`,
    goal: 1,
    callsPerTurn,
    bare: turn("bare"),
    reference: { unit: "of what these add", run: turn("hooks") },
    async setup() {
      const tool = counted();
      scene = await guardedFrameworks[adapter](tool);
      await mustSend(scene.bare, scene);
      await mustSend(scene.hooks, scene);
      await mustDecide(scene.guarded, tool.ran, scene);
      await warmUp(["bare", "hooks", "guarded"].map(turn));
      return turn("guarded");
    },
    close: () => scene.close?.(),
  };
};

export const rows = [
  row("langchain", "five bare wrapToolCall"),
  row("openai-agents", "five bare tool input guardrails"),
  row("ai-sdk", "one toolApproval that awaits five functions"),
  row("mastra", "one beforeToolCall that awaits five functions"),
  row("claude-agent", "five bare PreToolUse hooks"),
];
