// The page of recommendations: data, how they are understood, what counts; the ranking follows at once.
import { layOut } from "./answer.js";
import { Refused, answer, uploaded } from "./ask.js";
import { at, button, called, copying, make, remembered, say, taking } from "./dom.js";
import { bodyOf, fieldValue, fill, fromAddress, toAddress, withValue } from "./options.js";
import { into, tell, titled, untell } from "./problem.js";
import { showRuns } from "./runs.js";
import { counted } from "./understanding.js";

const { kinds: { recommend: kinds } } = JSON.parse(at("spoken").textContent);
const OWN = ["file", "learn_from", "run"];
const told = fromAddress();
let state = { file: told.file ?? [], learn_from: told.learn_from ?? [], run: told.run ?? [], options: Object.fromEntries(Object.entries(told).filter(([name]) => !OWN.includes(name))) };
if (!location.search) state.options.budget = ["10min"];
let running = null, later = 0, checked = "", fold = state.file.length > 0;

const body = () => ({ file: state.file[0], ...(state.learn_from.length ? { learn_from: state.learn_from } : {}), ...bodyOf(kinds, state.options) });

// A step is one to come back to; the many stops of a slider are none.
function change(more, wait = 120, step = false) {
  state = { ...state, ...more };
  toAddress({ file: state.file, learn_from: state.learn_from, run: state.run, ...state.options }, { step });
  show();
  clearTimeout(later);
  later = setTimeout(run, wait);
}

function set(name, values, wait) {
  const options = { ...state.options, [name]: values };
  if (!values.length) delete options[name];
  change({ options }, wait, wait === undefined);
}

const add = (name, value) => change({ options: withValue(kinds, state.options, name, value) }, undefined, true);

function show() {
  fill(at("form"), state.options);
  at("shipped").checked = !state.learn_from.length || state.learn_from.includes("shipped");
  at("store").checked = state.learn_from.includes("store");
  const file = state.file[0];
  at("read").hidden = at("answering").hidden = !file;
  at("source").replaceChildren(...[...(file ? [called(file)] : []), ...(state.options.target ?? []).map(each => `target: ${each}`), ...(state.options.budget ?? []).map(each => `time: ${each}`)].map(text => make("span", { class: "chip", text })));
  if (!file) at("setup").open = true;
  else if (fold) fold = at("setup").open = false;
  at("example").value = file?.startsWith("builtin:") ? file : "";
  at("headers").replaceChildren(...(file ? remembered(file) : []).map(value => make("option", { value })));
}

function headed(title, lead = "") {
  titled(at("h-answer"), title);
  at("lead").textContent = lead;
  at("lead").hidden = !lead;
}

function atAnswer() {
  at("h-answer").focus({ preventScroll: true });
  scrollTo(0, 0);
}

async function run() {
  running?.abort();
  const own = running = new AbortController();
  at("form").hidden = !state.file.length;
  if (!state.file.length) { at("answer").hidden = true; checked = ""; at("elsewhere").replaceChildren(); return; }
  say("Looking at the data ...", true);
  try {
    shown(await answer("recommend", { ...body(), page: true, format: "page" }, own.signal));
    untell(at("problem"));
    say("The ranking is ready.");
    await toCompare(own.signal);
  } catch (error) {
    if (error.name === "AbortError" || own.signal.aborted) return;
    if (!(error instanceof Refused)) throw error;
    say("");
    at("answer").hidden = at("lead").hidden = true;
    tell(at("problem"), error, { set: (name, value) => { add(name, value); atAnswer(); }, heading: at("h-answer"),
      focus: (name, how) => { if (how?.only !== "look") at("setup").open = true; return into(name, at("form"), how); } });
    await toCompare(own.signal);
  }
}

// A table of results is no data set, though it can be read as one: who brought it is shown the way to the other page.
async function toCompare(signal) {
  const file = state.file[0];
  if (file === checked) return;
  checked = file;
  at("elsewhere").replaceChildren();
  if (!file.startsWith("upload:")) return;
  try {
    const { files: [read], obvious } = (await answer("read", { file, format: "page" }, signal)).result;
    if (!["compare", "order", "battles"].includes(obvious?.verb)) return;
    at("elsewhere").replaceChildren(make("p", { class: "note row" }, `This file can be read as results: ${read ? counted(read) : "votes on pairs of models"}.`,
      make("a", { class: "click", href: `/compare?${new URLSearchParams({ file })}`, text: "Compare what it holds" })));
  } catch { checked = signal.aborted ? "" : file; }
}

function shown({ result, command, python, page }) {
  at("answer").hidden = false;
  headed(result.headline, result.lead);
  at("sentences").replaceChildren(...result.understood.sentences.map(text => make("p", { text: text })), columnsLeftOut(result.understood.left_out));
  if (result.understood.target) at("target").placeholder = result.understood.target;
  at("shown").replaceChildren(...layOut(result));
  at("command").textContent = command;
  at("python").textContent = python;
  at("page-links").replaceChildren(...(page ? [make("a", { href: page, target: "_blank", rel: "noopener", text: "Open all of it as a page" }), make("a", { href: `${page}?download=1`, text: "Save the page" })] : []));
}

function columnsLeftOut(left) {
  if (!left?.length) return "";
  const name = each => each.name ?? each.column ?? String(each);
  return make("p", { class: "row" }, "Left out:", ...left.slice(0, 20).flatMap(each => [make("span", { text: `${name(each)}${each.why ? ` (${each.why})` : ""}` }), button(`Keep ${name(each)}`, () => set("keep", [[...(state.options.keep?.[0]?.split(",") ?? []), name(each)].join(",")]))]));
}

// ---- what is dropped, chosen and entered

async function take(files) {
  at("answering").hidden = false;
  say("Taking the data in ...", true);
  try {
    fresh(await uploaded(files.slice(0, 1)));
    at("form").hidden = false;
  } catch (error) { if (!(error instanceof Refused)) throw error; say(""); tell(at("problem"), error, { set: add }); }
}

function fresh(file) {
  const kept = ["accd", "budget"].filter(each => state.options[each]).map(each => [each, state.options[each]]);
  fold = true;
  headed("Reading the data");
  change({ file, run: [], options: Object.fromEntries(kept) }, undefined, true);
  if (file.length) atAnswer();
}

taking(take);
copying();
at("example").addEventListener("change", () => fresh(at("example").value ? [at("example").value] : []));
for (const each of ["shipped", "store"]) at(each).addEventListener("change", () => {
  const chosen = ["shipped", "store"].filter(name => at(name).checked);
  change({ learn_from: chosen.length === 1 && chosen[0] === "shipped" ? [] : chosen }, undefined, true);
});
at("form").addEventListener("submit", event => event.preventDefault());
at("form").addEventListener("change", event => { if (event.target.dataset.option) set(event.target.dataset.option, fieldValue(event.target)); });
addEventListener("popstate", () => location.reload());
showRuns({ body, chosen: () => state.run[0], choose: run => change({ run: run ? [run] : [] }, 1e9) });
const early = at("example").value;  // chosen before this script had come
early && !state.file.length ? fresh([early]) : change({});
