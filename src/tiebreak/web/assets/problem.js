// What is wrong, and the clicks that mend it.
import { button, make } from "./dom.js";

const words = (name, value) => value === true ? name.replaceAll("_", " ") : `${name.replaceAll("_", " ")}: ${value}`;

// offered: values for options that a sentence leaves open; set(name, value): what a click does.
export function tell(place, error, { offered = {}, set, focus } = {}) {
  const clicks = [], seen = new Set();
  for (const { option, values } of error.options ?? []) {
    const known = ["score", "cost"].includes(option) && offered[option]?.length ? offered[option] : values;
    for (const value of known) {
      const text = words(option, value);
      if (!seen.has(text)) clicks.push(button(text, () => set(option, value)));
      seen.add(text);
    }
    if (!known.length && focus && !seen.has(option)) {
      clicks.push(button(`${option.replaceAll("_", " ")} ...`, () => focus(option)));
      seen.add(option);
    }
  }
  place.replaceChildren(
    make("p", {}, make("b", { text: error.what ?? error.message }), " ", error.why ?? ""),
    error.mend ? make("p", { class: "mend", text: error.mend }) : "",
    clicks.length ? make("p", { class: "row" }, "Mend it with a click:", ...clicks) : "");
  place.hidden = false;
}

// A caveat that names an option with its value gets a click for it.
export function noted(text, kinds, set) {
  const found = [...String(text).matchAll(/--([a-z-]+)[ =]("[^"]*"|[^\s,;]+)/g)].map(([, name, value]) => [name.replaceAll("-", "_"), value.replace(/^"|"$/g, "").replace(/[.;:)]+$/, "")])
    .filter(([name, value]) => name in kinds && !/^[A-Z][A-Z0-9,=|]*$/.test(value));
  return make("p", { class: "note" }, text, ...found.flatMap(([name, value]) => [" ", button(words(name, value), () => set(name, value))]));
}

export function untell(place) {
  place.hidden = true;
  place.replaceChildren();
}

// Put the caret into the field of an option, unfolding what hides it.
export function into(name, root = document) {
  const field = [...root.querySelectorAll(`[data-option="${CSS.escape(name)}"]`)].find(each => !each.closest("[hidden]"));
  if (!field) return;
  for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  field.focus();
  field.scrollIntoView({ block: "center" });
}
