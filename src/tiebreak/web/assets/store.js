// The store: what it holds and how far it is. It is looked at again while runs are at work.
import { Refused, change, get } from "./ask.js";
import { at, dropping, make, table } from "./dom.js";
import { tell, untell } from "./problem.js";

let timer = 0, seen = "", picked = null;

async function look() {
  clearTimeout(timer);
  try {
    const [held, { runs }] = await Promise.all([get("/api/store"), get("/api/runs")]);
    untell(at("problem"));
    const now = JSON.stringify([held.counts, runs.map(each => [each.run, each.state, each.tried])]);
    if (now !== seen) { shown(held, runs); seen = now; }
    if (runs.some(each => ["waiting", "running"].includes(each.state))) timer = setTimeout(look, document.hidden ? 20000 : 5000);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(at("problem"), error);
  }
}

function shown(held, runs) {
  const cells = Object.values(held.counts).reduce((a, b) => a + b, 0);
  at("empty").hidden = cells > 0;
  at("full").hidden = cells === 0;
  at("runs").replaceChildren(runs.length ? table("Background runs, the newest first", ["data", "time", "state", "tried", ""], runs.map(each => [each.data, each.time, each.state, String(each.tried), make("a", { href: `/recommend?run=${encodeURIComponent(each.run)}#h-run`, text: "Look", "aria-label": `Look at the run on ${each.data}` })]), { text: [0, 2, 4] }) : make("p", {}, "None. ", make("a", { href: "/recommend", text: "Begin one." })));
  if (!cells) return;
  const counted = [["data sets", held.datasets.length], ["algorithms", held.algorithms.length], ["results", held.counts.ok], ["open", held.counts.waiting + held.counts.running], ["failed", held.counts.error + held.counts.timeout + held.counts.memory + held.counts.crash]];
  at("counts").replaceChildren(...counted.map(([name, count]) => make("div", {}, make("dt", { text: count === 1 ? name.replace(/s$/, "") : name }), make("dd", { text: count.toLocaleString("en") }))));
  at("failures").replaceChildren(held.failures.length ? table("By data set and algorithm, with the first reason", ["data set", "algorithm", "how", "cells", "reason"], held.failures.slice(0, 200).map(each => [each.dataset, each.algorithm, each.status, String(each.cells), each.reason]), { text: [0, 1, 2, 4] }) : make("p", { text: "None." }));
  at("datasets").replaceChildren(table("Data sets", ["data set", "rows", "attributes", "classes", "done"], held.datasets.slice(0, 500).map(each => [each.name, text(each.rows), text(each.attributes), text(each.classes), `${each.ok} of ${each.cells}`]), { text: [0] }));
  at("algorithms").replaceChildren(table("Algorithms", ["algorithm", "done", "settings"], held.algorithms.slice(0, 500).map(each => [each.name, `${each.ok} of ${each.cells}`, each.settings]), { text: [0, 2] }));
}

const text = value => value === null || value === undefined ? "" : value.toLocaleString("en");

// ---- a table in

async function takeIn(options = {}) {
  const form = new FormData();
  if (!picked) { at("table").focus(); return; }
  form.append("file", picked);
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

dropping(at("drop-table"), at("table"), ([file]) => { picked = file; at("drop-table").querySelector("b").textContent = file.name; });
at("import").addEventListener("submit", event => { event.preventDefault(); takeIn(); });
look();
