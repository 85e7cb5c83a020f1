// The matrix of pairs at the present setting: row against column. The pair under the pointer is named; a click, or the
// arrow keys, chooses the pair to explain.
"use strict";

const Matrix = (() => {
  const LARGEST = 26, CLEAR = 7, SMALLEST = 3, WIDEST = 1040, AROUND = 60; // sides of a cell; the widest page, and what surrounds it
  const LEGIBLE = 10, LETTERS = 12, WIDE_NAME = 170, HEAD = 16, EVERY = 5; // names beside rows of so many pixels at least
  const KINDS = ["win", "lose", "open"];

  // What the row is beside the column.
  function kind(standing, i, j) {
    if (standing.shown(j, i)) return "win";
    return standing.shown(i, j) ? "lose" : "open";
  }

  function key() {
    const words = { win: "row better", lose: "column better", open: "no significant difference" };
    return Page.make("p", { class: "key" }, ...KINDS.map((each) => Page.make("span", {}, Page.make("i", { class: each }), words[each])));
  }

  const room = () => Math.min(WIDEST, window.innerWidth - AROUND);
  // Cells of many algorithms on a phone are smaller than a finger, in whole dots of the screen: all of the picture is seen, and
  // what is chosen is named under it.
  function sideFor(count, gutter) {
    const free = (room() - gutter) / count, dots = window.devicePixelRatio || 1;
    return free >= CLEAR ? Math.min(LARGEST, Math.floor(free)) : Math.max(SMALLEST, Math.floor(free * dots) / dots);
  }

  // How large cells are, and how much stands left of them: names where they can be read, else some of the places.
  function layOut(pen, names) {
    const count = names.length;
    pen.font = `${LETTERS}px sans-serif`;
    const longest = Math.max(...names.map((name, k) => pen.measureText(`${k + 1} ${name}`).width));
    const gutter = Math.min(longest, WIDE_NAME, room() / 3) + 6, side = sideFor(count, gutter);
    if (side >= LEGIBLE) return { side, gutter, named: true };
    const numbers = pen.measureText(String(count)).width + 6;
    return { side: sideFor(count, numbers), gutter: numbers, named: false };
  }

  function cut(pen, words, wide) {
    if (pen.measureText(words).width <= wide) return words;
    const letters = Array.from(words);
    while (letters.length && pen.measureText(`${letters.join("")}…`).width > wide) letters.pop();
    return `${letters.join("")}…`;
  }

  // A canvas for the algorithms; `choose(row, column)` is told which pair, as places in the order.
  function create(names, choose) {
    const count = names.length, label = "Matrix of pairs, in the order above. Arrow keys choose a pair; its explanation follows.";
    const canvas = Page.make("canvas", { tabindex: "0", role: "application", "aria-label": label });
    const under = Page.make("p", { class: "under" }, "Numbers are places. Point at a cell to see which pair it is; click it to have it explained.");
    const pen = canvas.getContext("2d"), { side, gutter, named } = layOut(pen, names);
    const gap = side >= CLEAR ? 1 : 0.5, around = side >= CLEAR ? 0 : 2; // between cells, and around the one that is chosen
    const at = { row: 0, column: Math.min(1, count - 1) }, cuts = new Map(); // measuring letters takes longest
    let shown = null;

    const fitted = (words) => {
      if (!cuts.has(words)) cuts.set(words, cut(pen, words, gutter - 6));
      return cuts.get(words);
    };
    const every = EVERY * side >= 2 * LEGIBLE - 2 ? EVERY : 2 * EVERY;
    const numbered = (place) => side >= 2 * LEGIBLE || place === 1 || place % every === 0;

    function heads(colour) {
      pen.font = `${Math.min(LETTERS, Math.max(side, LEGIBLE - 1))}px sans-serif`;
      pen.fillStyle = colour.ink;
      pen.textBaseline = "middle";
      shown.order.forEach((i, k) => {
        const middle = k * side + side / 2, place = String(k + 1);
        pen.textAlign = "center";
        if (numbered(k + 1)) pen.fillText(place, gutter + middle, HEAD / 2);
        pen.textAlign = "left";
        const words = named ? fitted(`${place} ${names[i]}`) : numbered(k + 1) ? place : "";
        pen.fillText(words, 0, HEAD + middle);
      });
    }

    function draw(standing) {
      shown = standing || shown;
      const scale = window.devicePixelRatio || 1, colours = getComputedStyle(document.documentElement);
      const colour = Object.fromEntries([...KINDS, "ink", "paper"].map((each) => [each, colours.getPropertyValue(`--${each}`).trim()]));
      canvas.width = (gutter + side * count) * scale;
      canvas.height = (HEAD + side * count) * scale;
      pen.setTransform(scale, 0, 0, scale, 0, 0);
      heads(colour);
      const cells = Object.fromEntries(KINDS.map((each) => [each, []]));
      shown.order.forEach((i, row) => shown.order.forEach((j, column) => { if (i !== j) cells[kind(shown, i, j)].push(row, column); }));
      for (const [each, places] of Object.entries(cells)) { // a colour is set once: that takes longer than to fill a cell
        pen.fillStyle = colour[each];
        for (let k = 0; k < places.length; k += 2) pen.fillRect(gutter + places[k + 1] * side, HEAD + places[k] * side, side - gap, side - gap);
      }
      pen.strokeStyle = colour.ink;
      pen.lineWidth = 2;
      const wide = side - gap + 2 * around;
      pen.strokeRect(gutter + at.column * side - around, HEAD + at.row * side - around, wide, wide);
    }

    const inside = (row, column) => row >= 0 && column >= 0 && row < count && column < count;

    function go(row, column) {
      if (!inside(row, column)) return;
      Object.assign(at, { row, column });
      draw();
      tell(row, column);
      if (row !== column) choose(row, column);
    }

    // Name the pair of a cell: row, column, and what is known of them.
    function tell(row, column) {
      const [i, j] = [shown.order[row], shown.order[column]];
      const words = i === j ? `${row + 1} ${names[i]}` : `${row + 1} ${names[i]} beside ${column + 1} ${names[j]}: ${shown.known(i, j)}`;
      under.textContent = words;
      canvas.title = words;
    }

    const cell = (event) => [Math.floor((event.offsetY - HEAD) / side), Math.floor((event.offsetX - gutter) / side)];
    canvas.style.width = `${gutter + side * count}px`; // through the object model, which the policy of the page allows
    canvas.style.height = `${HEAD + side * count}px`;
    canvas.addEventListener("click", (event) => go(...cell(event)));
    canvas.addEventListener("pointermove", (event) => { const [row, column] = cell(event); if (inside(row, column)) tell(row, column); });
    canvas.addEventListener("keydown", (event) => {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      go(at.row + step[0], at.column + step[1]);
    });
    const set = (standing, row, column) => { Object.assign(at, { row, column }); draw(standing); };
    return { canvas, under, draw, set };
  }

  return { create, key };
})();
