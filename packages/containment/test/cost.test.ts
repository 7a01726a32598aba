import { call } from "@toolstile/testing";
import { quietCpuMs } from "@toolstile/testing/cpu";
import { expect, it } from "vitest";
import { containment } from "../src/index.js";
import { world } from "./world.js";

it("judges 60,000 members in 100 ms", async () => {
  const guard = containment();
  const members = Array.from({ length: 60_000 }, (_, index) => [`k${index}`, `v${index}`]);
  const asked = call(Object.fromEntries(members), "mystery");
  const ms = await quietCpuMs(() => guard.evaluate(asked), { enoughMs: 100 });
  expect(ms).toBeLessThanOrEqual(100);
});

it.each([
  ["URLs", "https://evil.example/a "],
  ["hosts", "a.bc "],
  ["addresses", "a@b "],
  ["words", "word "],
  ["dots", "."],
  ["IBANs", "AB12ABCDEFGHIJK "],
  ["URLs in URLs", "https://a.bc/?u=https://"],
  ["backslashes", "\\"],
  ["schemes", "https:"],
  ["dots of another alphabet", "\u3002"],
  ["addresses in a list", "a@b.co;x "],
  ["Cyrillic hosts", "\u0430.\u0431\u0432 "],
  ["letters in circles", "\u24d2"],
  ["hosts in bold", "\u{1d41c}.\u{1d428}\u{1d426} "],
  ["lines that are URLs", "https://a.bc\n"],
  ["ends of lines", "https://a\n\n.b"],
  ["commands", "curl 1.2.3.4 "],
  ["machines", "1.2.3.4/a "],
  ["brackets", "[::"],
  ["quoted names", '"x"@a.pl '],
  ["comments", "a(b)@"],
  ["beginnings of IBANs", "AB12"],
])("judges 1 MB of %s in 50 ms", async (_, unit) => {
  const body = unit.repeat(1_000_000 / unit.length);
  const guard = containment({ tools: world, unknownTools: "ignore" });
  const asked = call({ to: ["ann@example.com"], cc: [body], body }, "send_mail");
  const ms = await quietCpuMs(() => guard.evaluate(asked), { enoughMs: 50 });
  expect(ms).toBeLessThanOrEqual(50);
});
