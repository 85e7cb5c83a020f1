// An answer as it was computed: figures, the frontier with the trade, the table with bars, and the rest folded.
import { draw, make, table } from "./dom.js";

const fold = (title, ...inside) => make("details", {}, make("summary", { text: title }), ...inside);
const told = each => table("", each.header, each.rows, { text: each.text, caption: each.caption });

function bar(share, cost, text) {
  const back = draw("rect", { class: "back", width: 100, height: 8, rx: 4 }), front = draw("rect", { width: share, height: 8, rx: 4 });
  return make("span", { class: cost ? "bars cost" : "bars" }, draw("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" }, back, front), text);
}

function places({ caption, header, rows, text, bars }) {
  const cell = (value, place, at) => {
    const found = bars.find(each => each.column === place);
    return found && found.shares[at] ? bar(found.shares[at], found.cost, value) : value;
  };
  const name = Math.min(...text);
  const body = rows.map((row, at) => row.map((value, place) => place === name ? make("b", { text: value }) : cell(value, place, at)));
  return table(caption === "Details" ? "" : caption, header, body, { text, kind: "answers", caption });
}

function picture({ svg, words }) {
  return make("section", { class: "panel" }, make("img", { class: "figure", alt: words, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}` }));
}

// The slider names a trade; the order at it is computed anew, by the package.
function trade({ cost, score, label, rows, steps, chosen }, choose) {
  const output = make("output", { for: "trade-slider", text: label });
  const slider = make("input", { type: "range", id: "trade-slider", min: 0, max: steps.length - 1, value: chosen, "aria-valuetext": label,
    oninput: () => { const step = steps[slider.value]; output.textContent = `${step.label}: ${step.first} first`; slider.setAttribute("aria-valuetext", output.textContent); },
    onchange: () => choose("trade", steps[slider.value].value) });
  const must = `Ten times the ${cost} must buy at least `;
  return make("section", { class: "panel trade" }, make("h2", { text: `What is ${score} worth to you?` }),
    ...(steps.length ? [make("label", { for: "trade-slider" }, must, output), slider, make("div", { class: "scale" }, make("span", { text: steps[0].value }), make("span", { text: steps.at(-1).value }))] : [make("p", {}, must, output)]),
    make("ul", { class: "seg" }, ...rows.map(each => make("li", { class: each.on ? "on" : null }, make("span", {}, `${each.algorithm} `, make("small", { text: each.range })), make("span", {}, `${each.score} `, make("small", { text: each.cost }))))));
}

export function layOut(view, choose) {
  const drawn = view.picture ? picture(view.picture) : "", first = view.table ? places(view.table) : "";
  return [
    view.figures.length ? make("div", { class: "tiles" }, ...view.figures.map(each => make("div", { class: "tile" }, make("b", { text: each.value }), make("span", { text: each.text })))) : "",
    ...(view.trade ? [make("div", { class: "two" }, drawn, trade(view.trade, choose)), first] : [first, drawn]),
    view.points.length ? fold("In words", make("dl", { class: "points" }, ...view.points.flatMap(each => [make("dt", { text: each.label }), make("dd", { text: each.text })]))) : "",
    ...view.tables.map(each => fold(each.caption, told(each))),
    view.notes.length ? fold(`What to keep in mind (${view.notes.length})`, ...view.notes.map(text => make("p", { class: "note", text: text }))) : "",
    view.method.length ? fold("Method and references", make("ul", {}, ...view.method.map(text => make("li", { text: text })))) : "",
  ];
}
