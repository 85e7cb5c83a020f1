// Puts a board to work: search, tiers and sorting in the table, another trade or rule, and why one stands before another.
"use strict";

(() => {
  const { make } = Page;
  const data = JSON.parse(document.getElementById("data").textContent), { names } = data, count = names.length;
  const table = document.getElementById("list"), rows = Array.from(table.tBodies[0].rows);
  const at = (i, j, of) => (i * (2 * of - i - 1)) / 2 + j - i - 1; // pairs i < j lie row by row, by places
  const parts = {};
  let from = null;

  function choice(id, label, options, change) {
    const [select, whole] = Page.choice(id, label, options, change);
    parts[id] = select;
    return whole;
  }

  // ---- the table

  function narrow() {
    const wanted = parts.search.value.toLowerCase(), tier = parts.tier.selectedIndex, from = parts.organisation?.selectedIndex ? parts.organisation.value : "";
    for (const row of rows) {
      const named = row.querySelector("[data-name]").dataset.name.toLowerCase().includes(wanted);
      row.hidden = !named || (tier > 0 && row.dataset.tier !== String(tier)) || (parts.front.checked && !("front" in row.dataset))
        || (from && row.dataset.organisation !== from);
    }
    const seen = rows.filter((row) => !row.hidden).length;
    parts.count.textContent = seen === rows.length ? `${seen} in all` : `${seen} of ${rows.length}`;
  }

  function controls() {
    const tiers = ["all tiers", ...Array.from({ length: data.tiers }, (_, k) => `tier ${k + 1}`)];
    const organisations = [...new Set(rows.map((row) => row.dataset.organisation).filter(Boolean))].sort((a, b) => a.localeCompare(b));
    parts.search = make("input", { type: "search", id: "search", placeholder: "search", "aria-label": "Search names", input: narrow });
    parts.front = make("input", { type: "checkbox", id: "front", change: narrow });
    parts.count = make("span", { role: "status", id: "count" });
    const worth = make("label", { for: "front" }, parts.front, ` best at its ${data.cost} only`);
    worth.hidden = !data.cost || !rows.some((row) => "front" in row.dataset);
    table.closest(".wide").before(make("div", { class: "row filters" }, parts.search, choice("tier", "Tier", tiers, narrow),
      ...(organisations.length > 1 ? [choice("organisation", "Organization", ["all organizations", ...organisations], narrow)] : []), worth, parts.count));
    narrow();
  }

  // A name is a button that asks why it stands where it does.
  function asking() {
    for (const row of rows) {
      const name = row.querySelector("b[data-name]"), i = names.indexOf(name.dataset.name);
      const ask = () => {
        from = button;
        choose(i, i === data.best ? (i === 0 ? Math.min(1, count - 1) : 0) : data.best);
        document.getElementById("pair").scrollIntoView();
        parts.second.focus({ preventScroll: true });
      };
      const button = make("button", { type: "button", class: "name", "data-name": name.dataset.name, title: "Why does it stand here?", click: ask }, name.textContent);
      name.replaceWith(button);
    }
  }

  // ---- why

  function choose(i, j) {
    parts.first.selectedIndex = i;
    parts.second.selectedIndex = j;
    say();
  }

  async function say() {
    const [i, j] = [parts.first.selectedIndex, parts.second.selectedIndex], low = Math.min(i, j), high = Math.max(i, j);
    const all = high < data.explained && i !== j ? await Page.unpacked("pairs") : null;
    if (i !== parts.first.selectedIndex || j !== parts.second.selectedIndex) return;
    parts.text.textContent = all ? all[at(low, high, data.explained)] : i === j ? `${names[i]} is one.`
      : `Pairs among the first ${data.explained} are explained here; the command line explains all.`;
  }

  function back() {
    const target = from && from.isConnected && !from.closest("tr").hidden ? from : table.querySelector("tr:not([hidden]) .name");
    (target || parts.search).focus();
  }

  function why() {
    const root = document.getElementById("why");
    parts.text = make("p", { class: "said", role: "status", id: "explanation" });
    root.append(
      make("div", { class: "row" }, choice("first", "Why does", names, say), choice("second", "stand where it does beside", names, say),
        make("button", { type: "button", id: "back", click: back }, "Back to the board")),
      parts.text);
    root.hidden = false;
    document.getElementById("unscripted").remove();
    choose(0, data.best || Math.min(1, count - 1));
  }

  Page.themes();
  controls();
  asking();
  Tables.sortable(table);
  why();
  Trade.start(data.orders);
})();
