import { expect } from "vitest";
import type { ParityCase } from "../parity-case.js";
import { asks } from "../scene.js";

/** The name of a member that every object inherits. */
const inherited = "constructor";

const cut = [asks("c1", "send_mail", '{"to":"ann')];
const unknown = [asks("c1", "send_fax", {})];

export const calls = {
  invalidArguments: {
    claim: "denies arguments that do not fit the schema, and records it",
    neverRuns: ["send_mail"],
    holds: async (scene, seam) => {
      const report = await scene.play(seam, { calls: [asks("c1", "send_mail", { to: 7 })] });
      expect(scene.ran).toEqual([]);
      expect(scene.endings).toEqual({ c1: "denied policy" });
      expect(report.read.get("c1")).toContain("do not match its schema");
    },
  },
  notJson: {
    claim: "runs nothing on arguments that are not JSON, and tells the model",
    neverRuns: ["send_mail"],
    holds: async (scene, seam) => {
      const report = await scene.play(seam, { calls: cut });
      expect(scene.ran).toEqual([]);
      expect(String(report.rejected)).toBe("undefined");
      expect(report.read.get("c1")).toMatch(/./);
    },
  },
  notJsonRecorded: {
    claim: "records a call whose arguments are not JSON",
    holds: async (scene, seam) => {
      await scene.play(seam, { calls: cut });
      expect(scene.endings).toEqual({ c1: "invalid" });
    },
  },
  repeatedKey: {
    claim: "takes no arguments in which a key comes twice",
    holds: async (scene, seam) => {
      const twice = '{"to":"ann@example.com","to":"thief@example.net"}';
      await scene.play(seam, { calls: [asks("c1", "send_mail", twice)] });
      expect(scene.ran).toEqual([]);
      expect(scene.endings).toEqual({ c1: "invalid" });
    },
  },
  unknownTool: {
    claim: "tells the model that a tool is not there",
    holds: async (scene, seam) => {
      const report = await scene.play(seam, { calls: unknown });
      expect(scene.ran).toEqual([]);
      expect(String(report.rejected)).toBe("undefined");
      expect(report.read.get("c1")).toContain("send_fax");
    },
  },
  unknownToolRecorded: {
    claim: "records a call of a tool that is not there",
    holds: async (scene, seam) => {
      await scene.play(seam, { calls: unknown });
      expect(scene.endings).toEqual({ c1: "not_found" });
    },
  },
  inheritedName: {
    claim: "takes the name of an inherited member for that of no tool",
    holds: async (scene, seam) => {
      const report = await scene.play(seam, { calls: [asks("c1", inherited, {})] });
      expect(scene.ran).toEqual([]);
      expect(String(report.rejected)).toBe("undefined");
      expect(report.read.get("c1")).toContain(inherited);
    },
  },
} satisfies Record<string, ParityCase>;
