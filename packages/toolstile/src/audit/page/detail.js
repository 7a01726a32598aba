import { byId, counted, element, mark, momentText, visible } from "./elements.js";
import { binds, decisionsIn } from "./filter.js";
import { statusGroup } from "./summary.js";

/** Shows all that the log has of a call. Escape, or a press beside it, closes it. */
export function showDetail(call) {
  const dialog = byId("detail");
  const { facts, record } = call;
  const close = element("button", { type: "button", class: "close", "aria-label": "Close" }, "×");
  close.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(
    element(
      "div",
      { class: "detail-head" },
      element("h2", { id: "detail-title" }, visible(facts.tool) || "(no name)"),
      statusMark(facts.status),
      close,
    ),
    facts.reason === "" ? "" : element("p", { class: "reason" }, visible(facts.reason)),
    element("h3", {}, "Decisions"),
    decisionTable(record),
    element("h3", {}, "Times"),
    pairs(times(record)),
    element("h3", {}, "Who and what"),
    pairs(identity(call)),
    element("h3", {}, "Digests"),
    pairs(members(record.digests, ["asked", "used", "result"])),
    ...payloadParts(call),
    element("h3", {}, "Record"),
    pairs([
      ["chain", call.chain],
      ["place", `${call.file}, line ${call.line}`],
      ["number", record.seq],
      ["hash", record.hash],
      ["previous", record.prev],
    ]),
  );
  dialog.showModal();
  dialog.scrollTop = 0;
}

/** A status as people write it. */
export function statusText(status) {
  return visible(status).replace(/^(no|not)_/, "$1 ");
}

export function statusMark(status) {
  return element("span", { class: "status" }, mark(statusGroup(status)), statusText(status));
}

function decisionTable(record) {
  const decisions = decisionsIn(record);
  if (decisions.length === 0) return element("p", { class: "empty" }, "None.");
  const items = decisions.map((each) => {
    const facts = [each.phase, each.basis, each.mode, each.code].filter(
      (fact) => fact !== undefined,
    );
    const known = ["allow", "modify", "deny"].includes(each.decision) ? each.decision : "other";
    const group = binds(each) ? known : "other";
    return element(
      "li",
      {},
      element("strong", {}, visible(each.provider)),
      element("span", { class: "status" }, mark(group), visible(each.decision)),
      element("span", { class: "aside" }, facts.map(visible).join(" · ")),
      each.reason === undefined ? undefined : element("p", {}, visible(each.reason)),
      each.metadata === undefined ? undefined : element("pre", {}, jsonText(each.metadata)),
    );
  });
  return element("ol", { class: "decisions" }, ...items);
}

function times({ time, times: moments }) {
  const { askedAt, dispatchedAt, settledAt } = { ...moments };
  const after = (moment) => {
    if (typeof moment !== "number") return undefined;
    const later = typeof askedAt === "number" ? `, ${counted(moment - askedAt)} ms after` : "";
    return momentText(moment) + later;
  };
  return [
    ["asked", momentText(askedAt)],
    ["started", after(dispatchedAt)],
    ["settled", after(settledAt)],
    ["recorded", momentText(time)],
  ];
}

const ranWords = new Map([
  [true, "yes"],
  [false, "no"],
  ["unknown", "unknown"],
]);

function identity({ facts, record }) {
  const { id, seq } = { ...record.session };
  return [
    ["asked for as", record.requestedName],
    ["decided by", facts.decidedBy],
    ["code", facts.code],
    ["basis", record.basis],
    ["tool ran", ranWords.get(record.executed)],
    ["session", seq === undefined ? id : `${id}, record ${seq}`],
    ["run", facts.runId],
    ["turn", record.turnId],
    ["call", record.callId],
    ["principal", record.principal],
    ["tenant", record.tenant],
    ["agent", record.agentName],
    ["traceparent", record.traceparent],
    ["policy version", record.policyVersion],
  ];
}

function members(value, names) {
  const known = { ...value };
  return names.map((name) => [
    name,
    known[name] === null ? "not expressible as JSON" : known[name],
  ]);
}

function payloadParts({ payloads, leftOut = [] }) {
  const names = ["asked", "used", "result"];
  const shown = names.filter((name) => payloads !== undefined && Object.hasOwn(payloads, name));
  if (shown.length === 0 && leftOut.length === 0) return [];
  return [
    element("h3", {}, "Payloads"),
    ...shown.flatMap((name) => [
      element("h4", {}, name),
      element("pre", { tabindex: "0" }, jsonText(payloads[name])),
    ]),
    ...leftOut.map((name) =>
      element("p", { class: "empty" }, `${visible(name)}: too large for this page`),
    ),
  ];
}

function pairs(entries) {
  const known = entries.filter(([, value]) => value !== undefined && value !== "");
  if (known.length === 0) return element("p", { class: "empty" }, "None.");
  const parts = known.flatMap(([name, value]) => [
    element("dt", {}, name),
    element("dd", {}, visible(value)),
  ]);
  return element("dl", {}, ...parts);
}

function jsonText(value) {
  try {
    return JSON.stringify(value, null, 2).split("\n").map(visible).join("\n");
  } catch {
    return "(nested too deeply to be shown)";
  }
}
