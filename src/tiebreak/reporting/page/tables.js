// Names that light up everywhere, and tables that sort and filter. Everything is made of nodes and text, never of markup.
"use strict";

const Page = {
  // A new element; attributes are text, functions are listeners, false leaves an attribute out.
  make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") element.addEventListener(name, value);
      else if (value !== false) element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  },

  // What is packed in a block is unpacked when it is first asked for.
  blocks: new Map(),
  unpacked(id) {
    const read = async () => {
      const bytes = Uint8Array.from(atob(JSON.parse(document.getElementById(id).textContent)), (each) => each.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
      return JSON.parse(await new Response(stream).text());
    };
    if (!this.blocks.has(id)) this.blocks.set(id, read());
    return this.blocks.get(id);
  },

  // The switch of colours; `redraw` is called where something is drawn by hand.
  themes(redraw) {
    const themes = { "as the system": "", light: "light", dark: "dark" };
    const recolour = (event) => {
      const theme = themes[event.target.value];
      if (theme) document.documentElement.dataset.theme = theme;
      else delete document.documentElement.dataset.theme;
      redraw();
    };
    const options = Object.keys(themes).map((name) => this.make("option", {}, name));
    document.getElementById("switches").append(
      this.make("label", { for: "theme" }, "Colours "), this.make("select", { id: "theme", change: recolour }, ...options));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  },
};

const Names = (() => {
  const STOPS = "td[data-name], td [data-name]";
  const HEADS = new Set(["algorithm", "a", "b", "better", "cheaper", "costlier", "control"]); // of columns that hold names
  const NUMBER = /^[-+\u2212]?[\d.,]+(e[-+]?\d+)?\s*%?$/i; // a name like this may be a tick of an axis, or a place
  let lit = "";

  const own = (text) => Array.from(text.childNodes).filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join("");

  // Mark the cells of a table that are names, by the heads of its columns: elsewhere a name such as 12 is a number.
  function markTable(names, table) {
    Array.from(table.tHead.rows[0].cells).forEach((head, k) => {
      if (!head.classList.contains("text") || !HEADS.has(head.textContent)) return;
      head.classList.add("names");
      for (const { cells } of table.tBodies[0].rows) if (names.has(cells[k].textContent) && !cells[k].querySelector("[data-name]")) cells[k].dataset.name = cells[k].textContent;
    });
    rove(table);
  }

  // Mark every cell and every word of a figure that is the name of an algorithm.
  function mark(names, root) {
    root.querySelectorAll("table").forEach((table) => markTable(names, table));
    for (const text of root.querySelectorAll("svg text")) {
      const title = text.querySelector("title"), told = title && names.has(title.textContent), full = told ? title.textContent : own(text);
      if (names.has(full) && (told || !NUMBER.test(full))) text.setAttribute("data-name", full);
    }
  }

  // One stop of the tab key per table; the arrows go on from there.
  function rove(table) {
    const cells = Array.from(table.querySelectorAll(STOPS));
    cells.forEach((cell, k) => { cell.tabIndex = k ? -1 : 0; });
  }

  function step(event) {
    const cell = event.target.closest && event.target.closest(STOPS);
    if (!cell || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
    const cells = Array.from(cell.closest("table").querySelectorAll(STOPS)).filter((each) => each.offsetParent);
    const next = cells[cells.indexOf(cell) + (event.key === "ArrowDown" ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    cells.forEach((each) => { each.tabIndex = -1; });
    next.tabIndex = 0;
    next.focus();
  }

  function light(name) {
    if (name === lit) return;
    document.querySelectorAll(".lit").forEach((each) => each.classList.remove("lit"));
    lit = name;
    if (name) document.querySelectorAll(`[data-name="${CSS.escape(name)}"]`).forEach((each) => each.classList.add("lit"));
  }

  // The name under the pointer, or else the one that has the focus.
  const over = (event) => {
    const near = (element) => element && element.closest && element.closest("[data-name]");
    const named = near(event.target) || near(document.activeElement);
    light(named ? named.getAttribute("data-name") : "");
  };

  function start(names) {
    mark(names, document.querySelector("main"));
    document.addEventListener("pointerover", over);
    document.addEventListener("focusin", over);
    document.addEventListener("focusout", () => light(""));
    document.addEventListener("keydown", step);
  }

  return { start, rove };
})();

const Tables = (() => {
  const FEWEST = 6; // rows from which on a filter helps

  // What a cell is sorted by: a ratio such as 1/190, its first number, or nothing.
  function size(text) {
    const ratio = text.match(/^\s*1\/(\d+(\.\d+)?)\s*$/);
    if (ratio) return 1 / parseFloat(ratio[1]);
    const found = text.replace(/,/g, "").match(/-?\d+(\.\d+)?(e[-+]?\d+)?/i);
    return found ? parseFloat(found[0]) : NaN;
  }

  function sort(table, column, words, down) {
    const body = table.tBodies[0], rows = Array.from(body.rows), key = (row) => row.cells[column].dataset.value || row.cells[column].textContent;
    if (rows.every((row) => Number.isNaN(size(key(row))))) words = true;
    const compare = words ? (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) : (a, b) => size(key(a)) - size(key(b));
    const known = rows.filter((row) => words || !Number.isNaN(size(key(row)))), rest = rows.filter((row) => !known.includes(row));
    known.sort((a, b) => (down ? -compare(a, b) : compare(a, b)));
    body.append(...known, ...rest);
    Names.rove(table);
  }

  function sortable(table) {
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      const words = head.classList.contains("text"), name = head.textContent;
      if (!name) return;
      const turn = () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table, column, words, down);
      };
      head.replaceChildren(Page.make("button", { type: "button", title: "Sort by this column", click: turn }, name));
    });
  }

  function filterable(table) {
    const rows = Array.from(table.tBodies[0].rows);
    if (rows.length < FEWEST) return;
    const region = table.closest("[role=region]"), caption = region ? region.getAttribute("aria-label") : "table", count = Page.make("span", { role: "status" });
    const narrow = (event) => {
      const wanted = event.target.value.toLowerCase();
      for (const row of rows) row.hidden = !Array.from(row.cells).some((cell) => cell.textContent.toLowerCase().includes(wanted));
      count.textContent = wanted ? ` ${rows.filter((row) => !row.hidden).length} of ${rows.length} rows` : "";
    };
    const field = Page.make("input", { type: "search", placeholder: "filter", "aria-label": `Filter: ${caption}`, input: narrow });
    (table.closest(".wide") || table).before(Page.make("div", { class: "filter" }, field, count));
  }

  const start = () => document.querySelectorAll("main table").forEach((table) => { sortable(table); filterable(table); });
  return { start, sortable };
})();
