import { setImmediate } from "node:timers/promises";
import { allow, allowAll, deny, forTools, modify } from "@toolstile/core";
import { expect } from "vitest";
import type { ParityCase } from "../parity-case.js";
import { asks, denying } from "../scene.js";

const mail = asks("c1", "send_mail", { to: "thief@example.net", body: "hello" });
const deletion = asks("c2", "delete_record", { id: "7" });
const rewritten = { to: "ann@example.com", body: "hello" };

/** Mail goes to one address only. */
const redirect = {
  name: "redirect",
  evaluate: ({ toolName, args }: { toolName: string; args: object }) =>
    toolName === "send_mail" ? modify({ ...args, to: "ann@example.com" }) : allow(),
};

const secret = "password hunter2";

/** A `describe` that does not say who asks: nothing runs, it is on record, and its words are not told. */
function unreadable(claim: string, describe: () => never): ParityCase {
  return {
    claim: `denies a call, on record, whose \`describe\` ${claim}, and tells nothing of it`,
    holds: async (scene, seam) => {
      const report = await scene.play(seam, { calls: [mail], describe });
      expect(scene.ran).toEqual([]);
      expect(String(report.rejected)).toBe("undefined");
      // Where the host names the call's id as well, it is not known.
      expect(Object.values(scene.endings)).toEqual(["invalid"]);
      expect(report.read.get("c1")).toContain("Tool call denied: ");
      expect(report.read.get("c1")).not.toContain(secret);
    },
  };
}

export const decisions = {
  parallel: {
    claim: "runs one of two parallel calls as rewritten, and not the one that is denied",
    neverRuns: ["delete_record"],
    holds: async (scene, seam) => {
      const guardrails = [denying("delete_record", "records stay"), redirect];
      const report = await scene.play(seam, { calls: [mail, deletion], guardrails });
      expect(scene.ran).toEqual([{ name: "send_mail", args: rewritten }]);
      expect(scene.endings).toEqual({ c1: "executed", c2: "denied policy" });
      expect(String(report.rejected)).toBe("undefined");
      expect(report.read.get("c1")).toBe("send_mail: done");
      expect(report.read.get("c2")).toBe("Tool call denied: records stay");
    },
  },
  finalArguments: {
    claim: "asks each guard about the arguments that are used in the end",
    holds: async (scene, seam) => {
      const guardrails = [scene.allowing("first"), redirect, scene.allowing("last")];
      await scene.play(seam, { calls: [mail], guardrails });
      for (const guard of ["first", "last"]) {
        const questions = scene.asked.filter((question) => question.guard === guard);
        expect(questions.at(-1)?.args).toEqual(rewritten);
      }
      expect(scene.ran).toEqual([{ name: "send_mail", args: rewritten }]);
      expect(scene.record("c1").outcome?.usedArgs).toEqual(rewritten);
      expect(scene.record("c1").outcome?.askedArgs).toEqual(JSON.parse(mail.arguments));
    },
  },
  ids: {
    claim: "gives each of two calls of one tool its own answer, under its own id",
    holds: async (scene, seam) => {
      scene.answer("search", ({ query }) => `found ${query}`);
      const calls = [
        asks("c1", "search", { query: "tea" }),
        asks("c2", "search", { query: "cups" }),
      ];
      const report = await scene.play(seam, { calls });
      expect([...report.read].sort()).toEqual([
        ["c1", "found tea"],
        ["c2", "found cups"],
      ]);
      expect(scene.endings).toEqual({ c1: "executed", c2: "executed" });
    },
  },
  repeatedId: {
    claim: "denies the second of two calls that have one id while the first runs",
    holds: async (scene, seam) => {
      scene.answer("search", () => setImmediate("found"));
      const calls = [
        asks("c1", "search", { query: "tea" }),
        asks("c1", "search", { query: "cups" }),
      ];
      await scene.play(seam, { calls });
      expect(scene.ran).toEqual([{ name: "search", args: { query: "tea" } }]);
      expect(scene.records.map(({ outcome }) => outcome?.status).sort()).toEqual([
        "denied",
        "executed",
      ]);
    },
  },
  noGuard: {
    claim: "denies a call that no guard judged",
    neverRuns: ["delete_record"],
    holds: async (scene, seam) => {
      const guardrails = [forTools(["search"], allowAll())];
      const calls = [asks("c2", "delete_record", {})];
      const report = await scene.playUnchecked(seam, { calls, guardrails });
      expect(scene.endings).toEqual({ c2: "denied no_provider" });
      expect(report.read.get("c2")).toContain("Tool call denied: ");
      expect(scene.ran).toEqual([]);
    },
  },
  factsThrow: unreadable("throws", () => {
    throw new Error(secret);
  }),
  factsLate: unreadable("answers later", (async () => ({ agentName: secret })) as never),
  facts: {
    claim: "tells guards what the host knows of the call",
    holds: async (scene, seam) => {
      const facts = { agentName: "support", context: { sessionId: "s1", principal: "ann" } };
      const own = scene.guard("own", ({ agentName, context }) =>
        agentName === "support" && context.sessionId === "s1" && context.principal === "ann"
          ? allow()
          : deny("nobody known asks"),
      );
      await scene.play(seam, { calls: [mail], guardrails: [own], describe: () => facts });
      expect(scene.endings).toEqual({ c1: "executed" });
    },
  },
  replacement: {
    claim: "gives the model the text that a denial brings in place of an answer",
    neverRuns: ["delete_record"],
    holds: async (scene, seam) => {
      const guardrails = [
        scene.guard("polite", () => deny("records stay", { replacement: "Ask a human." })),
      ];
      const report = await scene.play(seam, { calls: [deletion], guardrails });
      expect(report.read.get("c2")).toBe("Ask a human.");
      expect(scene.ran).toEqual([]);
    },
  },
} satisfies Record<string, ParityCase>;
