import { allow } from "@toolstile/core";
import { rules } from "@toolstile/rules";

const args = Object.freeze({
  amount: 100,
  path: "/srv/docs/notes/today.md",
  to: "ann@example.com",
  url: "https://api.example.com/v1/items",
  note: "pay the invoice of last week",
});
const call = (toolName, given = args) =>
  Object.freeze({ toolName, requestedName: toolName, context: Object.freeze({}), args: given });

/** Asks about one call again and again. The rules must allow it, and deny the other. */
function asking(given, denied, tool = "pay") {
  const guard = rules({ rules: given, unknownTools: "ignore" });
  if (guard.evaluate(call(tool)) !== allow()) throw new Error("The call was not allowed.");
  if (denied !== undefined && guard.evaluate(call(tool, denied)).decision !== "deny") {
    throw new Error("The call was not denied.");
  }
  const asked = call(tool);
  return () => guard.evaluate(asked);
}

const elsewhere = [{ id: "elsewhere", tools: ["other"], deny: "no" }];
const about = (condition) => [{ id: "r", tools: ["pay"], deny: "no", ...condition }];

const costs = (name, goal, condition, denied) => ({
  name: `a rule, ${name}, beyond a guard that has no rule about the tool`,
  goal,
  difference: true,
  reference: { unit: "ns more", run: asking(elsewhere) },
  setup: async () => asking(about(condition), denied),
});

/** Rules about a hundred tools, ten each, and a call of one of them. */
function hundredTools() {
  const many = Array.from({ length: 1_000 }, (_, index) => ({
    id: `rule-${index}`,
    tools: [`tool_${index % 100}`],
    when: { at: "/amount", above: 200 + index },
    deny: "no",
  }));
  return asking(many, { amount: 2_000 }, "tool_50");
}
const ten = Array.from({ length: 10 }, (_, index) => ({
  id: `rule-${index}`,
  tools: ["pay"],
  when: { at: "/amount", above: 200 + index },
  deny: "no",
}));

export const rows = [
  costs("a number", 150, { when: { at: "/amount", above: 200 } }, { amount: 201 }),
  costs(
    "a path under a folder",
    150,
    { require: { at: "/path", pathUnder: ["/srv/docs"] } },
    { path: "/etc" },
  ),
  costs(
    "the host of a URL",
    150,
    { require: { at: "/url", hostIn: ["*.example.com"] } },
    { url: "https://evil.example" },
  ),
  costs(
    "the domain of an address",
    150,
    { require: { at: "/to", emailDomain: ["example.com"] } },
    { to: "x@evil.example" },
  ),
  costs(
    "an expression in CEL",
    5_000,
    { when: { cel: 'args.amount > 200 && args.note.contains("urgent")' } },
    { amount: 201, note: "urgent" },
  ),
  costs(
    "an expression in CEL with a macro and a pattern",
    5_000,
    { when: { cel: '["a", "b"].exists(c, c == args.note) || args.note.matches("(?i)urgent")' } },
    { note: "URGENT" },
  ),
  {
    name: "1,000 rules over 100 tools, against the 10 rules of the tool alone",
    goal: 50,
    difference: true,
    reference: { unit: "ns more", run: asking(ten) },
    setup: async () => hundredTools(),
  },
];
