// The store: what it holds, how far it is, who leads. It is looked at again while runs are at work.
import { Refused, change, get } from "./ask.js";
import { at, button, make, say, short, table } from "./dom.js";
import { fromAddress, toAddress } from "./options.js";
import { tell, untell } from "./problem.js";
import { label, spoken } from "./saying.js";

const CHOSEN = ["score", "cost", "missing", "trade"];
const start = () => ({ ...Object.fromEntries(CHOSEN.map(name => [name, ""])), ...Object.fromEntries(Object.entries(fromAddress()).map(([name, values]) => [name, values[0]])) });
let state = start(), timer = 0, seen = "", known = null, running = null;

async function look() {
  clearTimeout(timer);
  try {
    const [held, coverage, { runs }] = await Promise.all([get("/api/store"), get("/api/store/coverage"), get("/api/runs")]);
    untell(at("problem"));
    const now = JSON.stringify([held.counts, runs.map(each => [each.run, each.state, each.tried])]);
    if (now !== seen) { shown(held, coverage.coverage, runs); seen = now; }
    if (runs.some(each => ["waiting", "running"].includes(each.state))) timer = setTimeout(look, document.hidden ? 20000 : 5000);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(at("problem"), error);
  }
}

function shown(held, coverage, runs) {
  const cells = Object.values(held.counts).reduce((a, b) => a + b, 0);
  at("empty").hidden = cells > 0;
  at("full").hidden = cells === 0;
  at("runs").replaceChildren(runs.length ? table("Background runs, the newest first", ["data", "time", "state", "tried", ""], runs.map(each => [each.data, each.time, each.state, String(each.tried), make("a", { href: `/recommend?run=${encodeURIComponent(each.run)}#h-run`, text: "Look", "aria-label": `Look at the run on ${each.data}` })]), { text: [0, 2, 4] }) : make("p", {}, "None. ", make("a", { href: "/recommend", text: "Begin one." })));
  if (!cells) return;
  const counted = [["data sets", held.datasets.length], ["algorithms", held.algorithms.length], ["results", held.counts.ok], ["open", held.counts.waiting + held.counts.running], ["failed", held.counts.error + held.counts.timeout + held.counts.memory + held.counts.crash]];
  at("counts").replaceChildren(...counted.map(([name, count]) => make("div", {}, make("dt", { text: count === 1 ? name.replace(/s$/, "") : name }), make("dd", { text: count.toLocaleString("en") }))));
  at("coverage").replaceChildren(...matrix(coverage));
  at("failures").replaceChildren(held.failures.length ? table("By data set and algorithm, with the first reason", ["data set", "algorithm", "how", "cells", "reason"], held.failures.slice(0, 200).map(each => [each.dataset, each.algorithm, each.status, String(each.cells), each.reason]), { text: [0, 1, 2, 4] }) : make("p", { text: "None." }));
  at("datasets").replaceChildren(table("Data sets", ["data set", "rows", "attributes", "classes", "done"], held.datasets.slice(0, 500).map(each => [each.name, text(each.rows), text(each.attributes), text(each.classes), `${each.ok} of ${each.cells}`]), { text: [0] }));
  at("algorithms").replaceChildren(table("Algorithms", ["algorithm", "done", "settings"], held.algorithms.slice(0, 500).map(each => [each.name, `${each.ok} of ${each.cells}`, each.settings]), { text: [0, 2] }));
  known = [held.measures, held.costs];
  chosen(...known);
}

const text = value => value === null || value === undefined ? "" : value.toLocaleString("en");

// Every data set by every algorithm: how many of the begun cells are done.
function matrix(coverage) {
  const names = key => [...new Set(coverage.map(each => each[key]))].sort(), [rows, columns] = [names("dataset"), names("algorithm")];
  const most = 60, held = new Map(coverage.map(each => [JSON.stringify([each.dataset, each.algorithm]), each]));
  const cell = (dataset, algorithm) => {
    const each = held.get(JSON.stringify([dataset, algorithm]));
    if (!each) return make("td", { class: "none", text: "-" });
    return make("td", { class: each.ok === each.cells ? "full" : "part", text: each.ok === each.cells ? String(each.ok) : `${each.ok}/${each.cells}` });
  };
  const head = make("tr", {}, make("th", { scope: "col", text: "data set" }), ...columns.slice(0, most).map(text => make("th", { scope: "col", text })));
  const body = rows.slice(0, most).map(row => make("tr", {}, make("th", { scope: "row", text: row }), ...columns.slice(0, most).map(each => cell(row, each))));
  const cut = rows.length > most || columns.length > most ? `; of ${rows.length} data sets and ${columns.length} algorithms the first ${most}` : "";
  return [make("p", { class: "caption", id: "matrix-words", text: `Results of each pair; 3/10 means that 3 of 10 are done${cut}` }),
    make("div", { class: "wide", tabindex: "0", role: "region", "aria-labelledby": "matrix-words" }, make("table", { class: "matrix", "aria-labelledby": "matrix-words" }, make("thead", {}, head), make("tbody", {}, ...body)))];
}

