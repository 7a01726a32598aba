import { expect, it } from "vitest";
import type { ChatMessage } from "../../src/chat/message.js";
import type { ModelRail, RailPorts } from "../../src/model-rails/rail.js";
import { runRails } from "../../src/model-rails/run-rails.js";
import { lastUserText } from "../../src/model-rails/user-text.js";
import { user } from "./data.js";
import { railsOf } from "./plain.js";

const long = "The weather on Sunday was mild. ".repeat(20);

/** A service that reads the first 300 characters, and finds there what is bad. */
function shortSighted(of: (body: unknown) => string, answer: (isBad: boolean) => unknown) {
  const asked: string[] = [];
  const classify: RailPorts["classify"] = async (_, body) => {
    asked.push(of(body));
    return answer(of(body).slice(0, 300).includes("bad"));
  };
  return { asked, ports: { classify, ask: async () => expect.fail("asks no model") } };
}

const jailbreak = () => ({
  rails: railsOf("input", "jailbreak detection model", {
    jailbreak_detection: { server_endpoint: "http://h" },
  }),
  ...shortSighted(
    (body) => (body as { prompt: string }).prompt,
    (isBad) => ({ jailbreak: isBad }),
  ),
});
const services = {
  "jailbreak detection model": jailbreak,
  "hf classifier": () => ({
    rails: railsOf("input", "hf classifier check input $classifier=c", {
      hf_classifier: {
        c: { engine: "kserve", model: "m", base_url: "http://h", blocked_labels: ["1"] },
      },
    }),
    ...shortSighted(
      (body) => (body as { instances: [string] }).instances[0],
      (isBad) => ({ predictions: [isBad ? 1 : 0] }),
    ),
  }),
  "http classifier": () => ({
    rails: railsOf("input", "http classifier check input $classifier=c", {
      http_classifier: {
        c: {
          url: "http://h",
          request: { text: "{text}" },
          verdict: { pointer: "/bad", block: [true], allow: [false] },
        },
      },
    }),
    ...shortSighted(
      (body) => (body as { text: string }).text,
      (bad) => ({ bad }),
    ),
  }),
};
const options = { parallel: false, direction: "input" } as const;

it.each(Object.entries(services))("%s judges the last message behind a long one", async (_, of) => {
  const conversations: readonly (readonly [ChatMessage[], string[]])[] = [
    [[user(long), user("so bad")], ["so bad"]],
    [[{ ...user("so bad"), name: long }], ["so bad"]],
  ];
  for (const [messages, alone] of conversations) {
    const { rails, asked, ports } = of();
    const { verdict } = await runRails(rails, { messages }, ports, options);
    expect(verdict).toMatchObject({ status: "blocked", basis: "policy" });
    expect(asked).toEqual([`${long}\nso bad`, ...alone]);
  }
  const { rails, asked, ports } = of();
  const good = [user(long), user("so good")];
  const found = await runRails(rails, { messages: good }, ports, options);
  expect([found.verdict.status, asked.length]).toEqual(["passed", 2]);
});

it.each(Object.entries(services))(
  "%s judges each message and part since the model's last answer, also with others behind it",
  async (_, of) => {
    const part = (text: string) => ({ type: "text", text });
    const conversations: readonly ChatMessage[][] = [
      [user(long), user("so bad"), user("Please.")],
      [user(long), user("so bad"), user(long)],
      [user([part(long), part("so bad")])],
      [user([part(long), part("so bad"), part("Please.")]), user("Please.")],
    ];
    for (const messages of conversations) {
      const { rails, asked, ports } = of();
      const { verdict } = await runRails(rails, { messages }, ports, options);
      expect([verdict.status, asked.at(-1)]).toEqual(["blocked", "so bad"]);
    }
    const { rails, asked, ports } = of();
    const answered = [user(`${long} bad`), { role: "assistant", content: "No." }, user("good")];
    await runRails(rails, { messages: answered as ChatMessage[] }, ports, options);
    expect(asked).toEqual(["good"]);
  },
);

it("P18 asks about 32 texts, and blocks where there are more", async () => {
  const of = (count: number) => Array.from({ length: count }, (_, index) => user(`good ${index}`));
  const { rails, asked, ports } = jailbreak();
  const most = await runRails(rails, { messages: of(31) }, ports, options);
  expect([most.verdict.status, asked.length, new Set(asked).size]).toEqual(["passed", 32, 32]);
  const { verdict } = await runRails(rails, { messages: of(32) }, ports, options);
  expect(verdict).toMatchObject({ status: "blocked", basis: "error" });
  expect(asked).toHaveLength(32);
});

it("asks once about what is said twice", async () => {
  const { rails, asked, ports } = jailbreak();
  const messages = Array.from({ length: 100 }, () => user("good"));
  expect((await runRails(rails, { messages }, ports, options)).verdict.status).toBe("passed");
  expect(asked).toHaveLength(2);
});

it("asks once where little stands before the last message", async () => {
  for (const messages of [
    [user("hello"), user("so good")],
    [{ ...user("so good"), name: "ann" }],
    [user(long)],
    [user(long), user([{ type: "image_url", image_url: { url: "data:," } }])],
  ]) {
    const { rails, asked, ports } = jailbreak();
    const { verdict } = await runRails(rails, { messages }, ports, options);
    expect([verdict.status, asked.length]).toEqual(["passed", 1]);
  }
});

it("sends nothing that a rail has masked, and still judges the last message alone", async () => {
  const { rails, asked, ports } = jailbreak();
  const masks: ModelRail = {
    flow: "mask",
    name: "mask",
    rewrites: true,
    judge: async ({ messages }) => {
      const text = lastUserText(messages)?.text.replaceAll("Ann", "[PERSON]") ?? "";
      return { status: "modified", text, reason: "r" };
    },
  };
  const messages = [user(`${long} Ann`), user("so\nbad, Ann")];
  const { verdict } = await runRails([masks, ...rails], { messages }, ports, options);
  expect(verdict.status).toBe("blocked");
  expect(asked.at(-1)).toBe("so\nbad, [PERSON]");
  expect(asked.join()).not.toContain("Ann");
  const image = { type: "image_url", image_url: { url: "data:," } };
  const part = (text: string) => ({ type: "text", text });
  for (const behind of [[user("Please,\nAnn")], [user([image])], [user([part("a"), part("b")])]]) {
    const more = [user(`${long} Ann`), { ...user([part("so\nbad, Ann"), part("x")]), name: "me" }];
    const { rails, asked, ports } = jailbreak();
    const all = { messages: [...more, ...behind] };
    expect((await runRails([masks, ...rails], all, ports, options)).verdict.status).toBe("blocked");
    expect(asked.at(-1)).toBe("me\nso\nbad, [PERSON]\nx");
    expect(asked.join()).not.toContain("Ann");
  }
});
