// The comparison page: a table, its answer, and above it in one line how it was read and what was asked. The state is in the address.
import { answer, change as send, Refused, storeMeasures, upload, uploaded } from "./ask.js";
import { layOut } from "./answer.js";
import { at, button, called, copying, keepingFocus, make, remembered, save, saveFile, say, taking } from "./dom.js";
import { bodyOf, fieldValue, fill, fromAddress, toAddress, withValue } from "./options.js";
import { into, tell, titled, untell } from "./problem.js";
import { VOTE_ROLES, columnsTable, counted, counts, understood, unused } from "./understanding.js";

const { kinds, slots, meanings: { missing: policies } } = JSON.parse(at("spoken").textContent);
const OWN = ["verb", "file", "store", "costs", "prices"];
const NAMES = Object.fromEntries(OWN.map(name => [name, []]));
const IN_TEXT = ["rope", "explain", "full"];
const OF_COSTS = ["cost", "trade", "accd", "rule", "variant"];
let state = start(fromAddress());
let reads = [], measures = [], others = [], running = null, asked = "", later = 0, question = null;

function start(told) {
  const options = Object.fromEntries(Object.entries(told).filter(([name]) => !OWN.includes(name)));
  return { ...NAMES, ...Object.fromEntries(OWN.map(name => [name, told[name] ?? []])), options };
}

const worded = name => measures.find(each => each.name === name)?.words ?? name;
const verb = () => state.verb[0] in kinds && state.verb[0] !== "read" ? state.verb[0] : measures.some(each => each.is_cost) ? "order" : "compare";
const named = names => names.length > 1 ? names : names[0];
const given = () => state.file.length > 0 || state.store.length > 0;
const asking = () => given() || verb() === "power";  // which numbers alone can answer
const ofVotes = () => verb() === "battles" && !state.options.score?.length;
const ofPapers = () => verb() === "check";  // which are no one table
const columns = () => state.file.map(remembered).find(each => each.length) ?? [];

function source(of) {
  const body = state.store.length ? { store: true } : state.file.length ? { file: named(state.file) } : {};
  for (const slot of slots[of] ?? []) if (state[slot].length) body[slot] = named(state[slot]);
  return body;
}

// ---- changes of the state; each is written into the address and answered anew

function set(name, values) {
  const options = { ...state.options, [name]: values };
  if (!values.length) delete options[name];
  if (name === "direction") for (const each of ["higher_is_better", "lower_is_better"]) delete options[each];
  change({ options });
}

const add = (name, value) => change({ options: withValue(kinds[verb()], state.options, name, value) });

// The button that was clicked goes away; what comes in its place is read on from the heading.
function mended(name, value) {
  add(name, value);
  atAnswer();
}

function atAnswer() {
  at("h-answer").focus({ preventScroll: true });
  scrollTo(0, 0);
}

function change(told, { step = true } = {}) {
  state = { ...state, ...told };
  refresh({ step });
}

function refresh(how = {}) {
  toAddress({ ...Object.fromEntries(OWN.map(name => [name, state[name]])), ...state.options }, how);
  show(how);
  clearTimeout(later);
  later = setTimeout(run, 120);
}

// Another table: its question is the obvious one, unless one was chosen before.
function fresh(told) {
  measures = [];
  change({ ...NAMES, verb: [], options: {}, ...told });
  atAnswer();
}

const few = names => names.length > 2 ? [names[0], `and ${names.length - 1} more files`] : names;

function show(how = {}) {
  const now = verb();
  at("begin").hidden = asking();
  at("setup").hidden = at("answering").hidden = !asking();
  at("rule").querySelector("[value=multi2test]").hidden = now === "battles"; // votes have no data sets
  for (const each of document.querySelectorAll("[data-for]"))
    each.hidden = !each.dataset.for.split(" ").includes(now) || (each.dataset.tabled && (each.dataset.tabled === "yes") !== given());
  for (const each of document.querySelectorAll('[name="verb"]')) each.checked = each.value === now;
  fill(at("form"), state.options, how);
  const gaps = at(`${now}-missing-hint`);
  if (gaps) gaps.textContent = `what to do about missing results: ${policies[state.options.missing?.[0] ?? "refuse"] ?? "as you say"}`;
  keepingFocus(choices);
  const single = measures.filter(each => !each.is_cost).map(each => each.name), score = state.options.score ?? state.options.scores ?? (single.length === 1 && single[0] !== "score" ? single : []), way = measures.find(each => each.name === score[0])?.higher_is_better;
  const chips = [...(state.store.length ? ["the store of this server"] : given() ? few(state.file.map(called)) : ["no table: from numbers alone"]), ...(reads.length === 1 && given() ? counts(reads[0]).slice(0, -1) : []),
    ...score.map(each => `${worded(each)}${way === true ? ", higher is better" : way === false ? ", lower is better" : ""}`), ...(state.options.cost ?? []).map(each => `cost: ${worded(each)}`)];
  at("source").replaceChildren(...chips.slice(0, 9).map(text => make("span", { class: "chip", text })));
}

