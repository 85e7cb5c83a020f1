// Background runs: begin, watch, cancel, go on, forget; the order of what is left changes with every result.
import { Refused, change, get } from "./ask.js";
import { at, button, copy, duration, make, short, table } from "./dom.js";
import { tell, untell } from "./problem.js";

const OVER = ["done", "cancelled", "interrupted", "failed"];
const LEFT_OUT = ["budget", "known", "page"];
const WORDS = { waiting: "waits for its turn", running: "is running", done: "is done", cancelled: "was cancelled", interrupted: "was interrupted", failed: "failed" };
let page, timer = 0, last = "", cancelling = "";

export function showRuns(told) {
  page = told;
  at("run-form").addEventListener("submit", event => { event.preventDefault(); begin(); });
  if (page.chosen()) watch();
  list();
}

const guarded = act => async () => {
  try { untell(at("run-problem")); await act(); } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tell(at("run-problem"), error);
  }
};

const begin = guarded(async () => {
  const told = Object.fromEntries(Object.entries(page.body()).filter(([name]) => !LEFT_OUT.includes(name)));
  if (!told.file) throw new Refused({ what: "There are no data yet.", why: "", mend: "Choose a file or an example above.", text: "", options: [] });
  const found = await change("POST", "/api/runs", { ...told, run: at("run-time").value.trim() || "10min" });
  page.choose(found.run);
  at("run").hidden = false;
  at("h-now").focus();
  watch();
});

const watch = guarded(async () => {
  clearTimeout(timer);
  const run = page.chosen();
  if (!run) { at("run").hidden = true; return; }
  let found;
  try { found = await get(`/api/runs/${encodeURIComponent(run)}`); } catch (error) {
    if (error.code === "not-found") { page.choose(""); at("run").hidden = true; }
    else timer = setTimeout(watch, 3000);  // a server that is busy or away may answer later
    throw error;
  }
  if (run === page.chosen()) shown(found);
  if (!OVER.includes(found.state)) timer = setTimeout(watch, document.hidden ? 4000 : 1000);
  else list();
});

function shown(run) {
  at("run").hidden = false;
  if (run.run === cancelling && !OVER.includes(run.state)) return;
  cancelling = "";
  const now = run.progress?.running?.map(each => each.algorithm ?? each).filter(each => typeof each === "string") ?? [];
  const words = `${run.data}, ${run.time}: ${WORDS[run.state]}; ${done(run)}${run.best ? `, the best ${run.state === "done" ? "" : "so far "}${run.best.algorithm} with ${scored(run.best)}` : ""}${now.length && run.state === "running" ? `; at work: ${[...new Set(now)].join(", ")}` : ""}.`;
  if (words !== last) at("run-status").textContent = words;
  last = words;
  at("run-status").classList.toggle("busy", !OVER.includes(run.state));
  at("run-bar").value = run.state === "done" ? 1 : share(run);
  acts(run);
  const rows = run.trials.map(each => [make("b", { text: each.algorithm }), went(each), short(each.score), duration(each.seconds), short(each.best_so_far)]);
  const score = run.trials.find(each => each.score_name)?.score_name ?? "score";
  at("trials").replaceChildren(rows.length ? table("Tried so far", ["algorithm", "how it went", score.replaceAll("_", " "), "time", "best so far"], rows, { text: [0, 1] }) : "");
  at("next").replaceChildren(...(run.next.length && run.state !== "done" ? [make("p", {}, make("b", { text: "Next, by all that was learned so far:" })), make("ol", {}, ...run.next.slice(0, 10).map(text => make("li", { text })))] : []));
  at("run-answer").replaceChildren(...(OVER.includes(run.state) ? answered(run) : []));
}

const scored = each => `${(each.score_name ?? "score").replaceAll("_", " ")} ${short(each.score)}`;
const HOW = { ok: "finished", timeout: "out of time", memory: "out of memory", error: "failed", crash: "ended by itself", interrupted: "interrupted" };
const went = each => `${each.stored ? "from the store" : HOW[each.status] ?? each.status}${each.reason && each.status !== "timeout" ? `: ${each.reason}` : ""}`;

