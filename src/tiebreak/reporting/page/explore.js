// Other settings: score and cost, level, margin and rate of exchange move the order, computed by multitest.js.
"use strict";

const Explore = (() => {
  const { make } = Page;
  const FEW = 30; // rows that are written at once, seen or not
  let orders = [], data = null, standing = null, matrix = null, parts = {}, pair = [0, 1];

  // A slider over a list of settings, with its words beside it.
  function slider(id, label, help, input = update) {
    const range = make("input", { type: "range", id, min: "0", step: "1", "aria-describedby": `${id}-help`, input });
    const out = make("output", { for: id });
    parts[id] = { range, out };
    return make("div", {}, make("label", { for: id }, label), range, out, make("small", { id: `${id}-help` }, help));
  }

  function choice(id, label, options, change) {
    const select = make("select", { id, change }, ...options.map((each) => make("option", {}, each)));
    parts[id] = select;
    return make("span", {}, make("label", { for: id }, `${label} `), select);
  }

  const unique = (all) => Array.from(new Set(all));
  const costName = (each) => (each.where ? `${each.cost} (${each.where})` : each.cost);

  function layOut(root) {
    const scores = unique(orders.map((each) => each.score)), costs = unique(orders.map(costName));
    const exchange = make("div", {}, slider("accd", "", "Rate of exchange of the second order: A3R with this AccD.", rates));
    const flag = make("input", { type: "checkbox", id: "undecided", change: update });
    parts.undecided = flag;
    parts.exchange = exchange;
    parts.margins = make("div", {}, slider("margin", "Margin", "So much worse is good enough: a cheaper one shown to be within it stands first."),
      make("label", { for: "undecided" }, flag, " where nothing is shown, the ", parts.rather = make("span", { text: "costlier" }), " one first"));
    parts.status = make("p", { class: "said", role: "status", id: "setting" });
    parts.table = make("tbody", { role: "rowgroup" }); // roles are said, since rows are stacked on a phone
    parts.rates = make("div", {});
    parts.unrated = make("p", {});
    parts.unmargined = make("p", {});
    parts.explanation = make("p", { class: "said", role: "status", id: "explanation" });
    parts.under = make("div");
    parts.matrix = make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "All pairs at this setting" });
    root.append(
      make("h3", {}, "Try other settings"),
      make("p", {}, "The order below is computed in this page, from the decisions of the package at each of these settings."),
      make("div", { class: "row" }, choice("score", "Score", scores, choose), choice("cost", "Cost", costs, choose),
        make("button", { type: "button", id: "reset", click: reset }, "Back to the report's own setting")),
      make("div", { class: "controls" },
        slider("alpha", "Level (alpha)", "How rarely chance may pass for a difference: smaller asks for more proof."),
        parts.margins, make("div", {}, exchange, parts.unrated), parts.unmargined),
      parts.status,
      make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "The order at this setting" },
        make("table", { id: "live", role: "table" }, make("caption", {}, "The order at this setting"), make("thead", { role: "rowgroup" }, heads()), parts.table)),
      parts.rates,
      make("h3", {}, "Explain a pair"),
      make("div", { class: "row" }, choice("first", "Why does", [], () => pick()), choice("second", "stand where it does beside", [], () => pick())),
      parts.explanation, Matrix.key(), parts.matrix, parts.under,
    );
  }

  function heads() {
    const words = [["place", ""], ["moved", ""], ["algorithm, and why there", "text"], ["by", "text"], ...Object.keys(data.cells).map((each) => [each, ""])];
    return make("tr", { role: "row" }, ...words.map(([name, kind]) => make("th", { scope: "col", role: "columnheader", class: kind }, name)));
  }

  function choose() {
    const wanted = orders.filter((each) => each.score === parts.score.value);
    data = wanted.find((each) => costName(each) === parts.cost.value) || wanted[0];
    parts.cost.value = costName(data);
    take();
    update();
  }

  // Set the controls to an order's own settings.
  function take() {
    parts.alpha.range.max = data.levels.length - 1;
    parts.margin.range.max = data.margins.length;
    parts.margins.hidden = !data.margins.length;
    parts.unmargined.replaceChildren(make("b", {}, "Margin. "), data.unmargined);
    parts.unmargined.hidden = !data.unmargined;
    parts.exchange.hidden = !data.exchange;
    parts.exchange.querySelector("label").textContent = data.trading;
    parts.unrated.replaceChildren(make("b", {}, `${data.trading}. `), data.unrated);
    parts.unrated.hidden = Boolean(data.exchange);
    if (data.exchange) parts.accd.range.max = data.exchange.accds.length - 1;
    document.querySelector("#live thead").replaceChildren(heads());
    layRows();
    for (const id of ["first", "second"]) parts[id].replaceChildren(...data.algorithms.map((name) => make("option", {}, name)));
    matrix = Matrix.create(data.algorithms, (row, column) => { pair = [standing.order[row], standing.order[column]]; say(); });
    parts.matrix.replaceChildren(matrix.canvas);
    parts.under.replaceChildren(matrix.under);
    pair = [data.order[0], data.order[1]];
    own();
    rates();
  }

  function own() {
    parts.alpha.range.value = data.level;
    parts.margin.range.value = data.margin === null ? 0 : data.margin + 1;
    parts.undecided.checked = data.undecided !== "cheaper";
    parts.rather.textContent = other() === "better" ? "better-scoring" : "costlier";
    if (data.exchange) parts.accd.range.value = data.exchange.accd;
  }

  // What stands first if not the cheaper one: as the report has it, else the costlier one.
  const other = () => (data.undecided === "cheaper" ? "costlier" : data.undecided);

  function reset() { own(); rates(); update(); }

  function setting() {
    const margin = Number(parts.margin.range.value);
    return { level: Number(parts.alpha.range.value), margin: margin ? margin - 1 : null, undecided: parts.undecided.checked ? other() : "cheaper" };
  }

  const say = () => {
    const [i, j] = pair;
    parts.first.selectedIndex = i;
    parts.second.selectedIndex = j;
    const moved = !standing.asReported() && data.firm ? " (How firm this is was resampled at the report's own setting alone.)" : "";
    parts.explanation.textContent = `${standing.explain(i, j)}${moved}`;
    matrix.set(standing, standing.place[i] - 1, standing.place[j] - 1);
  };

  function pick() {
    const [i, j] = ["first", "second"].map((id) => parts[id].selectedIndex);
    if (i === j) { parts.explanation.textContent = `${data.algorithms[i]} is one algorithm.`; return; }
    pair = [i, j];
    say();
  }

  function update() {
    const now = setting(), margin = now.margin === null ? "none" : `${data.margins[now.margin]} ${data.unit || `of ${data.score}`}`;
    standing = new Tiebreak.Standing(data, now);
    parts.alpha.out.textContent = data.levels[now.level];
    parts.margin.out.textContent = margin;
    parts.alpha.range.setAttribute("aria-valuetext", data.levels[now.level]);
    parts.margin.range.setAttribute("aria-valuetext", margin);
    parts.undecided.disabled = now.margin === null;
    rows();
    say();
  }

  function moved(i, place) {
    const before = data.order.indexOf(i) + 1;
    return before === place ? "" : before > place ? `\u25b2${before - place}` : `\u25bc${place - before}`;
  }

  // The rows stay; only what changes is written, so that a step of a slider is quick with many algorithms.
  function layRows() {
    const row = () => {
      const name = make("b", { tabindex: "-1" }), why = make("small");
      const texts = ["place", "moved", "text", "text by"].map((kind) => make("td", { role: "cell", class: kind }));
      const numbers = Object.keys(data.cells).map((label) => make("td", { role: "cell", class: "number", "data-label": label }));
      texts[2].append(name, why);
      const line = make("tr", { role: "row" }, ...texts, ...numbers), cells = [texts[0], texts[1], name, why, texts[3], ...numbers];
      return { line, name, write: (words) => words.forEach((text, k) => { if (cells[k].textContent !== text) cells[k].textContent = text; }) };
    };
    parts.rows = data.algorithms.map(row);
    parts.table.replaceChildren(...parts.rows.map(({ line }) => line));
    parts.table.classList.toggle("many", parts.rows.length > FEW); // their rows are laid out when they come into sight
    parts.roved = false;
  }

  function writeRow(k) {
    const i = standing.order[k], { by, text } = standing.reason(i), name = data.algorithms[i], row = parts.rows[k];
    row.name.setAttribute("data-name", name);
    row.write([String(k + 1), moved(i, k + 1), name, text, by, ...Object.values(data.cells).map((column) => column[i])]);
  }

  // Rows in sight are written at once, the others of a long table when these are painted: a slider does not wait for what
  // nobody sees. A further step starts anew.
  function writeRows() {
    const count = standing.count, region = parts.table.closest(".wide"), whole = !parts.roved || count <= FEW;
    const high = region.scrollHeight / count, first = whole ? 0 : Math.max(0, Math.floor(region.scrollTop / high) - 2);
    const seen = whole ? count : Math.ceil(region.clientHeight / high) + 4, turn = standing;
    const places = Array.from({ length: count }, (_, k) => (first + k) % count);
    const rest = () => {
      if (standing !== turn) return;
      places.slice(seen).forEach(writeRow);
      parts.table.setAttribute("aria-busy", "false");
    };
    places.slice(0, seen).forEach(writeRow);
    parts.table.setAttribute("aria-busy", String(seen < count));
    if (seen < count) requestAnimationFrame(() => setTimeout(rest)); // a frame's own callbacks run before it is painted
  }

  function rows() {
    writeRows();
    if (!parts.roved) Names.rove(parts.table); // rows stay, and with them where the tab key stops
    parts.roved = true;
    const changed = standing.order.filter((i, k) => data.order[k] !== i).length;
    const same = changed ? `${changed} of ${standing.count} places differ from the report's own order` : "the report's own order";
    parts.status.textContent = `First at this setting: ${data.algorithms[standing.order[0]]}; ${same}.`;
  }

  function rates() {
    const own = data.exchange;
    parts.rates.hidden = !own;
    if (!own) return;
    const accd = Number(parts.accd.range.value), order = Tiebreak.exchange(own, own.accds[accd]);
    parts.accd.out.textContent = own.sentences[accd];
    parts.accd.range.setAttribute("aria-valuetext", own.sentences[accd]);
    const list = order.map((i) => make("li", {}, make("span", { "data-name": own.names[i] }, own.names[i])));
    parts.rates.replaceChildren(make("h4", {}, "By this rate of exchange alone"),
      make("p", {}, `${own.sentences[accd]}. No test is asked: the order is that of A3R ${own.over}.`), make("ol", { id: "rates" }, ...list));
  }

  // Buttons in tables of pairs, where both are known here.
  function buttons() {
    for (const table of document.querySelectorAll("main table")) {
      const heads = Array.from(table.tHead.rows[0].cells).map((head) => head.textContent);
      if (heads[0] !== "a" || heads[1] !== "b") continue;
      table.tHead.rows[0].append(make("th", { scope: "col", class: "text why" }, "why"));
      for (const row of table.tBodies[0].rows) {
        const [a, b] = [0, 1].map((k) => row.cells[k].textContent);
        const show = () => {
          const asked = [a, b].map((name) => data.algorithms.indexOf(name));
          if (asked.includes(-1)) return;
          pair = asked;
          say();
          document.getElementById("explain-heading").scrollIntoView({ block: "start" });
          parts.first.focus();
        };
        if (!data.algorithms.includes(a) || !data.algorithms.includes(b)) {
          row.append(make("td", { class: "text why" }));
          continue;
        }
        const button = make("button", { type: "button", "aria-label": `Explain ${a} and ${b}`, click: show }, "explain");
        row.append(make("td", { class: "text why" }, button));
      }
    }
  }

  // What an order has in common with an earlier one is told by that one's number.
  const LONG = ["differences"], OF_MODELS = ["better", "toward", "own", "own_p", "p", "adjusted", "good"];
  function toldInFull(all) {
    const full = (mine, keys, its) => keys.forEach((key) => { if (typeof mine[key] === "number") mine[key] = its(mine[key])[key]; });
    all.forEach((each) => {
      full(each, LONG, (k) => all[k]);
      each.models.forEach((model, m) => full(model, OF_MODELS, (k) => all[k].models[m]));
    });
    return all;
  }

  function start(all) {
    const root = document.getElementById("explore");
    if (!root || !all.length) return;
    orders = toldInFull(all);
    data = all[0];
    layOut(root);
    root.querySelectorAll("h3")[1].id = "explain-heading";
    take();
    root.hidden = false;
    update();
    buttons();
  }

  // What a download of the order holds.
  function state() {
    if (!standing) return null;
    const { level, margin, undecided } = standing.setting;
    return {
      score: data.score, cost: data.cost, alpha: data.levels[level], margin: margin === null ? null : data.margins[margin], undecided,
      order: standing.order.map((i) => data.algorithms[i]),
      reasons: standing.order.map((i, k) => ({ algorithm: data.algorithms[i], place: k + 1, ...standing.reason(i) })),
    };
  }

  return { start, state, redraw: () => matrix && matrix.draw() };
})();
