// The comparison page: a table, how it is understood, a question, its answer. The state is in the address.
import { Refused, answer, storeMeasures, upload, withoutServer } from "./ask.js";
import { at, button, copying, headings, keepingFocus, make, save, saveFile, say, taking } from "./dom.js";
import { bodyOf, fieldValue, fill, fromAddress, toAddress, withValue } from "./options.js";
import { into, tell, untell } from "./problem.js";
import { label, spoken } from "./saying.js";
import { VOTE_ROLES, columnsTable, counted, understood, unused } from "./understanding.js";
import { areVotes, countedVotes, fought, planned } from "./votes.js";

const { kinds, slots, votes, policies } = JSON.parse(at("told").textContent);
const OWN = ["verb", "file", "store", "costs", "prices"];
const NAMES = Object.fromEntries(OWN.map(name => [name, []]));
const WITHOUT_REPORT = { battles: fought, power: planned };  // answered by a table on this page
const DRAWN = ["figure_kind", "width", "height", "font", "font_size", "theme", "no_notes", "top", "show"];
const IN_TEXT = ["rope", "explain", "full"];
let state = start(fromAddress());
let measures = [], others = [], running = null, asked = "", later = 0, unread = false;

function start(told) {
  const options = Object.fromEntries(Object.entries(told).filter(([name]) => !OWN.includes(name)));
  return { ...NAMES, ...Object.fromEntries(OWN.map(name => [name, told[name] ?? []])), options };
}

const verb = () => state.verb[0] in kinds && state.verb[0] !== "read" ? state.verb[0] : measures.some(each => each.is_cost) ? "order" : "compare";
const named = names => names.length > 1 ? names : names[0];
const given = () => state.file.length > 0 || state.store.length > 0;
const asking = () => given() || verb() === "power";  // which numbers alone can answer
const ofVotes = () => verb() === "battles" && !state.options.score?.length;
const remembered = key => { try { return JSON.parse(sessionStorage.getItem(`headings ${key}`)) ?? []; } catch { return []; } };

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
  at("h-answer").focus({ preventScroll: true });
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

function show(how = {}) {
  const now = verb();
  at("rule").querySelector("[value=multi2test]").hidden = now === "battles"; // votes have no data sets
  for (const each of document.querySelectorAll("[data-for]"))
    each.hidden = !each.dataset.for.split(" ").includes(now) || (each.dataset.tabled && (each.dataset.tabled === "yes") !== given());
  for (const each of document.querySelectorAll('[name="verb"]')) each.checked = each.value === now;
  fill(at("form"), state.options, how);
  const gaps = at(`${now}-missing-hint`);
  if (gaps) gaps.textContent = `what to do about missing results: ${policies[state.options.missing?.[0] ?? "refuse"] ?? "as you say"}`;
  keepingFocus(choices);
  const names = state.store.length ? "the store of this server" : state.file.map(called).join(", ");
  at("source").hidden = !asking();
  at("source").replaceChildren(given() ? make("span", {}, now === "battles" ? "File: " : "Table: ", make("b", { text: names })) : "No table: from numbers alone.", " ",
    given() ? button("Take another", () => change({ ...NAMES, verb: state.verb, options: {} })) : "");
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
  for (const each of ["understood", "asking", "answering"]) at(each).hidden = !asking();
  if (!asking()) { asked = ""; measures = []; at("reading").replaceChildren(); return; }
  untell(at("problem"));
  say("Reading the table ...", true);
  if (!given() && !state.options.items && !state.options.difference) return unasked();
  try {
    await read(own.signal);
    show();
    say("Computing ...", true);
    await ask(own.signal);
  } catch (error) {
    if (error.name === "AbortError" || own.signal.aborted) return;
    if (!(error instanceof Refused)) throw error;
    if (!asked && !state.verb.length && await foughtOut(own.signal)) return change({ verb: ["battles"] }, { step: false });
    if (!own.signal.aborted) refused(error);
  }
}

// A file that is no table of results may be one of votes, whatever its kind.
async function foughtOut(signal) {
  if (state.file.length !== 1 || Object.keys(state.options).length) return false;
  try { await answer("battles", { file: state.file[0] }, signal); return true; } catch { return false; }
}

function unasked() {
  at("understood").hidden = true;
  at("answer").hidden = true;
  say("Say how many items there are, or which difference counts, and how often answers differ.");
}

function refused(error) {
  at("answer").hidden = true;
  say("");
  const nameless = measures.some(each => each.name === "score");  // the numbers of a wide table: no name to choose
  const offered = { score: nameless ? [] : measures.filter(each => !each.is_cost).map(each => each.name) };
  const left = measures.length > 1 ? measures.filter(each => each.name !== state.options.score?.[0] && !state.options.cost?.includes(each.name)) : [];
  offered.cost = (left.some(each => each.is_cost) ? left.filter(each => each.is_cost) : left).map(each => each.name);
  const focus = (name, how) => (name === "column" && into(name, at("reading"), how)) || into(name, at("form"), how);
  tell(at("problem"), error, { offered, set: mended, focus, more: unread ? toRecommend() : "" });
}

