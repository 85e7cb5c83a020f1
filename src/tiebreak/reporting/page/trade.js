// The order at another trade: worth is the mean score less the trade times the mean log10 cost. How sure a first place is,
// and every explanation, was computed by the package and is shown as it came.
"use strict";

const Trade = (() => {
  const { make } = Page;
  const parts = {};
  let orders = [], data = null, order = [], step = 0;

  const unique = (all) => Array.from(new Set(all));
  const RULES = { worth: "worth", multitest: "MultiTest", multi2test: "Multi2Test" };
  const costName = (one) => `${one.cost}${one.where ? ` (${one.where})` : ""}`;
  const ruleName = (one) => RULES[one.rule] || one.rule;
  const pairAt = (i, j, count) => (i * (2 * count - i - 1)) / 2 + j - i - 1; // pairs i < j lie row by row, by places

  function choice(id, label, options, change) {
    const select = make("select", { id, change }, ...options.map((name) => make("option", {}, name)));
    parts[id] = select;
    return make("span", {}, make("label", { for: id }, `${label} `), select);
  }

  let showing = null; // what shows the order in place of a table of this script

  function layOut(root, pairs) {
    parts.range = make("input", { type: "range", id: "trade", min: "0", step: "1", "aria-describedby": "trade-help", input: move });
    parts.label = make("output", { for: "trade" });
    parts.slider = make("div", {}, make("label", { for: "trade" }, "Ten times the cost must buy"), parts.range, parts.label,
      make("small", { id: "trade-help" }, "Left: score counts for more. Right: cost counts for more."));
    parts.status = make("p", { class: "said", role: "status", id: "setting" });
    parts.head = make("thead", { role: "rowgroup" });
    parts.body = make("tbody", { role: "rowgroup" });
    parts.explanation = make("p", { class: "said", role: "status", id: "explanation" });
    parts.reset = make("button", { type: "button", id: "reset", click: reset }, "Reset the trade");
    const caption = "The order at this trade", rules = unique(orders.map(ruleName));
    const rule = choice("rule", "Rule", rules, choose);
    rule.hidden = rules.length < 2;
    const place = document.getElementById("moved") || root; // the table may stand apart from what moves it
    const slide = document.getElementById("slide"); // and so may the slider
    if (slide) { slide.append(parts.slider); slide.hidden = false; }
    root.append(
      make("h2", {}, `What is ${orders[0].score} worth to you?`),
      make("div", { class: "row" }, choice("score", "Score", unique(orders.map((one) => one.score)), choose),
        choice("cost", "Cost", unique(orders.map(costName)), choose), rule, parts.reset),
      slide ? "" : make("div", { class: "controls" }, parts.slider), parts.status, parts.front = make("ul", { class: "seg" }),
    );
    if (!showing) place.append(
      make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption },
        make("table", { id: "live", class: "answers", role: "table" }, make("caption", {}, caption), parts.head, parts.body)),
    );
    place.hidden = false;
    if (pairs) place.append(
      make("h3", {}, "Explain a pair"),
      make("div", { class: "row" }, choice("first", "Why does", [], explain), choice("second", "stand where it does beside", [], explain)),
      parts.explanation,
    );
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
    const words = [["place", ""], ["moved", ""], ["algorithm", "text"], ...data.header.map((name) => [name, ""])];
    parts.head.replaceChildren(make("tr", { role: "row" }, ...words.map(([name, kind]) => make("th", { scope: "col", role: "columnheader", class: kind }, name))));
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
    step = moving ? Number(parts.range.value) : 0;
    const values = moving && moving.scores.map((score, i) => score - moving.grid[step].trade * moving.logs[i]);
    order = !moving || step === moving.chosen ? data.order : sorted(values);
    if (moving) {
      parts.label.textContent = moving.grid[step].label;
      parts.range.setAttribute("aria-valuetext", moving.grid[step].label);
    }
    const trade = moving && moving.grid[step].trade, holds = (part) => part.from <= trade && (part.to === null || trade < part.to);
    parts.front.replaceChildren(...(moving ? moving.frontier : []).map((part) => make("li", { class: holds(part) ? "on" : "" },
      make("span", {}, `${part.algorithm} `, make("small", {}, part.range)), make("span", {}, `${part.shown} `, make("small", {}, part.beside)))));
    const changed = order.filter((i, place) => data.order[place] !== i).length;
    const same = !moving ? "The trade moves orders by worth only." : changed ? `${changed} of ${order.length} places differ from the answer.` : "This is the order of the answer.";
    parts.status.textContent = `${moving ? moving.grid[step].text : `First by ${ruleName(data)}: ${data.algorithms[order[0]]}.`} ${same}`;
    rows(values);
  }

  const worth = (behind) => (data.trade.factor === null ? behind.toPrecision(3) : (data.trade.factor * behind).toFixed(1)).replace(/^-(0\.?0*)$/, "$1");

  // A bar before the number, in the columns that have some.
  function drawn(i, k) {
    const lengths = (data.bars || {})[k];
    if (!lengths) return [];
    const draw = (tag, attributes, ...children) => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      element.append(...children);
      return element;
    };
    const rect = (width, kind) => draw("rect", { width, height: 8, rx: 4, class: kind });
    return [make("span", { class: k > 0 ? "bars cost" : "bars" },
      draw("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" }, rect(100, "back"), rect(lengths[i], "")))];
  }

  function rows(values) {
    if (showing) return showing(order.map((i) => data.algorithms[i]), values ? order.map((i) => worth(values[i] - values[order[0]])) : null);
    const last = data.header.indexOf("worth");
    parts.body.replaceChildren(...order.map((i, place) => {
      const before = data.order.indexOf(i), step = before - place, name = data.algorithms[i];
      const cells = data.cells[i].map((text, k) => (values && k === last ? worth(values[i] - values[order[0]]) : text));
      return make("tr", { role: "row" },
        make("td", { role: "cell", class: "place" }, String(place + 1)),
        make("td", { role: "cell", class: "moved" }, step > 0 ? `\u25b2${step}` : step < 0 ? `\u25bc${-step}` : ""),
        make("td", { role: "cell", class: "text" }, make("b", { "data-name": name, tabindex: "-1" }, name)),
        ...cells.map((text, k) => make("td", { role: "cell", class: "number", "data-label": data.header[k] }, ...drawn(i, k), text)));
    }));
    Names.rove(parts.body);
  }

  async function explain() {
    const [i, j] = [parts.first.selectedIndex, parts.second.selectedIndex], one = data;
    if (i < 0) return;
    if (i === j) { parts.explanation.textContent = `${data.algorithms[data.order[i]]} is one algorithm.`; return; }
    const all = (await Page.unpacked("packed")).explanations[orders.indexOf(one)];
    if (one !== data || i !== parts.first.selectedIndex || j !== parts.second.selectedIndex) return;
    parts.explanation.textContent = all[pairAt(Math.min(i, j), Math.max(i, j), one.explained)];
  }

  function start(all, pairs = true, show = null) {
    showing = show;
    const root = document.getElementById("explore");
    if (!root || !all.length) return;
    orders = all;
    layOut(root, pairs);
    take(all[0]);
    root.hidden = false;
  }

  // What a download of the order holds.
  function state() {
    if (!data) return null;
    const at = data.trade && data.trade.grid[step];
    return { score: data.score, cost: data.cost, rule: data.rule, trade: at ? at.trade : null, probability: at ? at.probability : null,
      regret: at ? at.regret : null, order: order.map((i) => data.algorithms[i]) };
  }

  return { start, state };
})();
