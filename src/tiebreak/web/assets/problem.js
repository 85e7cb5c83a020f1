// What is wrong, and the clicks that mend it.
import { at, button, make } from "./dom.js";

const { labels, clicks: named, meanings } = JSON.parse(at("spoken").textContent);
const label = name => labels[name] ?? name.replaceAll("_", " ");
// A choice in a few words, as clicks have it.
const words = (name, value) => named[`${name} ${value}`] ?? (value === true ? label(name) : `${label(name)}: ${value}`);

const LEADING = { costs: "a file of costs ...", prices: "a file of prices ...", column: "roles of columns ..." };
const meant = (text, meaning) => meaning ? `${text} (${meaning})` : text;

// offered: values for options that a sentence leaves open; set(name, value): what a click does; more: what else to show; heading: where what is wrong is said.
export function tell(place, error, { offered = {}, set, focus, more = "", heading = null } = {}) {
  const clicks = [], seen = new Set();
  for (const { option, values } of error.options ?? []) {
    const known = offered[option]?.length ? offered[option] : values;
    for (const value of known) {
      const text = words(option, value);
      if (!seen.has(text)) clicks.push(button(meant(text, meanings[option]?.[value]), () => set(option, value), clicks.length ? {} : { class: "main" }));
      seen.add(text);
    }
    if (!known.length && focus && !seen.has(option) && focus(option, { only: "look" })) {
      clicks.push(button(LEADING[option] ?? `${label(option)} ...`, () => focus(option)));
      seen.add(option);
    }
  }
  const said = { ...error, ...error.page };
  const [what, ...lines] = (said.what ?? error.message).split("\n");  // several things that are missing are a list
  if (heading) titled(heading, what);
  place.replaceChildren(
    make("p", {}, heading ? "" : make("b", { text: what }), " ", said.why ?? ""),
    ...lines.filter(Boolean).map(text => make("p", { text })),
    said.mend ? make("p", { class: "mend", text: said.mend }) : "",
    clicks.length ? make("p", { class: "row" }, "Choose:", ...clicks) : "", more);
  place.hidden = false;
}

// A long title is set smaller, so that what follows it stays in view.
export function titled(place, text) {
  place.textContent = text;
  place.classList.toggle("long", text.length > 90);
}

export function untell(place) {
  place.hidden = true;
  place.classList.remove("ask");
  place.replaceChildren();
}

// Put the caret into the field of an option or a file, unfolding what hides it; say whether there is one.
export function into(name, root = document, { only } = {}) {
  const key = CSS.escape(name), found = root.querySelectorAll(`[data-option="${key}"], [data-slot="${key}"]`);
  const field = [...found].find(each => !each.closest("[hidden]"));
  if (!field || only === "look") return Boolean(field);
  for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  field.focus();
  field.scrollIntoView({ block: "center" });
  return true;
}
