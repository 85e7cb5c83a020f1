// The gate: a base and a candidate, a margin, and whether the one may take the place of the other. The state is in the address.
import { layOut } from "./answer.js";
import { Refused, answer, upload } from "./ask.js";
import { at, button, called, copying, dropping, make, remember, save, saveFile, say } from "./dom.js";
import { bodyOf, fieldValue, fill, fromAddress, toAddress, withValue } from "./options.js";
import { into, tell, titled, untell } from "./problem.js";

const { kinds: { gate: kinds, read: readKinds } } = JSON.parse(at("spoken").textContent);
const SIDES = ["base", "candidate"], OWN = ["base_file", "candidate_file", "prices"];
const WORDS = { pass: "It may.", worse: "It may not.", undecided: "Not decided yet." };
const MOST = 12;  // names that are offered as clicks; the fields know all of them
const MARGINS = { "1%": "1% of the old score", "2%": "2%", "5%": "5%", "0.0": "nothing: it must be better" };
let state = start(), running = null, later = 0, looked = "", models = null, fold = true;

function start() {
  const told = fromAddress();
  return { ...Object.fromEntries(OWN.map(name => [name, told[name] ?? []])), options: Object.fromEntries(Object.entries(told).filter(([name]) => !OWN.includes(name))) };
}

const files = () => SIDES.flatMap(side => state[`${side}_file`]);
const body = () => ({ file: files(), ...(state.prices.length ? { prices: state.prices[0] } : {}), ...bodyOf(kinds, state.options) });

function change(told, { step = true } = {}) {
  state = { ...state, ...told };
  refresh({ step });
}

function set(name, values) {
  const options = { ...state.options, [name]: values };
  if (!values.length) delete options[name];
  change({ options });
}

// The button that was clicked goes away; what comes in its place is read on from the heading.
function mended(name, value) {
  change({ options: withValue(kinds, state.options, name, value) });
  atAnswer();
}

function atAnswer() {
  at("h-answer").focus({ preventScroll: true });
  scrollTo(0, 0);
}

function headed(title, lead = "") {
  titled(at("h-answer"), title);
  at("h-answer").hidden = !title;
  at("lead").textContent = lead;
  at("lead").hidden = !lead;
}

// Both are there: they fold into one line, and what follows is at the top.
function whole() {
  const there = state.base_file.length > 0 && (state.candidate_file.length > 0 || models === null || models.length > 1);
  at("read").hidden = !there;
  at("source").replaceChildren(...[...files().map(called), ...SIDES.flatMap(side => state.options[side] ?? []), ...(state.options.margin ?? []).map(each => `margin: ${each}`)].map(text => make("span", { class: "chip", text })));
  if (!there) { at("setup").open = true; return false; }
  if (fold) { fold = at("setup").open = false; headed("Comparing the two"); atAnswer(); }
  return true;
}

function refresh(how = {}) {
  toAddress({ ...Object.fromEntries(OWN.map(name => [name, state[name]])), ...state.options }, how);
  fill(at("form"), state.options, how);
  for (const side of SIDES) shownSide(side);
  for (const each of ["form", "answering"]) at(each).hidden = !files().length;
  clearTimeout(later);
  later = setTimeout(run, 120);
}

function shownSide(side) {
  const [file] = state[`${side}_file`], place = at(`source-${side}`);
  place.hidden = !file;
  place.replaceChildren(...(file ? [make("b", { text: called(file) }), " ", button("Take it away", () => { change({ [`${side}_file`]: [] }); at(`file-${side}`).value = ""; at(`file-${side}`).focus(); }, { "aria-label": `Take the file of the ${side} away` })] : []));
}

async function run() {
  running?.abort();
  const own = running = new AbortController();
  untell(at("problem"));
  at("answer").hidden = true;
  delete at("h-answer").dataset.verdict;
  if (!state.base_file.length) { models = null; whole(); headed(""); return say(state.candidate_file.length ? "The file of the base is still missing." : ""); }
  say("Reading ...", true);
  try {
    await look(own.signal);
    if (!whole()) { headed(""); return say("The file of the candidate is still missing."); }
    if (!state.options.margin?.length) return margin();
    say("Testing ...", true);
    shown(await answer("gate", { ...body(), format: "page" }, own.signal));
    say("The verdict is ready.");
  } catch (error) {
    if (error.name === "AbortError" || own.signal.aborted) return;
    if (!(error instanceof Refused)) throw error;
    say("");
    refused(error);
  }
}

