import { expect } from "vitest";
import type { ParityCase } from "../parity-case.js";
import { asks } from "../scene.js";

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
    claim: "takes no arguments that are not JSON, and records it",
    neverRuns: ["send_mail"],
    holds: async (scene, seam) => {
      const report = await scene.play(seam, { calls: [asks("c1", "send_mail", '{"to":"ann')] });
      expect(scene.ran).toEqual([]);
      expect(scene.endings).toEqual({ c1: "invalid" });
      expect(report.rejected).toBeUndefined();
      expect(report.read.get("c1")).not.toBe(undefined);
    },
  },
  repeatedKey: {
    claim: "takes no arguments in which a key comes twice",
    neverRuns: ["send_mail"],
    holds: async (scene, seam) => {
      const twice = '{"to":"ann@example.com","to":"thief@example.net"}';
      await scene.play(seam, { calls: [asks("c1", "send_mail", twice)] });
      expect(scene.ran).toEqual([]);
      expect(scene.endings).toEqual({ c1: "invalid" });
    },
  },
  unknownTool: {
    claim: "tells the model that a tool is not there, and records it",
    holds: async (scene, seam) => {
      const report = await scene.play(seam, { calls: [asks("c1", "send_fax", {})] });
      expect(scene.ran).toEqual([]);
      expect(scene.endings).toEqual({ c1: "not_found" });
      expect(report.rejected).toBeUndefined();
      expect(report.read.get("c1")).toContain("send_fax");
    },
  },
  inheritedName: {
    claim: "takes the name of an inherited member for no tool",
    holds: async (scene, seam) => {
      const report = await scene.play(seam, { calls: [asks("c1", "constructor", {})] });
      expect(scene.ran).toEqual([]);
      expect(report.rejected).toBeUndefined();
      expect(scene.endings).toEqual({ c1: "not_found" });
    },
  },
} satisfies Record<string, ParityCase>;