// Score and cost are chosen from what the table holds; the one score of a wide table is named freely.
function choices() {
  const scores = measures.filter(each => !each.is_cost), names = measures.map(each => each.name);
  const option = (text, value, chosen) => make("option", { value, text, selected: value === chosen });
  const score = state.options.score?.[0] ?? "";
  const free = names.length === 0 || (names.length === 1 && (names[0] === "score" || score));
  const entry = free
    ? make("input", { id: "score", type: "text", list: "known-scores", placeholder: "such as auc" })
    : make("select", { id: "score" }, option(scores.length === 1 ? scores[0].name : "choose", "", score), ...(scores.length === 1 && !score ? [] : names.map(each => option(each, each, score))));
  if (free) entry.value = score;
  entry.addEventListener("change", () => set("score", entry.value ? [entry.value] : []));
  at("score-place").replaceChildren(entry, make("datalist", { id: "known-scores" }, ...["accuracy", "auc", "f1", "error", "rmse", "log_loss"].map(value => make("option", { value }))));
  costs([...new Set([...names, ...others])], option);
  const chosen = (state.options.scores?.[0] ?? "").split(",").filter(Boolean);
  at("scores-place").replaceChildren(...names.map(name => {
    const box = make("input", { type: "checkbox", checked: chosen.includes(name) });
    box.addEventListener("change", () => {
      const now = names.filter(each => each === name ? box.checked : chosen.includes(each));
      set("scores", now.length ? [now.join(",")] : []);
    });
    return make("label", { class: "check" }, box, ` ${name}`);
  }), names.length < 2 ? "The table has one measure." : "");
}

function costs(names, option) {
  const chosen = state.options.cost ?? [], most = verb() === "order" ? chosen.length + 1 : 1;
  const free = names.filter(each => each !== state.options.score?.[0]);
  const places = [...Array(Math.min(most, Math.max(free.length, 1))).keys()];
  at("cost-place").replaceChildren(...places.map(place => {
    const left = free.filter(each => each === chosen[place] || !chosen.includes(each));
    const found = make("select", { "aria-label": place ? `Cost ${place + 1}` : "Cost" },
      option(place ? "add another" : { 0: "none", 1: "the one of the table" }[measures.filter(each => each.is_cost).length] ?? "choose", "", chosen[place] ?? ""), ...left.map(each => option(each, each, chosen[place])));
    found.addEventListener("change", () => set("cost", [...chosen.slice(0, place), found.value, ...chosen.slice(place + 1)].filter(Boolean)));
    return found;
  }));
}

// ---- questions

async function run() {
  running?.abort();
  const own = running = new AbortController();
  if (!asking()) { asked = ""; reads = measures = []; at("reading").replaceChildren(); return; }
  untell(at("problem"));
  if (!given() && !state.options.items && !state.options.difference) return unasked();
  say("Reading the table ...", true);
  try {
    await read(own.signal);
    if (obvious()) return;
    show();
    say("Computing ...", true);
    await ask(own.signal);
  } catch (error) {
    if (error.name === "AbortError" || own.signal.aborted) return;
    if (!(error instanceof Refused)) throw error;
    refused(error);
  }
}

// Until somebody chooses, the question is the obvious one, with its score and its cost.
function obvious() {
  if (!question || state.verb.length || !state.file.length) return false;
  const { verb: guess, options } = question;
  if (["recommend", "gate", "run"].includes(guess)) { elsewhere(guess); return true; }
  if (!(guess in kinds)) return false;
  const told = Object.entries(options).filter(([name]) => name in kinds[guess] && !state.options[name] && (name !== "cost" || !state.costs.length)).map(([name, value]) => [name, [value]]);
  change({ verb: [guess], options: { ...state.options, ...Object.fromEntries(told) } }, { step: false });
  return true;
}

function unasked() {
  at("understood").hidden = at("answer").hidden = at("lead").hidden = true;
  at("setup").open = true;
  at("h-answer").textContent = "How many items would it take?";
  say("Enter how many items there are, or which difference counts, and how often answers differ.");
}

