import { quoted, ToolstileError } from "@toolstile/core";
import type { Flow, RailsConfigData } from "../config/model.js";
import { own } from "../own-property.js";
import { CannotJudge } from "./cannot-judge.js";
import { inputText } from "./guard-answer.js";
import type { ModelRail } from "./rail.js";
import { lastUserText } from "./user-text.js";
import { blocked, passed } from "./verdicts.js";

/** `jailbreak detection model`: a classifier service judges what the user said last. Any answer but `{"jailbreak": false}` blocks. */
export function jailbreakDetection(flow: Flow, data: RailsConfigData): ModelRail {
  if (data.jailbreakDetection.nimBaseUrl === undefined) {
    throw new ToolstileError(
      "ERR_CONFIG",
      `The flow ${quoted(flow.text)} needs rails.config.jailbreak_detection.nim_base_url.`,
    );
  }
  return {
    flow: flow.text,
    name: flow.name,
    judge: async ({ messages, signal }, ports) => {
      const { text } = inputText(lastUserText(messages), false);
      const answer = await ports.classify({ input: text }, signal);
      const verdict = own(answer, "jailbreak");
      if (verdict === false) return passed;
      if (verdict !== true) throw new CannotJudge("the service gave no verdict");
      const score = own(answer, "score");
      return blocked(Number.isFinite(score) ? `Score: ${score}` : "Jailbreak detected");
    },
  };
}