// What cannot be read as results may be a data set: its rows are examples, and there is another page for it.
function toRecommend() {
  if (withoutServer || state.file.length !== 1 || !/\.(csv|tsv|txt|tab|dat|data|xlsx|xlsm|ods|arff|parquet)(\.gz)?$/i.test(called(state.file[0]))) return "";
  return make("p", { class: "row" }, "Are its rows examples, such as patients or plants, and no results? Then it is a data set, and no table of results:",
    make("a", { class: "click", href: `/recommend?${new URLSearchParams({ file: state.file[0], budget: "10min" })}`, text: "See what to try on these data" }));
}

async function read(signal) {
  if (!given()) { at("understood").hidden = true; return; }
  if (state.store.length || ofVotes()) others = [];
  if (ofVotes()) {
    measures = [];
    asked = "";
    at("reading").replaceChildren(columnsTable(remembered(state.file[0]), state.options, {}, set, VOTE_ROLES));
    at("understood").hidden = !at("reading").hasChildNodes();
    return;
  }
  if (state.store.length) {
    measures = await storeMeasures();
    at("understood").hidden = true;
    return;
  }
  const told = { ...bodyOf(kinds.read, state.options), ...pricesOfLogs() }, key = JSON.stringify([state.file, told]);
  if (key === asked) return;
  let file = "";
  try {
    const found = [];
    for (file of state.file) found.push([file, await readOne(file, told, signal)]);
    const names = new Map(found.flatMap(([, each]) => each.measures.map(one => [one.name, one])));
    measures = [...names.values()];
    others = found.flatMap(([each, one]) => unused(one, remembered(each))).filter(each => !names.has(each));
    keepingFocus(() => at("reading").replaceChildren(...(found.length === 1 ? shownReading(...found[0]) : found.map(([each, one], place) => make("details", { open: place === 0 },
      make("summary", {}, make("b", { text: called(each) }), `: ${counted(one)}`), ...shownReading(each, one))))));
    asked = key;
    unread = false;
  } catch (error) {
    asked = "";
    if (error instanceof Refused) {
      unread = ["input", "not-said", "refused"].includes(error.code);
      measures = others = [];
      keepingFocus(() => at("reading").replaceChildren(make("p", { text: `${state.file.length > 1 ? called(file) : "It"} was not understood yet; what is missing stands below.` }), columnsTable(remembered(file), state.options, {}, set)));
      at("understood").hidden = error.code === "not-found";
    }
    throw error;
  }
}

// Logs have a price once tokens have one; prices beside votes are none of the table.
const pricesOfLogs = () => verb() !== "battles" && slots.read.includes("prices") && state.prices.length ? { prices: state.prices[0] } : {};

// A score that is chosen would hide the other measures.
async function readOne(file, { score, ...whole }, signal) {
  const found = (await answer("read", { file, ...whole }, signal)).result;
  const one = found.measures.length === 1 && found.measures[0].name === "score";
  return score && one ? (await answer("read", { file, score, ...whole }, signal)).result : found;
}

const shownReading = (file, found) => understood(found, { options: state.options, kinds: kinds.read, headers: remembered(file), file: [file], set, add });
const called = file => remembered(`name ${file}`)[0] ?? (file.startsWith("upload:") ? "an uploaded table" : file);

// What the report takes of the options, and what it leaves aside.
function forReport(now) {
  const body = bodyOf(kinds.report, state.options);
  if (now === "order") {
    for (const each of ["posthoc", "pairwise"]) delete body[each];
  } else for (const each of ["cost", "trade", "accd", "rule", "variant"]) delete body[each];
  if (now === "order" && !body.cost) { const only = measures.filter(each => each.is_cost); if (only.length === 1) body.cost = [only[0].name]; }
  const left = Object.keys(bodyOf(kinds[now], state.options)).filter(each => !(each in body) && !DRAWN.includes(each));
  return { body, left };
}

async function ask(signal) {
  const now = verb(), body = { ...source(now), ...bodyOf(kinds[now], state.options) };
  if (now === "multivariate" && !body.scores) throw new Refused({ what: "Choose two measures or more.", why: "They are judged together.", mend: "", text: "", options: [] });
  if (now === "multivariate") {
    const found = await answer(now, { ...body, format: "text", page: true }, signal);
    return shown(found, found.page, []);
  }
  if (now in WITHOUT_REPORT) {
    const [found, text] = await Promise.all([answer(now, { ...body, ...(now === "battles" ? { theme: "auto", figure: "svg", ...body } : {}) }, signal), answer(now, { ...body, format: "text" }, signal)]);
    shown(text, null, []);
    if (ofVotes()) { at("understood").hidden = false; at("reading").replaceChildren(countedVotes(found.result), ...[...at("reading").children].filter(each => each.tagName !== "P")); }
    at("plain-answer").replaceChildren(...WITHOUT_REPORT[now](found, kinds[now], add));
    return;
  }
  const { body: told, left } = forReport(now);
  const text = answer(now, { ...body, format: "text" }, signal);
  const page = answer("report", { ...source("report"), ...told }, signal);
  page.catch(() => null);
  const found = await text;
  say("Writing the report ...", true);
  try { shown(found, (await page).page, left); } catch (error) {
    if (error.name === "AbortError" || signal.aborted) return;
    shown(found, null, left, error);
  }
}

