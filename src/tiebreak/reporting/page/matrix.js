// The matrix of pairs at the present setting: row against column. A click, or the arrow keys, chooses the pair to explain.
"use strict";

const Matrix = (() => {
  const LARGEST = 26, SMALLEST = 7, WIDEST = 560;
  const KINDS = ["win", "lose", "enough", "open"];

  // What the row is beside the column.
  function kind(standing, i, j) {
    if (standing.better(j, i)) return "win";
    if (standing.good(i, j) || standing.good(j, i)) return "enough";
    return standing.better(i, j) ? "lose" : "open";
  }

  function key() {
    const words = { win: "row better", lose: "column better", enough: "good enough", open: "not told apart" };
    return Page.make("p", { class: "key" }, ...KINDS.flatMap((each) => [Page.make("span", { class: each }), words[each]]));
  }

  // A canvas for `count` algorithms; `choose(row, column)` is told which pair, as places in the order.
  function create(count, choose) {
    const side = Math.max(SMALLEST, Math.min(LARGEST, Math.floor(Math.min(WIDEST, window.innerWidth - 60) / count)));
    const label = "Matrix of pairs, in the order above. Arrow keys choose a pair; its explanation follows.";
    const canvas = Page.make("canvas", { tabindex: "0", role: "application", "aria-label": label });
    const at = { row: 0, column: Math.min(1, count - 1) };
    let shown = null;

    function draw(standing) {
      shown = standing || shown;
      const scale = window.devicePixelRatio || 1, colours = getComputedStyle(document.documentElement);
      const colour = Object.fromEntries([...KINDS, "ink", "paper"].map((each) => [each, colours.getPropertyValue(`--${each}`).trim()]));
      canvas.width = canvas.height = side * count * scale;
      const pen = canvas.getContext("2d");
      pen.scale(scale, scale);
      shown.order.forEach((i, row) => shown.order.forEach((j, column) => {
        pen.fillStyle = colour[i === j ? "paper" : kind(shown, i, j)];
        pen.fillRect(column * side, row * side, side - 1, side - 1);
      }));
      pen.strokeStyle = colour.ink;
      pen.lineWidth = 2;
      pen.strokeRect(at.column * side, at.row * side, side - 1, side - 1);
    }

    function go(row, column) {
      if (row < 0 || column < 0 || row >= count || column >= count) return;
      Object.assign(at, { row, column });
      draw();
      if (row !== column) choose(row, column);
    }

    const size = `${side * count}px`;
    canvas.style.width = size; // through the object model, which the policy of the page allows
    canvas.style.height = size;
    canvas.addEventListener("click", (event) => go(Math.floor(event.offsetY / side), Math.floor(event.offsetX / side)));
    canvas.addEventListener("keydown", (event) => {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      go(at.row + step[0], at.column + step[1]);
    });
    const set = (standing, row, column) => { Object.assign(at, { row, column }); draw(standing); };
    return { canvas, draw, set };
  }

  return { create, key };
})();
