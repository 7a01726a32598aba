import { createContext, runInContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { pageOf } from "../src/audit/page.js";
import { pageEntryText } from "../src/audit/page-entry.js";
import { decision, denied, noon, outcome } from "./audit-folder.js";
import { bareWindow } from "./bare-document.js";

/** Runs a page's script on a log, with as much of a browser as it needs. */
function opened(records: readonly object[], more: object = {}) {
  const entries = records.map((record, index) => {
    const found = { seq: index + 1, time: noon, ...record, kind: "outcome" };
    return pageEntryText({ chain: "a", file: "a/1", line: index + 1, record: found }, true);
  });
  const facts = {
    folder: "audit",
    madeAt: noon,
    chosen: [],
    hasEarlier: false,
    dropped: 0,
    ...more,
  };
  const html = pageOf({ withPayloads: true, ...facts }, entries);
  const script = html.slice(html.lastIndexOf("<script>") + 8, html.lastIndexOf("</script>"));
  const window = bareWindow({ facts: JSON.stringify(facts), calls: `[${entries.join(",")}]` });
  runInContext(script, createContext(window));
  const { document } = window;
  return {
    title: () => document.title,
    part: document.getElementById,
    rows: () => {
      const [body] = document.getElementById("list").named("tbody");
      return body?.named("tr") ?? [];
    },
    filter: (text: string) => {
      document.getElementById("filter").value = text;
      document.getElementById("filter").dispatch("input");
    },
  };
}

const evil = "</td><img src=x onerror=alert(1)>";

describe("the script of the page", () => {
  it("shows every call, the latest first, and all sums of them", () => {
    const page = opened([outcome("one"), denied("two", "Not on the list.")]);
    expect(page.rows().map(({ textContent }) => textContent)).toEqual([
      "2026-11-28 12:00:00.000forecastdeniedallowlistnot_allowedNot on the list.",
      "2026-11-28 12:00:00.000forecastexecuted",
    ]);
    expect(page.part("statuses").textContent).toBe("1executed50.0 %1denied50.0 %");
    expect(page.part("tools").textContent).toContain("forecast1 denied of 2");
    expect(page.part("denials").textContent).toContain("not_allowed allowlist1Not on the list.");
    expect(page.part("timeline").named("rect")).toHaveLength(2);
    expect(page.title()).toBe("audit – audit log");
  });

  it("writes out what hides or changes letters", () => {
    const page = opened([denied("one", "a\u3164b\u2800c\u202ed\u0336")]);
    const [row] = page.rows();
    expect(row?.textContent).toContain("a\\u{3164}b\\u{2800}c\\u{202e}d\\u{336}");
  });

  it("says of a denial that an approval lifted that it was lifted", () => {
    const lifted = decision("deny", { provider: "humans", reason: "Ask." });
    const used = decision("allow", { provider: "approvals", phase: "admit", basis: "approval" });
    const page = opened([outcome("one", { decisions: [lifted, used] })]);
    expect(page.part("denials").textContent).toBe("No call was denied.");
    expect(page.part("providers").textContent).toContain("humans (lifted)1 lifted of 1");
    page.rows()[0]?.dispatch("click");
    expect(page.part("detail").textContent).toContain("call · policy · lifted");
  });

  it("opens a call with all that the log has of it", () => {
    const shadow = decision("deny", { provider: "trial", mode: "shadow", reason: "It would not." });
    const payloads = { asked: { q: "tea" } };
    const page = opened([outcome("one", { decisions: [decision("allow"), shadow], payloads })]);
    page.rows()[0]?.dispatch("click");
    const detail = page.part("detail");
    expect(detail.isOpen).toBe(true);
    for (const text of ["trialdeny", "call · policy · shadow", "It would not.", "40 ms after"]) {
      expect(detail.textContent).toContain(text);
    }
    for (const text of ["a".repeat(64), '"q": "tea"', "a/1, line 1"]) {
      expect(detail.textContent).toContain(text);
    }
  });

  it("makes text of what the log holds, and no element", () => {
    const quiet = opened([denied("one", "no", { payloads: { asked: {} } })]);
    const loud = opened([
      denied(evil, evil, {
        toolName: evil,
        code: evil,
        decidedBy: evil,
        session: { id: evil, seq: 1 },
        decisions: [decision("deny", { provider: evil, code: evil, reason: evil })],
        payloads: { asked: { [evil]: evil } },
      }),
    ]);
    for (const page of [quiet, loud]) page.rows()[0]?.dispatch("click");
    const names = (page: typeof loud) =>
      ["list", "detail", "tools", "denials"].map((id) =>
        page
          .part(id)
          .all()
          .map(({ name }) => name),
      );
    expect(new Set(names(loud).flat())).toEqual(new Set(names(quiet).flat()));
    expect(loud.part("detail").textContent).toContain(evil);
  });

  it("filters everything at once", () => {
    const page = opened([outcome("one"), denied("two", "Not on the list.")]);
    page.filter("status:denied");
    expect(page.rows()).toHaveLength(1);
    expect(page.part("found").textContent).toBe("1 of 2 calls");
    expect(page.part("tools").textContent).toContain("forecast1 denied of 1");
    page.filter("nothing of the kind");
    expect(page.part("list").textContent).toBe("No call matches.");
  });

  it("shows a long list in parts", () => {
    const page = opened(Array.from({ length: 120 }, (_, index) => outcome(`run-${index}`)));
    expect(page.rows()).toHaveLength(50);
    const older = page.part("list").named("button").at(-1);
    older?.dispatch("click");
    expect(page.part("list").textContent).toContain("51–100 of 120");
  });

  it("says what is not in the page", () => {
    const page = opened([outcome("one")], { hasEarlier: true, dropped: 7, chosen: ["--tool x"] });
    const { textContent } = page.part("notices");
    expect(textContent).toContain("Only calls with --tool x.");
    expect(textContent).toContain("Earlier calls are left out");
    expect(textContent).toContain("7 records were dropped");
  });

  it.each([
    ["nothing at all", [{}]],
    ["no call", []],
    ["no time", [outcome("one", { time: null, times: { askedAt: null, settledAt: "soon" } })]],
    ["a time beyond all dates", [outcome("one", { time: 9e20 }), outcome("two", { time: -8e15 })]],
    ["values of other kinds", [outcome("one", { decisions: [null, 7, {}], digests: 7, times: 7 })]],
  ])("stands a log with %s", (_, records) => {
    const page = opened(records);
    for (const row of page.rows()) row.dispatch("click");
    expect(page.rows()).toHaveLength(records.length);
  });
});