const done = run => run.cells ? `${run.tried} of ${run.cells} cells done` : `${run.tried} tried`;

function share(run) {
  if (run.cells) return run.tried / run.cells;
  const units = { s: 1, min: 60, m: 60, h: 3600 }, found = /^([\d.]+)\s*(s|min|m|h)?/.exec(run.time);
  const whole = found ? Number(found[1]) * (units[found[2]] ?? 1) : 600;
  return Math.min(1, ((run.ended ?? Date.now() / 1000) - run.created) / whole);
}

// What is at work ends first, which takes a moment; until then nothing else would show that the click was heard.
const cancel = path => guarded(async () => {
  cancelling = page.chosen();
  at("run-acts").replaceChildren();
  at("run-status").textContent = last = "Cancelling ...: what is at work now is ended; what was finished is kept.";
  at("h-now").focus();
  try { await change("POST", `${path}/cancel`); } catch (error) { cancelling = ""; throw error; } finally { watch(); }
  list();
});

const post = (path, method = "POST") => guarded(async () => { await change(method, path); watch(); list(); });

function acts(run) {
  const path = `/api/runs/${encodeURIComponent(run.run)}`, held = at("run-acts");
  const wanted = OVER.includes(run.state) ? ["Go on with it", "Close"] : ["Cancel"];
  if ([...held.children].map(each => each.textContent).join() === wanted.join()) return;  // focus stays where it is
  const all = { "Cancel": cancel(path), "Go on with it": post(`${path}/resume`), "Close": () => { page.choose(""); at("run").hidden = true; at("begin").focus(); } };
  held.replaceChildren(...wanted.map(text => button(text, all[text])));
}

function answered(run) {
  const found = run.result?.run;
  if (run.error) return [make("p", { class: "problem", text: run.error })];
  if (!found) return run.cells ? [make("p", {}, "The results are in ", make("a", { href: "/store", text: "the store" }), ": ", make("a", { href: "/compare?store=1", text: "order the algorithms" }), ".")] : [];
  const { answer, caveats = [] } = run.result;
  const verdict = answer ? [make("div", { class: "answer" }, ...["headline", "saves", "loses", "sure"].filter(name => answer[name]).map(name => make("p", { text: answer[name] })))] : [];
  const sentences = caveats.map(text => make("p", { class: "note", text }));
  const order = found.order.length ? [make("p", {}, make("b", { text: "From best to worst: " }), found.order.join(", ") + ".")] : [make("p", { text: unordered(found) })];
  const code = found.code ? [make("h3", { text: "Code of the winner" }), make("pre", { id: "code", tabindex: "0", text: found.code, "aria-label": "Code of the winner" }), button("Copy the code", event => copy(event.currentTarget, at("code")))] : [];
  return [...verdict, ...order, ...sentences, make("p", {}, "The results are in ", make("a", { href: "/store", text: "the store" }), "."), ...code];
}

const unordered = found => `${found.best ? "One algorithm came to its end in this time, and it takes two for an order." : "No algorithm came to its end in this time, so there is no order yet."} Go on with the run, or give it longer.`;

const list = guarded(async () => {
  const { runs } = await get("/api/runs");
  const rows = runs.map(each => [each.data, each.time, WORDS[each.state], done(each), each.best ? `${each.best.algorithm} (${scored(each.best)})` : "",
    make("span", { class: "row" }, button("Look", () => { page.choose(each.run); watch(); }, { "aria-label": `Look at the run on ${each.data}` }),
      OVER.includes(each.state) ? button("Forget", guarded(async () => { await change("DELETE", `/api/runs/${encodeURIComponent(each.run)}`); if (page.chosen() === each.run) { page.choose(""); at("run").hidden = true; } list(); }), { "aria-label": `Forget the run on ${each.data}` }) : null)]);
  at("runs").replaceChildren(rows.length ? table("Runs of this server", ["data", "time", "state", "tried", "best", ""], rows, { text: [0, 2, 4] }) : "");
});
