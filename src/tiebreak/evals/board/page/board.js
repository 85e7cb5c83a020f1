// Puts a board to work: search, tiers and sorting in the table, another trade or rule, and why one stands before another.
"use strict";

const Board = (() => {
  const { make } = Page;
  const FEW = 25; // of more rows the reasons are there for who asks
  const data = JSON.parse(document.getElementById("data").textContent), { names, known } = data, count = names.length;
  const table = document.getElementById("list"), rows = Array.from(table.tBodies[0].rows);
  const byName = new Map(rows.map((row) => [row.querySelector("[data-name]").dataset.name, row]));
  const at = (i, j, of = count) => (i * (2 * of - i - 1)) / 2 + j - i - 1; // pairs i < j lie row by row, by places
  const parts = {};
  let pair = [0, data.best || Math.min(1, count - 1)], matrix = null, from = null;

  // What is known of a pair, as the matrix asks for it; shown(i, j): j is significantly better than i.
  const TURNED = { "<": ">", ">": "<" };
  const WORDS = { "<": "significantly better", ">": "significantly worse" };
  const code = (i, j) => (i < j ? known[at(i, j)] : TURNED[known[at(j, i)]] || known[at(j, i)]);
  const standing = {
    order: names.map((_, i) => i),
    shown: (i, j) => code(i, j) === ">",
    known: (i, j) => WORDS[code(i, j)] || "no significant difference",
  };

  function choice(id, label, options, change) {
    const select = make("select", { id, change }, ...options.map((each) => make("option", {}, each)));
    parts[id] = select;
    return make("span", {}, make("label", { for: id }, `${label} `), select);
  }

  // ---- the table

  function narrow() {
    const wanted = parts.search.value.toLowerCase(), tier = parts.tier.selectedIndex;
    for (const row of rows) {
      const named = row.querySelector("[data-name]").dataset.name.toLowerCase().includes(wanted);
      row.hidden = !named || (tier > 0 && row.dataset.tier !== String(tier)) || (parts.front.checked && !("front" in row.dataset));
    }
    const seen = rows.filter((row) => !row.hidden).length;
    parts.count.textContent = seen === rows.length ? `${seen} in all` : `${seen} of ${rows.length}`;
    Names.rove(table);
  }

  function controls() {
    const tiers = ["all tiers", ...Array.from({ length: data.tiers }, (_, k) => `tier ${k + 1}`)];
    parts.search = make("input", { type: "search", id: "search", placeholder: "search", "aria-label": "Search names", input: narrow });
    parts.front = make("input", { type: "checkbox", id: "front", change: narrow });
    parts.short = make("input", { type: "checkbox", id: "reasons", change: () => table.classList.toggle("bare", !parts.short.checked) });
    parts.short.checked = count <= FEW;
    table.classList.toggle("bare", count > FEW);
    parts.count = make("span", { role: "status", id: "count" });
    const worth = make("label", { for: "front" }, parts.front, ` only those nobody beats in both score and ${data.cost}`);
    worth.hidden = !data.cost || !rows.some((row) => "front" in row.dataset);
    table.closest(".wide").before(make("div", { class: "row filters" }, parts.search, choice("tier", "Tier", tiers, narrow),
      make("label", { for: "reasons" }, parts.short, " reasons"), worth, parts.count));
    narrow();
  }

  // Another trade or rule: the rows follow, with their places and worth.
  function order(algorithms, worth) {
    const column = Array.from(table.tHead.rows[0].cells).findIndex((head) => head.textContent === "Worth");
    for (const head of table.tHead.rows[0].cells) head.removeAttribute("aria-sort");
    algorithms.forEach((name, k) => {
      const row = byName.get(name), values = { 0: k + 1, ...(worth && column > 0 ? { [column]: worth[k] } : {}) };
      for (const [at, value] of Object.entries(values)) { row.cells[at].textContent = value; row.cells[at].dataset.value = value; }
      table.tBodies[0].append(row);
    });
    Names.rove(table);
  }

  // A name is a button that asks why it stands where it does.
  function asking() {
    for (const row of rows) {
      const name = row.querySelector("b[data-name]"), i = names.indexOf(name.dataset.name);
      const ask = () => {
        from = button;
        pair = [i, i === data.best ? (i === 0 ? Math.min(1, count - 1) : 0) : data.best];
        say();
        document.getElementById("pair").scrollIntoView();
        parts.second.focus({ preventScroll: true });
      };
      const button = make("button", { type: "button", class: "name", "data-name": name.dataset.name, title: "Why does it stand here?", click: ask }, name.textContent);
      name.replaceWith(button);
    }
    Names.rove(table);
  }

  // ---- why

  async function say() {
    const [i, j] = pair, low = Math.min(i, j), high = Math.max(i, j);
    parts.first.selectedIndex = i;
    parts.second.selectedIndex = j;
    matrix.set(standing, i, j);
    if (high >= data.explained) {
      parts.text.textContent = `Pairs among the first ${data.explained} are explained here; the command line explains all.`;
      return;
    }
    const all = await Page.unpacked("pairs");
    if (pair[0] === i && pair[1] === j) parts.text.textContent = i === j ? `${names[i]} is one.` : all[at(low, high, data.explained)];
  }

  function pick() {
    pair = [parts.first.selectedIndex, parts.second.selectedIndex];
    say();
  }

  function back() {
    const target = from && from.isConnected && !from.closest("tr").hidden ? from : table.querySelector("tr:not([hidden]) .name");
    (target || parts.search).focus();
  }

  function why() {
    const root = document.getElementById("why");
    parts.text = make("p", { class: "said", role: "status", id: "explanation" });
    matrix = Matrix.create(names, (row, column) => { pair = [row, column]; say(); });
    root.append(
      make("div", { class: "row" }, choice("first", "Why does", names, pick), choice("second", "stand where it does beside", names, pick),
        make("button", { type: "button", id: "back", click: back }, "Back to the board")),
      parts.text, Matrix.key(),
      make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "All pairs" }, matrix.canvas), matrix.under);
    root.hidden = false;
    document.getElementById("unscripted").remove();
    say();
  }

  Page.themes(() => matrix.draw());
  controls();
  asking();
  Tables.sortable(table);
  Names.start(new Set(names));
  why();
  Trade.start(data.orders, false, order);
  return { standing };
})();
