// New rules, first in shadow: what would they have denied, and was it right?
import { deepEqual, equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { loadGuardFile } from "@toolstile/config";
import { ToolRunner, tool } from "@toolstile/core";

const file = (name) => fileURLToPath(new URL(name, import.meta.url));

/** A day's calls, and which of them somebody should have stopped. */
const day = [
  ["read_file", { path: "/srv/docs/plan.md" }],
  ["read_file", { path: "/srv/docs/../../etc/passwd" }, "wrong"],
  ["read_file", { path: "/srv/docs-old/plan.md" }, "wrong"],
  ["send_mail", { to: "bob@example.com", text: "Lunch?" }],
  ["send_mail", { to: "eve@example.com.evil.example", text: "The plan." }, "wrong"],
  ["send_mail", { to: "Pay <pay@accounts.example.net>", text: "The invoice." }],
  ["send_mail", { to: "pay@accounts.example.net", text: "The second invoice." }],
  ["delete_file", { path: "/srv/docs/plan.md" }, "wrong"],
];
const isWrong = day.map(([, , word]) => word === "wrong");

/** Lets a day happen under a policy: which calls ran, and what the rules in shadow would have done. */
async function under(policy) {
  const wouldDeny = [];
  const watcher = {
    name: "watcher",
    settle: ({ callId, decisions }) => {
      for (const { mode, decision, code } of decisions)
        if (mode === "shadow" && decision === "deny") wouldDeny.push([Number(callId), code]);
    },
  };
  const names = ["read_file", "send_mail", "delete_file"];
  const tools = names.map((name) => tool({ name, execute: () => "done" }));
  const loaded = await loadGuardFile(file(policy));
  const options = loaded.runnerOptions();
  const runner = new ToolRunner({ tools, ...options, observers: [watcher] });
  const ran = [];
  for (const [index, [name, args]] of day.entries()) {
    const { executed } = await runner.run({ name, arguments: args, callId: String(index) });
    ran.push(executed);
  }
  await loaded.close();
  return { ran, wouldDeny };
}

console.log("Monday, in shadow.");
const monday = await under("monday.yaml");
// Only the allowlist, which was there before, stops anything.
deepEqual(
  monday.ran,
  day.map(([name]) => name !== "delete_file"),
);
for (const [index, rule] of monday.wouldDeny) {
  const right = isWrong[index] ? "right" : "NOT RIGHT";
  const [name, { path, to }] = day[index];
  console.log(`  ${rule} would have denied ${name} ${path ?? to}: ${right}`);
}
const mistaken = monday.wouldDeny.filter(([index]) => !isWrong[index]);
deepEqual(
  mistaken.map(([, rule]) => rule),
  ["colleagues", "colleagues"],
);
console.log(
  `  ${monday.wouldDeny.length} calls would have been denied, ${mistaken.length} of them by mistake.`,
);

console.log("\nFriday, the rule mended, in force.");
const friday = await under("friday.yaml");
deepEqual(
  friday.ran,
  isWrong.map((wrong) => !wrong),
);
equal(friday.wouldDeny.length, 0);
console.log(
  `  ${friday.ran.filter((ran) => !ran).length} calls were denied: those that should be, and no other.`,
);
