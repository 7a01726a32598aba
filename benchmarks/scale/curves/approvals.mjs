import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { approvals, fileStore, memoryStore } from "@toolstile/approval";

const against = "approvals that wait";
const { signal } = new AbortController();
const yes = { decision: "approved", by: "ann" };
/** So many ask at once while a folder is filled: each waits for the disk. */
const askers = 8;

let runs = 0;
/** @param {unknown} amount */
function question(amount) {
  const run = ++runs;
  return {
    runId: `run-${run}`,
    turnId: "turn-1",
    callId: `call-${run}`,
    toolName: "transfer",
    requestedName: "transfer",
    agentName: "payments",
    runnerAgents: ["payments"],
    context: { sessionId: `session-${run}`, principal: "ann", tenant: "acme" },
    args: { to: "Bob", amount },
    askedArgs: { to: "Bob", amount },
    provider: "limits",
    code: "over_limit",
    reason: "above 100",
    approval: { summary: "A large transfer" },
  };
}

/** Each question is about another amount: no two are answered together. */
const unlike = () => question(runs);
const alike = () => question(1);

const inMemory = {
  name: "memory",
  async open() {
    const store = memoryStore();
    return { store: () => store, close: () => undefined };
  },
};
const inFolder = {
  name: "a folder",
  async open() {
    const folder = await mkdtemp(join(tmpdir(), "approvals-"));
    return {
      store: () => fileStore(folder),
      close: () => rm(folder, { recursive: true, force: true }),
    };
  },
};

/** A desk of a store in which n approvals wait. */
async function desk(kind, n, next) {
  const { store, close } = await kind.open();
  const one = () => approvals({ store: store(), maxPending: 1_000_000, expiresInMs: 86_400_000 });
  const ask = async (approver, asked) => {
    const { decision, approvalId: id } = await approver.ask(asked, { signal });
    if (decision !== "pending") throw new Error(`An approval that should wait is ${decision}.`);
    return { id, asked };
  };
  await Promise.all(
    Array.from({ length: askers }, async (_, index) => {
      const asker = one();
      for (let each = index; each < n; each += askers) await ask(asker, next());
    }),
  );
  const approver = one();
  return { approver, one, ask: (asked = next()) => ask(approver, asked), close };
}

/**
 * @param {string} name
 * @param {object} kind
 * @param {import("../fit.mjs").Growth} growth
 * @param {(desk: Awaited<ReturnType<typeof desk>>) => object} prepared
 * @param {object} [more]
 * @returns {import("../curves.mjs").Curve}
 */
function curve(name, kind, growth, prepared, { next = unlike, sizes, checked } = {}) {
  return {
    name: `${name}, in ${kind.name}`,
    against,
    growth,
    sizes: sizes ?? [10, 100, 1_000, 10_000],
    checked,
    async at(n) {
      const opened = await desk(kind, n, next);
      // What is read of the folder once is read before.
      await opened.ask(question("the first"));
      return { ...prepared(opened), close: opened.close };
    },
  };
}

/** What is done to one approval, once it waits or has its answer. */
const asking = ({ ask }) => ({ turns: 16, run: () => ask() });
const answering = ({ ask, approver }) => {
  let id = "";
  return {
    turns: 16,
    before: async () => {
      ({ id } = await ask());
    },
    run: async () => {
      const { answered } = await approver.answer(id, yes);
      if (answered.length !== 1) throw new Error(`${answered.length} were answered, not one.`);
    },
  };
};
const resuming = ({ ask, approver }) => {
  let given;
  return {
    turns: 16,
    before: async () => {
      given = await ask();
      await approver.answer(given.id, yes);
    },
    run: async () => {
      await approver.recall(given.id);
      if (!(await approver.consume(given.id, given.asked))) throw new Error("It was not used.");
    },
  };
};
const listing = ({ approver }) => ({ run: () => approver.list() });
const starting = ({ one }) => ({
  run: () =>
    one().ask({ ...unlike(), approval: { summary: "Pay", expiresInMs: 1_000 } }, { signal }),
});

/**
 * Those in a folder are not checked by CI: what they cost besides the disk is counted by a test of the package.
 *
 * @type {import("../curves.mjs").Curve[]}
 */
export const curves = [
  curve("asking for one more approval", inMemory, "constant", asking, { checked: [100, 10_000] }),
  curve("answering an approval", inMemory, "constant", answering, { checked: [100, 10_000] }),
  curve("resuming an approval", inMemory, "constant", resuming, { checked: [100, 10_000] }),
  curve("listing all approvals", inMemory, "n", listing),
  curve("asking for one more approval", inFolder, "constant", asking),
  curve("asking for one more approval of the same", inFolder, "constant", asking, { next: alike }),
  curve("answering an approval", inFolder, "constant", answering),
  curve("resuming an approval", inFolder, "constant", resuming),
  curve("listing all approvals", inFolder, "n", listing),
  curve("the first approval that a process asks for", inFolder, "n", starting),
];
