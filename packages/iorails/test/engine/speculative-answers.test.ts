import { getEventListeners } from "node:events";
import { completionBody } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { engine, question } from "./engine.js";

describe("an answer that was asked for while input rails judged", () => {
  it("P17 leaves nothing behind on the caller's signal", async () => {
    const { rails } = await engine("rails: {input: {speculative_generation: true}}", () => ({
      body: completionBody({ content: "ok" }),
    }));
    const abort = new AbortController();
    for (let request = 0; request < 3; request++) {
      await rails.generate({ messages: [question], signal: abort.signal });
    }
    expect(getEventListeners(abort.signal, "abort")).toEqual([]);
  });
});
