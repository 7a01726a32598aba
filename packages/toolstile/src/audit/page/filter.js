const fields = {
  tool: ({ facts, record }) => [facts.tool, record.requestedName],
  status: ({ facts }) => [facts.status],
  session: ({ facts }) => [facts.session],
  provider: ({ record }) => decisionsIn(record).map(({ provider }) => String(provider ?? "")),
  code: ({ facts, record }) => [facts.code, ...decisionsIn(record).map(({ code }) => code)],
  principal: ({ facts }) => [facts.principal],
  tenant: ({ record }) => [typeof record.tenant === "string" ? record.tenant : ""],
  run: ({ facts }) => [facts.runId],
};

/** The decisions of a record; what is no object is left out. A denial that an approval lifted has the mode `lifted`. */
export function decisionsIn(record) {
  const decisions = Array.isArray(record.decisions) ? record.decisions : [];
  const all = decisions.filter((each) => typeof each === "object" && each !== null);
  const approved = all.findLastIndex(
    ({ phase, decision, basis }) =>
      phase === "admit" && decision === "allow" && basis === "approval",
  );
  return all.map((each, index) =>
    each.decision === "deny" && each.mode === undefined && index < approved
      ? { ...each, mode: "lifted" }
      : each,
  );
}

/** False for what a shadow says, and for what was lifted: nobody obeyed it. */
export function binds({ mode }) {
  return mode !== "shadow" && mode !== "lifted";
}

/** A term of the filter box, which {@link termsOf} reads as it was meant. */
export function termText(field, value) {
  const isPlain = /^[^\s"\\]+$/.test(value) && !(field === undefined && value.includes(":"));
  const text = isPlain ? value : `"${value.replace(/["\\]/g, "\\$&")}"`;
  return field === undefined ? text : `${field}:${text}`;
}

/** What stands in the filter box: pairs of a field, or none, and a value. */
export function termsOf(text) {
  const pattern = /(?:([a-z]+):)?(?:"((?:[^"\\]|\\.)*)"?|(\S+))/g;
  return Array.from(text.matchAll(pattern), ([whole, field, quotedValue, plain]) => {
    const value = quotedValue === undefined ? plain : quotedValue.replace(/\\(.)/g, "$1");
    if (field === undefined || Object.hasOwn(fields, field)) return { field, value };
    return { field: undefined, value: whole };
  }).filter(({ value }) => value !== "");
}

/** Whether a call is one of those that the terms ask for: every one must hold. */
export function matcher(terms) {
  const tests = terms.map(({ field, value }) => {
    if (field !== undefined) return (call) => fields[field](call).includes(value);
    const wanted = value.toLowerCase();
    return (call) => wordsOf(call).includes(wanted);
  });
  return (call) => tests.every((test) => test(call));
}

const words = new WeakMap();

/** All of a call's text that is searched, made once. */
function wordsOf(call) {
  let text = words.get(call);
  if (text === undefined) {
    const decided = decisionsIn(call.record).map((each) => [each.provider, each.code, each.reason]);
    const own = [call.record.requestedName, call.record.callId, call.record.agentName];
    text = [...Object.values(call.facts), ...own, ...decided.flat()].join("\n").toLowerCase();
    words.set(call, text);
  }
  return text;
}
