import { allow, allowAll, rewrite } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { type GuardModelOptions, guardModel } from "../src/index.js";
import { type Part, sdks, toolCall } from "./support/sdk.js";

const more = { providerExecuted: true, dynamic: true };
const searched = toolCall("p1", "web_search", { q: "tea" }, more);
const found = (result: unknown, said: object = {}): Part => ({
  type: "tool-result",
  toolCallId: "p1",
  toolName: "web_search",
  result,
  ...more,
  ...said,
});

describe.each(sdks)("what a provider's tool found, in ai $version", ({ model }) => {
  const answer = async (content: readonly Part[], options: GuardModelOptions) => {
    const guarded = guardModel(model(content), options);
    const { content: parts } = (await guarded.doGenerate({ prompt: [] } as never)) as {
      content: readonly Part[];
    };
    return parts.filter(({ type }) => type === "tool-result");
  };

  it("P19 is withheld where it names another tool than its call", async () => {
    const observer = recordingObserver();
    const options = { guardrails: [allowAll()], observers: [observer] };
    const [part] = await answer([searched, found("secret", { toolName: "fetch" })], options);
    expect(part).toMatchObject({
      result: "Tool result withheld: it names another tool than its call",
      isError: true,
    });
    expect(observer.records.map(({ outcome }) => outcome?.status)).toEqual(["failed"]);
  });

  it("is null where it was, also as an error, and where a judge makes it so", async () => {
    const options = { guardrails: [allowAll()] };
    const [plain] = await answer([searched, found(null)], options);
    expect(plain?.["result"]).toBeNull();
    const [error] = await answer([searched, found(null, { isError: true })], options);
    expect(error?.["result"]).toBeNull();
    const judge = {
      name: "judge",
      evaluateResult: (_: unknown, { structured }: { structured?: unknown }) =>
        structured === null ? allow() : rewrite({ content: "nothing", structured: null }),
    };
    const judged = { guardrails: [allowAll(), judge] };
    const [nothing] = await answer([searched, found({ n: 1 }, { isError: true })], judged);
    expect(nothing?.["result"]).toBeNull();
  });
});