// ---- the standing order

function chosen(measures, costs) {
  const scores = measures.filter(each => !costs.includes(each));
  const fill = (id, names) => at(id).replaceChildren(...names.map(name => make("option", { value: name, text: name || "choose", selected: name === state[id] })));
  if (!measures.includes(state.score)) state.score = scores.includes("accuracy") ? "accuracy" : scores[0] ?? "";
  if (!measures.includes(state.cost)) state.cost = costs.includes("train_time") ? "train_time" : costs[0] ?? "";
  fill("score", scores);
  fill("cost", costs.length ? costs : measures);
  at("missing").value = state.missing;
  at("trade").value = state.trade;
  if (measures.length) standing();
  else at("order").replaceChildren(make("p", { text: "Nothing is finished yet." }));
}

async function standing() {
  const told = Object.fromEntries(Object.entries(state).filter(([, value]) => value));
  running?.abort();
  const own = running = new AbortController();
  say("Ordering ...", true);
  try {
    const { result, command } = await get(`/api/store/order?${new URLSearchParams(told)}`, own.signal);
    if (own.signal.aborted) return;
    untell(at("order-problem"));
    at("order").replaceChildren(...narrowed(), make("ol", { class: "standing" }, ...result.order.map(name => make("li", {}, make("b", { text: name }), make("small", { text: reason(result, name) })))),
      ...result.caveats.map(text => make("p", { class: "note", text: spoken(text) })),
      make("p", { class: "row" }, make("a", { href: `/compare?${new URLSearchParams({ store: "1", verb: "order", ...told })}`, text: "The report of it" }), make("code", { text: command })));
    say(`The order of ${result.order.length} algorithms is ready.`);
  } catch (error) {
    if (error.name === "AbortError" || own.signal.aborted) return;
    if (!(error instanceof Refused)) throw error;
    say("");
    at("order").replaceChildren(...narrowed());
    tell(at("order-problem"), error, { set: (name, value) => { if (CHOSEN.includes(name)) at(name).value = value; entered(name, String(value)); } });
  }
}

// What was chosen beside the fields, such as whose results: said, and taken back with a click.
const narrowed = () => Object.entries(state).filter(([name, value]) => value && !CHOSEN.includes(name)).map(([name, value]) =>
  make("p", { class: "row" }, `Only ${label(name)} ${value}.`, button("All", () => entered(name, ""), { "aria-label": `Not only ${label(name)} ${value}` })));

function reason(result, name) {
  const found = result.reasons.find(each => each.algorithm === name), cost = result.cost?.[name];
  return [cost && cost.value !== null ? `${short(cost.value)}${cost.unit ? ` ${cost.unit}` : ""}` : "", found?.text ?? ""].filter(Boolean).join("; ");
}

function entered(name, value) {
  state[name] = value;
  toAddress(state, { step: true });
  standing();
}

for (const name of CHOSEN) at(name).addEventListener("change", () => entered(name, at(name).value.trim()));
at("order-form").addEventListener("submit", event => event.preventDefault());
addEventListener("popstate", () => { state = start(); if (known) chosen(...known); });

// ---- a table in

async function takeIn(options = {}) {
  const form = new FormData();
  form.append("file", at("table").files[0]);
  form.append("origin", at("origin").value.trim());
  for (const [name, values] of Object.entries(options)) for (const each of values) form.append(name, each);
  const said = at("import-status");
  said.textContent = "Taking the table in ...";
  untell(at("import-problem"));
  try {
    const found = await change("POST", "/api/store/import", form);
    seen = "";
    await look();
    said.textContent = `${found.imported ?? ""} results were taken in.`;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    said.textContent = "";
    tell(at("import-problem"), error, { set: (name, value) => takeIn({ ...options, [name]: [...(options[name] ?? []), value] }) });
    at("import-problem").scrollIntoView({ block: "center" });
  }
}

at("import").addEventListener("submit", event => { event.preventDefault(); takeIn(); });
look();