// What cannot be read as results may be data or a pair of versions: there are other pages for them.
function elsewhere(guess) {
  const [file] = state.file, words = {
    recommend: ["These rows look like examples to learn from, not like results", "See what to try on these data", "/recommend", { file, budget: "10min" }],
    gate: ["These look like an old and a new version", "See whether the new one may take its place", "/gate", { base_file: file, candidate_file: state.file[1], ...question.options }],
  };
  at("answer").hidden = at("lead").hidden = true;
  say("");
  const [what, text, page, told] = words[guess] ?? ["This is a plan: run it?"];
  at("h-answer").textContent = what;
  at("problem").replaceChildren(...(guess === "run" ? [make("p", { text: "A plan is a program: it may import and run any code that it names. Results go into the store of this server." }), make("p", { class: "row" }, button("Run it now", () => begin(file), { class: "main" })), make("pre", { tabindex: "0", "aria-label": "What would be run", text: question.text })]
    : [make("p", { class: "row" }, make("a", { class: "click", href: `${page}?${new URLSearchParams(told)}`, text }), button("They are results: compare them", () => change({ verb: ["compare"] })))]));
  at("problem").classList.add("ask");
  at("problem").hidden = false;
}

async function begin(file) {
  try { const { run } = await send("POST", "/api/runs", { file }); location.assign(`/recommend?${new URLSearchParams({ run })}#h-run`); } catch (error) { refused(error); }
}

function refused(error) {
  at("answer").hidden = at("lead").hidden = true;
  say("");
  const nameless = measures.some(each => each.name === "score");  // the numbers of a wide table: no name to choose
  const offered = { score: nameless ? [] : measures.filter(each => !each.is_cost).map(each => each.name) };
  const left = measures.length > 1 ? measures.filter(each => each.name !== state.options.score?.[0] && !state.options.cost?.includes(each.name)) : [];
  offered.cost = (left.some(each => each.is_cost) ? left.filter(each => each.is_cost) : left).map(each => each.name);
  const focus = (name, how) => {
    if (how?.only !== "look") at("setup").open = true;
    return (name === "column" && into(name, at("reading"), how)) || into(name, at("form"), how);
  };
  tell(at("problem"), error, { offered, set: mended, focus, heading: at("h-answer") });
}

async function read(signal) {
  if (!given()) { at("understood").hidden = true; reads = []; return; }
  if (state.store.length) {
    measures = await storeMeasures();
    others = reads = [];
    at("understood").hidden = true;
    return;
  }
  if (ofVotes() || ofPapers()) {
    measures = others = reads = [];
    asked = "";
    at("reading").replaceChildren(ofPapers() ? "" : columnsTable(columns(), state.options, {}, set, VOTE_ROLES));
    at("understood").hidden = !at("reading").hasChildNodes();
    return;
  }
  const told = { ...bodyOf(kinds.read, state.options), ...pricesOfLogs() }, key = JSON.stringify([state.file, told]);
  if (key === asked) return;
  try {
    const { score, ...whole } = told;  // a score that is chosen would hide the other measures
    let found = (await answer("read", { file: state.file, ...whole, format: "page" }, signal)).result;
    if (score && found.files.every(each => each.measures.length === 1 && each.measures[0].name === "score")) found = { ...(await answer("read", { file: state.file, ...told, format: "page" }, signal)).result, obvious: found.obvious };
    question = found.obvious;
    reads = found.files;
    const names = new Map(reads.flatMap(each => each.measures.map(one => [one.name, one])));
    measures = [...names.values()];
    others = reads.flatMap((each, place) => unused(each, remembered(state.file[place]))).filter(each => !names.has(each));
    keepingFocus(() => at("reading").replaceChildren(...(reads.length === 1 ? shownReading(reads[0], 0) : reads.map((each, place) => make("details", { open: place === 0 },
      make("summary", {}, make("b", { text: called(state.file[place]) }), `: ${counted(each)}`), ...shownReading(each, place))))));
    at("understood").hidden = !reads.length;
    asked = key;
  } catch (error) {
    asked = "";
    if (error instanceof Refused) {
      question = null;
      measures = others = reads = [];
      keepingFocus(() => at("reading").replaceChildren(columnsTable(columns(), state.options, {}, set)));
      at("understood").hidden = error.code === "not-found" || !at("reading").hasChildNodes();
    }
    throw error;
  }
}

// Logs have a price once tokens have one; prices beside votes are none of the table.
const pricesOfLogs = () => verb() !== "battles" && slots.read.includes("prices") && state.prices.length ? { prices: state.prices[0] } : {};
const shownReading = (read, place) => understood(read, { options: state.options, kinds: kinds.read, headers: remembered(state.file[place]), file: [state.file[place]], set, add });

async function ask(signal) {
  const now = verb(), body = { ...source(now), ...bodyOf(kinds[now], state.options) };
  if (now === "multivariate" && !body.scores) throw new Refused({ what: "Choose two measures or more.", why: "They are judged together.", mend: "", text: "", options: [{ option: "scores", values: [] }] });
  const { result, command, python } = await answer(now, { ...body, format: "page" }, signal);
  untell(at("problem"));
  titled(at("h-answer"), result.headline);
  at("lead").textContent = result.lead;
  at("lead").hidden = !result.lead;
  keepingFocus(() => at("shown").replaceChildren(...layOut(result, (name, value) => set(name, [value]))));
  at("text").textContent = result.text;
  at("command").textContent = command;
  at("python").textContent = python;
  at("text-fold").open ||= IN_TEXT.some(each => state.options[each]?.length);
  at("page-links").replaceChildren();
  at("answer").hidden = false;
  downloads(now, body);
  say("The answer is ready.");
}

