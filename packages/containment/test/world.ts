import { type ToolOutcome, ToolRunner } from "@toolstile/core";
import { type ContainmentOptions, containment, type ToolTerms } from "../src/index.js";

/** The tools of a host with a mailbox, contacts, the web, chats, payments, files and notes. */
export const world: readonly ToolTerms[] = [
  {
    tools: ["read_mail"],
    result: { source: "mail" },
    fields: [
      { at: "/*/id", integrity: "trusted", kind: "id", of: "mail" },
      { at: "/*/from", integrity: "origin", kind: "mail" },
    ],
    sinks: [],
  },
  {
    tools: ["find_contact"],
    result: { source: "contacts" },
    fields: [
      { at: "/*/mail", integrity: "trusted", kind: "mail" },
      { at: "/*/phone", integrity: "trusted", kind: "phone" },
    ],
    sinks: [],
  },
  { tools: ["read_vault"], result: { integrity: "trusted", confidentiality: "secret" }, sinks: [] },
  { tools: ["today"], result: { integrity: "trusted", confidentiality: "public" }, sinks: [] },
  {
    tools: ["list_files"],
    fields: [{ at: "/*/id", integrity: "trusted", kind: "id", of: "file" }],
    sinks: [],
  },
  {
    tools: ["list_channels"],
    fields: [{ at: "/*", integrity: "trusted", kind: "handle", of: "channel" }],
    sinks: [],
  },
  {
    tools: ["list_rooms"],
    fields: [
      {
        at: "",
        lines: true,
        after: "Rooms: ",
        integrity: "trusted",
        kind: "handle",
        of: "channel",
      },
    ],
    sinks: [],
  },
  { tools: ["read_note", "search_web"], sinks: [] },
  { tools: ["write_note"], sinks: [] },
  { tools: ["fetch"], sinks: ["egress"], destinations: [{ at: "/url", kind: "url" }] },
  { tools: ["connect"], sinks: ["egress"], destinations: [{ at: "/host", kind: "host" }] },
  {
    tools: ["send_mail"],
    sinks: ["egress"],
    destinations: [
      { at: "/to/*", kind: "mail" },
      { at: "/cc/*", kind: "mail" },
    ],
  },
  {
    tools: ["save_contact"],
    sinks: ["egress"],
    destinations: [{ at: "/mail", kind: "mail", vouchedBy: ["user"] }],
  },
  { tools: ["send_text"], sinks: ["egress"], destinations: [{ at: "/phone", kind: "phone" }] },
  { tools: ["pay"], sinks: ["egress"], destinations: [{ at: "/iban", kind: "iban" }] },
  {
    tools: ["post"],
    sinks: ["egress"],
    destinations: [{ at: "/channel", kind: "handle", of: "channel" }],
  },
  {
    tools: ["append_shared"],
    sinks: ["egress"],
    destinations: [{ at: "/file", kind: "id", of: "file" }],
  },
  {
    tools: ["delete_file"],
    sinks: ["irreversible"],
    destinations: [{ at: "/file", kind: "id", of: "file" }],
  },
  { tools: ["book"], sinks: ["irreversible"], destinations: [{ at: "/hotel", kind: "handle" }] },
  { tools: ["publish"], sinks: ["egress"] },
  {
    tools: ["invite"],
    sinks: ["egress"],
    destinations: [
      { at: "/guests/*", kind: "mail" },
      { at: "/title", kind: "text" },
    ],
  },
];

export interface Step {
  readonly name: string;
  readonly args?: object;
  readonly result?: unknown;
}

/** Plays calls in one session, and gives the outcome of each. Nobody approves anything. */
export async function play(
  said: string | undefined,
  steps: readonly Step[],
  options: ContainmentOptions = {},
): Promise<readonly ToolOutcome[]> {
  const guard = containment({ tools: world, unknownTools: "ignore", ...options });
  let result: unknown;
  const names = new Set(steps.map(({ name }) => name));
  const runner = new ToolRunner({
    guardrails: [guard],
    tools: [...names].map((name) => ({ name, execute: () => result })),
  });
  if (said !== undefined) guard.said("s1", said);
  const outcomes: ToolOutcome[] = [];
  for (const step of steps) {
    result = step.result ?? "done";
    const request = { name: step.name, arguments: step.args ?? {} };
    outcomes.push(await runner.run(request, { context: { sessionId: "s1" } }));
  }
  await runner.close();
  return outcomes;
}

/** A mail from somebody, which the agent has read. */
export function mail(body: string, from = "mallory@evil.example"): Step {
  return { name: "read_mail", result: [{ id: "m1", from, body }] };
}

export const somethingRead: Step = { name: "search_web", result: "Some page that anybody wrote." };
