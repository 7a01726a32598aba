import { allowAll, ToolRunner, tool } from "@toolstile/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RedactOptions, redact } from "../src/index.js";
import { item } from "./items.js";

const kinds = [
  "personal.email",
  "personal.card",
  "personal.phone",
  "secret.aws_access_key_id",
  "secret.github_token",
  "secret.openai",
  "secret.jwt",
  "secret.basic_auth_url",
];
const between = fc.constantFrom(" ", "\n", ", and then ", " (no item) ", "; ");
/** Items with words between them, cut into pieces anywhere. */
const told = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...kinds), fc.integer({ min: 1, max: 20 }), between), {
      minLength: 1,
      maxLength: 5,
    }),
    fc.array(fc.nat(1_000), { minLength: 1, maxLength: 8 }),
  )
  .map(([rows, cuts]) => {
    const items = rows.map(([kind, seed]) => item(kind, seed));
    const text = rows.map(([, , after], index) => `${items[index]}${after}`).join("");
    const places = [...cuts.map((cut) => cut % text.length), text.length].sort((a, b) => a - b);
    return {
      items,
      text,
      pieces: places.map((to, index) => text.slice(places[index - 1] ?? 0, to)),
    };
  });

async function streamed(pieces: readonly string[], options: RedactOptions) {
  const execute = async function* () {
    yield* pieces;
    return "done";
  };
  const guardrails = [allowAll(), redact(options)];
  const runner = new ToolRunner({ tools: [tool({ name: "read", execute })], guardrails });
  const read: unknown[] = [];
  const stream = runner.stream({ name: "read" });
  let step = await stream.next();
  for (; !step.done; step = await stream.next()) read.push(step.value);
  return { read, outcome: step.value };
}

describe("an item in the stream of a tool", () => {
  it("P6 is in no piece and not in all of them, wherever it is divided", async () => {
    await fc.assert(
      fc.asyncProperty(told, async ({ items, pieces }) => {
        const { read, outcome } = await streamed(pieces, {});
        expect(outcome.status).toBe("executed");
        const text = read.join("");
        for (const each of items) expect(text).not.toContain(each);
        expect(text.match(/\[redacted /g)).toHaveLength(items.length);
      }),
      { numRuns: 200 },
    );
  });

  it("P6 withholds the result where it must, wherever it is divided", async () => {
    await fc.assert(
      fc.asyncProperty(told, async ({ pieces }) => {
        const { read, outcome } = await streamed(pieces, { results: "deny" });
        expect([read, outcome.status]).toEqual([[], "withheld"]);
      }),
      { numRuns: 100 },
    );
  });

  it("leaves its mark where it begins, and the pieces around it as they were", async () => {
    const email = item("personal.email", 1);
    const pieces = [
      "first ",
      `mail ${email.slice(0, 4)}`,
      email.slice(4, 6),
      `${email.slice(6)} on`,
      "end",
    ];
    const { read } = await streamed(pieces, {});
    expect(read).toEqual(["first ", "mail [redacted personal.email]", "", " on", "end"]);
  });

  it("is found in lines without a line break between them", async () => {
    const [email, key] = [item("personal.email", 1), item("secret.aws_access_key_id", 1)];
    const { read } = await streamed([`mail ${email}`, key, "done"], {});
    expect(read).toEqual([
      "mail [redacted personal.email]",
      "[redacted secret.aws_access_key_id]",
      "done",
    ]);
  });
});