// ---- downloads

function downloads(now, body) {
  const fetched = (text, act) => button(text, async event => {
    const own = event.currentTarget;
    own.disabled = true;
    try { await act(); say(`${text} is ready.`); } catch (error) { tell(at("problem"), error, { set: add }); }
    own.disabled = false;
    own.focus();
  });
  const written = format => async () => { const { result } = await answer(now, { ...body, format }); return typeof result === "string" ? result : `${JSON.stringify(result, null, 1)}\n`; };
  const drawn = figure => async () => (await answer(now, { ...body, figure })).files.forEach(saveFile);
  const cleaned = long => async () => {
    for (const file of state.file) (await answer("read", { file, ...bodyOf(kinds.read, state.options), ...pricesOfLogs(), clean: "csv", ...(long ? { long } : {}) })).files.forEach(saveFile);
  };
  at("downloads").replaceChildren(
    ...(["compare", "order", "multivariate"].includes(now) ? [fetched("Full report", () => report(now, body))] : []),
    ...(state.store.length || ofVotes() || ofPapers() || !given() ? [] : [fetched("Table (csv)", cleaned(false)), fetched("All results (csv)", cleaned(true))]),
    fetched("JSON", async () => save(`${now}.json`, "application/json", await written("json")())),
    fetched("LaTeX", async () => save(`${now}.tex`, "application/x-tex", await written("latex")())),
    fetched("Markdown", async () => save(`${now}.md`, "text/markdown", await written("markdown")())),
    ...(now === "power" || now === "check" ? [] : ["svg", "pdf", "png", "tex"]).map(each => fetched(`Figure (${each})`, drawn(each))));
}

async function report(now, body) {
  const taken = { ...source("report"), ...bodyOf(kinds.report, state.options) };
  if (now === "compare") for (const each of OF_COSTS) delete taken[each];
  if (now === "order") for (const each of ["posthoc", "pairwise"]) delete taken[each];
  const { page } = now === "multivariate" ? await answer(now, { ...body, format: "text", page: true }) : await answer("report", taken);
  at("page-links").replaceChildren(make("a", { href: page, target: "_blank", rel: "noopener", text: "Open the report" }), make("a", { href: `${page}?download=1`, text: "Save the report" }));
}

// ---- what is dropped, chosen and entered

async function take(files) {
  at("begin").hidden = true;
  at("answering").hidden = false;
  at("h-answer").textContent = "Reading the table";
  atAnswer();
  say("Taking the table in ...", true);
  try {
    const keys = await uploaded(files);
    at("setup").open = false;
    fresh({ file: keys, verb: ["battles", "power", "check"].includes(state.verb[0]) ? [] : state.verb });
  } catch (error) { if (!(error instanceof Refused)) throw error; refused(error); }
}

async function takeSlot(field) {
  try { change({ [field.dataset.slot]: field.files.length ? [await upload(field.files[0].name, field.files[0])] : [] }); } catch (error) { refused(error); }
}

// Options that the other question has too stay; what columns are in votes they are not in tables.
function chosen(value) {
  const other = (value === "battles") !== (verb() === "battles"), kept = name => name in kinds[value] && !(other && ["column", "cost", "trade", "rule", "cluster"].includes(name));
  change({ verb: [value], options: Object.fromEntries(Object.entries(state.options).filter(([name]) => kept(name))) });
}

taking(take);
copying();
for (const each of document.querySelectorAll("[data-example]")) each.addEventListener("click", () => fresh({ file: [each.dataset.example] }));
at("from-store").addEventListener("click", () => fresh({ store: ["1"] }));
at("untabled").addEventListener("click", () => fresh({ verb: ["power"] }));
at("another").addEventListener("click", () => { change({ ...NAMES, options: {} }); at("file").focus(); });
at("clear").addEventListener("click", () => change({ options: {} }));
at("form").addEventListener("submit", event => event.preventDefault());
at("form").addEventListener("change", event => {
  const field = event.target;
  if (field.name === "verb") chosen(field.value);
  else if (field.dataset.slot) takeSlot(field);
  else if (field.dataset.option) set(field.dataset.option, fieldValue(field));
});
addEventListener("popstate", () => { state = start(fromAddress()); refresh({ all: true }); });
refresh();
if (location.hash === "#h-answer") atAnswer();  // dropped on the first page