function shown(found, page, left, error) {
  untell(at("problem"));
  at("answer").hidden = false;
  at("plain-answer").replaceChildren();
  at("text").textContent = found.result;
  at("command").textContent = found.command;
  at("python").textContent = found.python;
  framed(page);
  const apart = left.filter(each => !["seed", "cost"].includes(each));
  at("apart").hidden = !apart.length && !error;
  at("apart").textContent = error ? `There is no report: ${spoken(error.message, error.options)} The answer stands below as text.`
    : `The report is made without ${apart.map(label).join(", ")}; the answer as text has it.`;
  at("text-fold").open ||= Boolean(error) || apart.length > 0 || IN_TEXT.some(each => state.options[each]?.length);
  downloads(page);
  say("The answer is ready.");
}

function framed(page) {
  const place = at("frame-place");
  place.hidden = !page;
  at("page-links").replaceChildren();
  if (!page) return place.replaceChildren();
  const old = place.firstChild, fresh = make("iframe", { src: page, title: "The report", loading: "eager" });
  old ? old.replaceWith(fresh) : place.append(fresh);
  const download = page.startsWith("blob:") ? { href: page, download: "report.html" } : { href: `${page}?download=1` };
  at("page-links").append(make("a", { href: page, target: "_blank", rel: "noopener", text: "Open the report in a tab of its own" }), make("a", { ...download, text: "Save the report" }));
}

function downloads() {
  const now = verb(), body = { ...source(now), ...bodyOf(kinds[now], state.options) };
  const fetched = (text, act) => button(text, async event => {
    const own = event.currentTarget;
    own.disabled = true;
    try { await act(); say(`${text} is saved.`); } catch (error) { tell(at("problem"), error, { set: add }); }
    own.disabled = false;
    own.focus();
  });
  const written = format => async () => { const { result } = await answer(now, { ...body, format }); return typeof result === "string" ? result : `${JSON.stringify(result, null, 1)}\n`; };
  const drawn = figure => async () => (await answer(now, { ...body, figure })).files.forEach(saveFile);
  const cleaned = long => async () => {
    for (const file of state.file) (await answer("read", { file, ...bodyOf(kinds.read, state.options), ...pricesOfLogs(), clean: "csv", ...(long ? { long } : {}) })).files.forEach(saveFile);
  };
  at("downloads").replaceChildren(
    ...(state.store.length || ofVotes() || !given() ? [] : [fetched("Table (csv)", cleaned(false)), ...(withoutServer ? [] : [fetched("All results (csv)", cleaned(true))])]),
    fetched("JSON", async () => save(`${now}.json`, "application/json", await written("json")())),
    fetched("LaTeX", async () => save(`${now}.tex`, "application/x-tex", await written("latex")())),
    fetched("Markdown", async () => save(`${now}.md`, "text/markdown", await written("markdown")())),
    ...(now === "power" ? [] : withoutServer ? ["svg", "tex"] : ["svg", "pdf", "png", "tex"]).map(each => fetched(`Figure (${each})`, drawn(each))));
}

// ---- what is dropped, chosen and entered

async function take(files) {
  at("answering").hidden = false;
  say("Taking the table in ...", true);
  try {
    const keys = [];
    let fought = false;
    for (const { name, data } of files) {
      const key = await upload(name, data), heads = await headings(data);
      fought = files.length === 1 && areVotes(heads, votes);
      sessionStorage.setItem(`headings ${key}`, JSON.stringify(heads));
      sessionStorage.setItem(`headings name ${key}`, JSON.stringify([name]));
      keys.push(key);
    }
    measures = [];
    change({ ...NAMES, verb: fought ? ["battles"] : state.verb[0] === "battles" ? [] : state.verb, file: keys, options: {} });
    at("h-understood").closest("section").hidden = false;
    at("h-understood").focus();
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
for (const each of document.querySelectorAll("[data-example]"))
  each.addEventListener("click", () => { measures = []; change({ ...NAMES, verb: state.verb, file: [each.dataset.example], options: {} }); });
at("from-store")?.addEventListener("click", () => { measures = []; change({ ...NAMES, verb: state.verb, store: ["1"], options: {} }); });
at("untabled").addEventListener("click", () => { measures = []; change({ ...NAMES, verb: ["power"], options: {} }); at("power-items").focus(); });
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