// The one open question, with the usual answer first.
function margin() {
  say("");
  headed("By how much may it be worse and still pass?");
  at("problem").replaceChildren(make("p", { text: "Choose before you look at the verdict." }),
    make("p", { class: "row" }, ...Object.entries(MARGINS).map(([value, text]) => button(text, () => mended("margin", value), value === "1%" ? { class: "main" } : {}))));
  at("problem").hidden = false;
}

// Two of one table are named by clicks: every model of it, but for the one that is named already.
function refused(error) {
  const [base, candidate] = SIDES.map(side => state.options[side]?.[0]), open = !base || !candidate;
  const options = (error.options ?? []).filter(({ option }) => !(open && SIDES.includes(option) && state.options[option]?.length));
  const names = files().length === 1 ? (models ?? []).filter(each => !open || ![base, candidate].includes(each)).slice(0, MOST) : [];
  tell(at("problem"), { ...error, options }, { offered: { base: names, candidate: names }, set: mended, focus, heading: at("h-answer") });
  at("h-answer").hidden = false;
}

function focus(name, how) {
  if (how?.only !== "look") at("setup").open = true;
  return into(name, at("form"), how);
}

// What the files hold, for the fields that name it; whatever is wrong with them the gate says itself.
async function look(signal) {
  const told = { ...bodyOf(readKinds, state.options), ...(state.prices.length ? { prices: state.prices[0] } : {}) }, key = JSON.stringify([files(), told]);
  if (key === looked) return;
  const found = await Promise.all(files().map(async file => {
    try { return (await answer("read", { file, ...told }, signal)).result; } catch (error) { if (error instanceof Refused) return null; throw error; }
  }));
  const offered = (id, names) => at(id).replaceChildren(...[...new Set(names)].map(value => make("option", { value })));
  const measures = found.flatMap(each => each?.measures ?? []);
  offered("known-scores", measures.filter(each => !each.is_cost && each.name !== "score").map(each => each.name));
  offered("known-costs", measures.filter(each => each.is_cost).map(each => each.name));
  SIDES.forEach((side, place) => offered(`known-${side}`, (found[place] ?? found[0])?.algorithms ?? []));
  models = found[0]?.algorithms ?? null;
  looked = key;
}

function shown({ result, command, python, files: written }) {
  at("answer").hidden = false;
  headed(WORDS[result.verdict] ?? result.verdict, result.headline);
  at("h-answer").dataset.verdict = result.verdict;
  at("verdict").replaceChildren(...(result.lead ? [make("p", { text: result.lead })] : []), ...layOut(result));
  at("text").textContent = result.text;
  at("command").textContent = command;
  at("python").textContent = python;
  const words = { "gate.md": "Summary (Markdown)", "gate.xml": "JUnit XML" };
  at("downloads").replaceChildren(...written.map(each => button(words[each.name] ?? each.name, () => saveFile(each))),
    button("JSON", async () => save("gate.json", "application/json", `${JSON.stringify((await answer("gate", body())).result, null, 1)}\n`)));
}

// ---- what is dropped, chosen and entered

async function kept(file) {
  const key = await upload(file.name, file);
  remember(`name ${key}`, [file.name]);
  return key;
}

async function take(side, [file]) {
  at("answering").hidden = false;
  fold = true;
  say("Taking the file in ...", true);
  try { change({ [`${side}_file`]: [await kept(file)] }); } catch (error) { if (!(error instanceof Refused)) throw error; say(""); tell(at("problem"), error); }
}

async function takeSlot(field) {
  try { change({ [field.dataset.slot]: field.files.length ? [await kept(field.files[0])] : [] }); } catch (error) { if (!(error instanceof Refused)) throw error; tell(at("problem"), error); }
}

for (const side of SIDES) dropping(at(`drop-${side}`), at(`file-${side}`), files => take(side, files));
copying();
at("clear").addEventListener("click", () => change({ options: {} }));
at("form").addEventListener("submit", event => event.preventDefault());
at("form").addEventListener("change", event => {
  const field = event.target;
  if (field.dataset.slot) takeSlot(field);
  else if (field.dataset.option) set(field.dataset.option, fieldValue(field));
});
addEventListener("popstate", () => { state = start(); refresh({ all: true }); });
refresh();
