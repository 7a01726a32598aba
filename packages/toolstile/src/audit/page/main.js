import { bar, decisionBars, legend, timeline } from "./charts.js";
import { statusText } from "./detail.js";
import { byId, counted, element, mark, momentText, shortened, visible } from "./elements.js";
import { matcher, termsOf, termText } from "./filter.js";
import { callList } from "./list.js";
import { byProvider, byStatus, byTool, denials, statuses, statusGroup } from "./summary.js";

const about = JSON.parse(byId("facts").textContent);
const all = JSON.parse(byId("calls").textContent);
const box = byId("filter");
let chosen = all;

function describe() {
  const name = visible(about.folder);
  document.title = `${name} – audit log`;
  const from = momentText(all[0]?.facts.time).slice(0, 16);
  const to = momentText(all.at(-1)?.facts.time).slice(0, 16);
  const range = from === "" || to === "" ? "" : ` · ${from} to ${to}`;
  byId("about").append(
    element("code", {}, name),
    `${range} · made ${momentText(about.madeAt).slice(0, 16)}${about.withPayloads ? " · with payloads" : ""}`,
  );
  const notices = [
    about.chosen.length > 0 ? `Only calls with ${about.chosen.map(visible).join(" ")}.` : undefined,
    about.hasEarlier
      ? `Earlier calls are left out: the page has room for the latest ${counted(all.length)}.`
      : undefined,
    about.dropped > 0
      ? `${counted(about.dropped, "record was", "records were")} dropped by the log's writers: those calls are not here.`
      : undefined,
  ].filter((each) => each !== undefined);
  byId("notices").append(...notices.map((notice) => element("li", {}, notice)));
}

/** Adds a term to the filter, in place of others of its field; or takes it away. */
function toggle(field, value) {
  const terms = termsOf(box.value);
  const has = terms.some((each) => each.field === field && each.value === value);
  const kept = terms.filter((each) => each.field !== field);
  const wanted = has ? kept : [...kept, { field, value }];
  box.value = wanted.map((each) => termText(each.field, each.value)).join(" ");
  const { key } = document.activeElement.dataset;
  show();
  // What was pressed was made anew.
  const again = Array.from(document.querySelectorAll("[data-key]"));
  again.find(({ dataset }) => dataset.key === key)?.focus({ preventScroll: true });
}

/** Counted as if no status were asked for, so that another one can be chosen. */
function showStatuses(terms) {
  const wanted = new Set(terms.filter(isOfStatus).map(({ value }) => value));
  const calls = all.filter(matcher(terms.filter((each) => !isOfStatus(each))));
  const tiles = byStatus(calls).map(([status, count]) => {
    const tile = element(
      "button",
      {
        type: "button",
        class: "tile",
        "aria-pressed": String(wanted.has(status)),
        "data-key": `status:${status}`,
      },
      element("span", { class: "tile-count" }, counted(count)),
      element("span", { class: "tile-name" }, mark(statusGroup(status)), statusText(status)),
      element("span", { class: "tile-share" }, `${((count / calls.length) * 100).toFixed(1)} %`),
    );
    tile.addEventListener("click", () => toggle("status", status));
    return tile;
  });
  byId("statuses").replaceChildren(
    ...(tiles.length === 0 ? [element("p", { class: "empty" }, "No call matches.")] : tiles),
  );
}

function isOfStatus({ field }) {
  return field === "status";
}

function showTimeline() {
  const place = byId("timeline");
  place.replaceChildren(timeline(chosen, place.clientWidth), legend(statuses));
}

function showDenials() {
  const groups = denials(chosen);
  const shown = groups.slice(0, 15);
  const highest = shown[0]?.count ?? 1;
  const rows = shown.map(({ provider, code, reason, count }) =>
    element(
      "li",
      {},
      element(
        "p",
        { class: "denial" },
        element("strong", {}, shortened(code ?? "no code", 64)),
        ` ${shortened(provider, 64)}`,
      ),
      element("span", { class: "bar-count" }, counted(count)),
      element("p", { class: "aside denial-reason" }, shortened(reason, 300)),
      bar([count], highest, ["deny"]),
    ),
  );
  byId("denials").replaceChildren(
    rows.length === 0
      ? element("p", { class: "empty" }, "No call was denied.")
      : element("ol", { class: "bars denials" }, ...rows),
    groups.length > shown.length
      ? element(
          "p",
          { class: "more" },
          `and ${counted(groups.length - shown.length, "other reason")}`,
        )
      : "",
  );
}

function show() {
  const terms = termsOf(box.value);
  chosen = all.filter(matcher(terms));
  byId("found").textContent =
    chosen.length === all.length
      ? counted(all.length, "call")
      : `${counted(chosen.length)} of ${counted(all.length, "call")}`;
  showStatuses(terms);
  showTimeline();
  byId("tools").replaceChildren(decisionBars(byTool(chosen), 12, (name) => toggle("tool", name)));
  byId("providers").replaceChildren(
    decisionBars(byProvider(chosen), 12, (name) =>
      toggle("provider", name.replace(/ \((?:shadow|fail-open|lifted)\)$/, "")),
    ),
  );
  showDenials();
  callList(chosen, byId("list"));
}

let waiting;
box.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(show, 120);
});
byId("search").addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  const isTyping = Boolean(event.target.closest?.("input, dialog"));
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  box.focus();
});
byId("detail").addEventListener("click", (event) => {
  if (event.target === event.currentTarget) event.currentTarget.close();
});
new ResizeObserver(() => showTimeline()).observe(byId("timeline"));
describe();
show();
