// What all scripts of a page share, and tables that sort. Everything is made of nodes and text, never of markup.
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

  // A list to choose from, with its label.
  choice(id, label, options, change) {
    const select = Page.make("select", { id, change }, ...options.map((each) => Page.make("option", {}, each)));
    return [select, Page.make("span", {}, Page.make("label", { for: id }, `${label} `), select)];
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

  // The switch of colours.
  themes() {
    const themes = { "as the system": "", light: "light", dark: "dark" };
    const recolour = (event) => {
      const theme = themes[event.target.value];
      if (theme) document.documentElement.dataset.theme = theme;
      else delete document.documentElement.dataset.theme;
    };
    document.getElementById("switches").append(...Page.choice("theme", "Colours", Object.keys(themes), recolour).slice(1));
  },
};

const Tables = (() => {
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
  }

  function unsorted(table) {
    for (const head of table.tHead.rows[0].cells) head.removeAttribute("aria-sort");
  }

  function sortable(table) {
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      const words = head.classList.contains("text"), name = head.textContent;
      if (!name) return;
      const turn = () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        unsorted(table);
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table, column, words, down);
      };
      head.replaceChildren(Page.make("button", { type: "button", title: "Sort by this column", click: turn }, name));
    });
  }

  return { sortable, unsorted, start: () => document.querySelectorAll("main table").forEach(sortable) };
})();
