import { guardQuery } from "@toolstile/claude-agent";
import { allow, deny, modify, rewrite } from "@toolstile/core";
import { turnsOf } from "./claude.mjs";

/** Nothing is deleted, and everything is deployed to the stage for trials. */
const carefully = {
  name: "carefully",
  evaluate({ toolName, args }) {
    if (toolName === "Bash" && /\brm\b/.test(args.command)) return deny("nothing is deleted here");
    if (toolName !== "mcp__deploy__start" || args.stage === "trial") return allow();
    return modify({ ...args, stage: "trial" });
  },
};

/** The model reads no live token, wherever it stands. */
const noTokens = {
  name: "no-tokens",
  evaluateResult(_, { content, structured }) {
    const clean = (value) =>
      JSON.parse(JSON.stringify(value).replaceAll(/tk_live_\w+/g, "[token]"));
    if (!/tk_live_\w+/.test(JSON.stringify([content, structured ?? null]))) return allow();
    const rest = structured === undefined ? {} : { structured: clean(structured) };
    return rewrite({ content: clean(content), ...rest });
  },
};

const options = guardQuery(
  { permissionMode: "acceptEdits", settingSources: [] },
  { guardrails: [carefully, noTokens] },
);

// With the SDK: for await (const message of query({ prompt: "Deploy it.", options })) …
const turns = turnsOf(options, [
  [
    ["Read", { file_path: "/srv/app/.env" }],
    ["Bash", { command: "rm -rf /srv/app" }],
    ["mcp__deploy__start", { stage: "live" }],
  ],
  [["mcp__deploy__status", {}]],
]);
for await (const read of turns) console.log(read.join("\n"));
