import { showDetail, statusMark } from "./detail.js";
import { counted, element, momentText, shortened } from "./elements.js";

const perPage = 50;

/** The calls, the latest first, a page of them at a time. */
export function callList(calls, place) {
  const pages = Math.max(1, Math.ceil(calls.length / perPage));
  let page = 0;
  const show = (isMoved) => {
    const start = page * perPage;
    const rows = [];
    for (let index = start; index < Math.min(start + perPage, calls.length); index++) {
      rows.push(rowOf(calls[calls.length - 1 - index]));
    }
    const body = element("tbody", {}, ...rows);
    const titles = ["Time (UTC)", "Tool", "Status", "Session", "Decided by", "Code", "Reason"];
    const head = element(
      "tr",
      {},
      ...titles.map((title) => element("th", { scope: "col" }, title)),
    );
    const caption = element(
      "caption",
      { class: "unseen" },
      "Calls, the latest first. The button of a row shows all that the log has of it.",
    );
    const list = element("table", {}, caption, element("thead", {}, head), body);
    place.replaceChildren(
      calls.length === 0 ? element("p", { class: "empty" }, "No call matches.") : list,
      turner(),
    );
    if (isMoved) place.parentElement.scrollIntoView({ block: "start" });
  };
  const turner = () => {
    if (pages === 1) return "";
    const turn = (name, to, isOff) => {
      const button = element("button", { type: "button", disabled: isOff }, name);
      button.addEventListener("click", () => {
        page = to;
        show(true);
        const again = [...place.querySelectorAll("nav button")].find(
          (each) => each.textContent === name,
        );
        (again?.disabled ? place.querySelector("nav button:enabled") : again)?.focus({
          preventScroll: true,
        });
      });
      return button;
    };
    const first = page * perPage + 1;
    const last = Math.min(first + perPage - 1, calls.length);
    return element(
      "nav",
      { "aria-label": "Pages of calls" },
      turn("Newer", page - 1, page === 0),
      element("span", {}, `${counted(first)}–${counted(last)} of ${counted(calls.length)}`),
      turn("Older", page + 1, page === pages - 1),
    );
  };
  show(false);
}

function rowOf(call) {
  const { facts } = call;
  const time = momentText(facts.time);
  const open = element(
    "button",
    { type: "button", class: "open", "aria-haspopup": "dialog" },
    time || "no time",
  );
  const row = element(
    "tr",
    {},
    element("td", { class: "time" }, open),
    cell("tool", facts.tool),
    element("td", { class: "state" }, statusMark(facts.status)),
    cell("session", facts.session, "session"),
    cell("by", facts.decidedBy, "by"),
    cell("code", facts.code),
    cell("why", facts.reason),
  );
  // The button is there for keys and screen readers; a press anywhere does.
  row.addEventListener("click", () => showDetail(call));
  return row;
}

function cell(name, text, label) {
  return element(
    "td",
    { class: text === "" ? `${name} nothing` : name, "data-label": label },
    shortened(text, 160),
  );
}
