// Answers that are no report: strengths by votes, and how many items it takes, as tables of this page.
import { make, short, table } from "./dom.js";
import { noted } from "./problem.js";

const plain = header => header.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_|_$/g, "");

// Whether headings are those of votes: both that were shown, and who won.
export function areVotes(headers, { sides, winner }) {
  const held = new Set(headers.map(plain));
  return winner.some(each => held.has(each)) && (held.has("loser") || sides.some(([left, right]) => held.has(left) && held.has(right)));
}

const percent = share => `${Math.round(100 * share)}%`;

function strengths(result) {
  const priced = result.algorithms.some(each => Number.isFinite(each.price)), header = ["place", "algorithm", "Elo", "interval", "win rate", "won/tied/lost", "group"];
  const letters = name => result.groups.flatMap((group, place) => group.includes(name) ? [String.fromCharCode(97 + place % 26)] : []).join("");
  const rows = result.algorithms.map(each => [String(each.place), make("b", { text: each.algorithm }), String(Math.round(each.elo)), `${Math.round(each.elo_low)} to ${Math.round(each.elo_high)}`,
    percent(each.win_rate), `${each.wins}/${each.ties}/${each.losses}`, letters(each.algorithm), ...(priced ? [short(each.price)] : [])]);
  return table("Strengths; those that share a letter do not differ significantly", [...header, ...(priced ? [result.method.cost ?? "price"] : [])], rows, { text: [1, 6] });
}

function figure(files) {
  const drawn = files.find(each => each.name.endsWith(".svg"));
  return drawn ? make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Figure of strengths" }, make("img", { class: "figure", alt: "Strengths with their intervals; the table above has the same numbers", src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawn.text)}` })) : "";
}

const notes = (result, kinds, set) => (result.caveats ?? []).map(text => noted(String(text), kinds, set));

// How votes were understood: counts, as far as they are known.
export function countedVotes(result) {
  const of = Object.entries(result.clusters ?? {}).map(([kind, count]) => `${count.toLocaleString("en")} ${kind}${count === 1 ? "" : "s"}`);
  return make("p", {}, make("b", { text: `${[`${result.votes.toLocaleString("en")} votes`, `${result.algorithms.length} algorithms`, ...of].join(", ")}.` }));
}

export function fought({ result, files }, kinds, set) {
  const said = result.conclusion.filter(each => each !== result.headline);
  const reasons = (result.reasons ?? []).map(each => [String(each.place), make("b", { text: each.algorithm }), each.text]);
  return [
    make("p", { class: "lead answer", text: result.headline }),
    make("p", { text: said.join(" ") }),
    strengths(result),
    reasons.length ? table("Why each stands where it stands", ["place", "algorithm", "reason"], reasons, { text: [1, 2] }) : "",
    figure(files),
    ...notes(result, kinds, set),
  ];
}

export function planned({ result }, kinds, set) {
  const needed = result.needed !== undefined && result.needed !== null;
  const rows = Array.isArray(result.pairs) ? result.pairs.map(each => [each.a, each.b, String(each.items), short(each.shown), ...(needed ? [each.needed.toLocaleString("en")] : [])]) : [];
  return [
    make("p", { class: "lead answer", text: result.text + (needed && rows.length ? ` To show ${short(result.difference)} between any two of them it takes ${result.needed.toLocaleString("en")} items.` : "") }),
    rows.length ? table("Every pair", ["a", "b", "items", "smallest difference shown", ...(needed ? [`items needed for ${short(result.difference)}`] : [])], rows, { text: [0, 1] }) : "",
    ...notes(result, kinds, set),
  ];
}
