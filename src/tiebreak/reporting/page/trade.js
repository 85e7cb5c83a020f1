// The order at another trade: worth is the mean score less the trade times the mean log10 cost. How sure a first place is,
// and every explanation, was computed by the package and is shown as it came.
"use strict";

const Trade = (() => {
  const { make } = Page;
  const parts = {};
  let orders = [], tables = [], data = null;

  const unique = (all) => Array.from(new Set(all));
  const RULES = { worth: "worth", multitest: "MultiTest", multi2test: "Multi2Test" };
  const costName = (one) => `${one.cost}${one.where ? ` (${one.where})` : ""}`;
  const ruleName = (one) => RULES[one.rule] || one.rule;
  const pairAt = (i, j, count) => (i * (2 * count - i - 1)) / 2 + j - i - 1; // pairs i < j lie row by row, by places

  function choice(id, label, options, change) {
    const [select, whole] = Page.choice(id, label, options, change);
    parts[id] = select;
    return whole;
  }

  function layOut(root) {
    parts.range = make("input", { type: "range", id: "trade", min: "0", step: "1", input: move });
    parts.label = make("output", { for: "trade" });
    parts.slider = make("div", {}, make("label", { for: "trade" }, "Ten times the cost must buy"), " ", parts.label, parts.range);
    parts.status = make("p", { class: "said", role: "status", id: "setting" });
    parts.reset = make("button", { type: "button", id: "reset", click: reset }, "Reset the trade");
    const chosen = [choice("score", "Score", unique(orders.map((one) => one.score)), choose),
      choice("cost", "Cost", unique(orders.map(costName)), choose), choice("rule", "Rule", unique(orders.map(ruleName)), choose)];
    for (const each of chosen) each.hidden = each.querySelectorAll("option").length < 2;
    const slide = document.getElementById("slide"); // the slider may stand apart from the rest
    if (slide) { slide.append(parts.slider); slide.hidden = false; }
    root.append(make("h2", {}, `What is ${orders[0].score_words} worth to you?`), slide ? "" : parts.slider,
      parts.front = make("ul", { class: "seg" }), parts.status, make("div", { class: "row" }, ...chosen, parts.reset));
    const pairs = document.getElementById("explain");
    if (!pairs) return;
    pairs.append(make("h3", {}, "Explain a pair"),
      make("div", { class: "row" }, choice("first", "Why does", [], explain), choice("second", "stand where it does beside", [], explain)),
      parts.explanation = make("p", { class: "said", role: "status", id: "explanation" }));
    pairs.hidden = false;
  }

  function choose(event) {
    let wanted = orders; // as much of what is chosen as there is an order for, what was changed last first
    const tests = { score: (one) => one.score === parts.score.value, cost: (one) => costName(one) === parts.cost.value, rule: (one) => ruleName(one) === parts.rule.value };
    for (const id of unique([event.target.id, ...Object.keys(tests)])) if (wanted.some(tests[id])) wanted = wanted.filter(tests[id]);
    take(wanted[0]);
  }

  function take(one) {
    data = one;
    parts.score.value = data.score;
    parts.cost.value = costName(data);
    parts.rule.value = ruleName(data);
    if (tables.length > 1) tables.forEach((table, k) => { table.closest(".wide").hidden = orders[k] !== data; });
    parts.slider.hidden = parts.reset.hidden = !data.trade;
    if (data.trade) parts.range.max = data.trade.grid.length - 1;
    reset();
    if (!parts.first) return;
    const names = data.order.slice(0, data.explained).map((i) => data.algorithms[i]);
    for (const id of ["first", "second"]) parts[id].replaceChildren(...names.map((name) => make("option", {}, name)));
    parts.second.selectedIndex = Math.min(1, names.length - 1);
    explain();
  }

  function reset() {
    if (data.trade) parts.range.value = data.trade.chosen;
    move();
  }

  // Equal worth keeps the order of the report, which breaks ties by score, cost and name.
  function sorted(values) {
    const before = new Map(data.order.map((i, place) => [i, place]));
    const near = 1e-12 * Math.max(1, ...values.map(Math.abs));
    return data.order.slice().sort((i, j) => (Math.abs(values[i] - values[j]) > near ? values[j] - values[i] : before.get(i) - before.get(j)));
  }

  function move() {
    const moving = data.trade;
    const step = moving && Number(parts.range.value), now = moving && moving.grid[step], values = moving && moving.scores.map((score, i) => score - now.trade * moving.logs[i]);
    const order = !moving || step === moving.chosen ? data.order : sorted(values);
    parts.status.textContent = moving ? now.text : `First by ${ruleName(data)}: ${data.algorithms[order[0]]}.`;
    if (moving) {
      parts.label.textContent = now.label;
      parts.range.setAttribute("aria-valuetext", now.label);
    }
    const holds = (part) => part.from <= now.trade && (part.to === null || now.trade < part.to);
    parts.front.replaceChildren(...(moving ? moving.frontier : []).map((part) => make("li", { class: holds(part) ? "on" : "" },
      make("span", {}, `${part.algorithm} `, make("small", {}, part.range)), make("span", {}, `${part.shown} `, make("small", {}, part.beside)))));
    place(tables[Math.min(orders.indexOf(data), tables.length - 1)], order, values);
  }

  const worth = (behind) => (data.trade.factor === null ? behind.toPrecision(3) : (data.trade.factor * behind).toFixed(1)).replace(/^-(0\.?0*)$/, "$1");

  // The rows of the table follow the order, with their places and worth.
  function place(table, order, values) {
    const rows = new Map(Array.from(table.tBodies[0].rows, (row) => [row.querySelector("[data-name]").dataset.name, row]));
    const column = Array.from(table.tHead.rows[0].cells).findIndex((head) => head.textContent.toLowerCase() === "worth");
    table.classList.toggle("reordered", order.some((i, k) => i !== orders[0].order[k])); // reasons are those of the first order
    Tables.unsorted(table);
    table.tBodies[0].append(...order.map((i, k) => {
      const row = rows.get(data.algorithms[i]), told = { 0: k + 1, ...(values && column > 0 ? { [column]: worth(values[i] - values[order[0]]) } : {}) };
      for (const [at, value] of Object.entries(told)) { row.cells[at].textContent = value; row.cells[at].dataset.value = value; }
      return row;
    }));
  }

  async function explain() {
    const [i, j] = [parts.first.selectedIndex, parts.second.selectedIndex], one = data;
    if (i < 0) return;
    if (i === j) { parts.explanation.textContent = `${data.algorithms[data.order[i]]} is one algorithm.`; return; }
    const all = (await Page.unpacked("packed")).explanations[orders.indexOf(one)];
    if (one !== data || i !== parts.first.selectedIndex || j !== parts.second.selectedIndex) return;
    parts.explanation.textContent = all[pairAt(Math.min(i, j), Math.max(i, j), one.explained)];
  }

  function start(all) {
    const root = document.getElementById("explore");
    if (!root || !all.length) return;
    orders = all;
    tables = Array.from(document.querySelectorAll("table.places"));
    layOut(root);
    take(all[0]);
    root.hidden = false;
  }

  return { start };
})();
