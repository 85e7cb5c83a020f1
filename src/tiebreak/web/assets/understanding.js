// How a table was understood, and the clicks that mend it: roles of columns, directions, rows left out, gaps.
import { button, make, table } from "./dom.js";

const ROLES = { dataset: "data set or benchmark", algorithm: "algorithm or model", replication: "replication", fold: "fold", metric: "metric of each data set",
  item: "item (question, task)", cluster: "cluster of items", epoch: "which of repeated answers", passed: "items passed", n: "items in all" };
const ALIKE = Object.assign(Object.create(null), { model: "algorithm", benchmark: "dataset" });
export const VOTE_ROLES = { left: "shown left", right: "shown right", winner: "who won", prompt: "prompt", voter: "voter" };
const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;
const listed = (names, most = 12) => names.slice(0, most).join(", ") + (names.length > most ? ` and ${names.length - most} more` : "");

function select(label, value, words, act, option) {
  const found = make("select", { "aria-label": label, "data-slot": option, onchange: () => act(found.value) },
    ...Object.entries(words).map(([key, text]) => make("option", { value: key, text, selected: key === value })));
  return found;
}

// A column plays one role, and a role is played by one column.
function withRole(columns, header, role) {
  const others = columns.filter(each => each.slice(each.indexOf("=") + 1) !== header && each.split("=")[0] !== role);
  return role ? [...others, `${role}=${header}`] : others;
}

function columnRow(header, options, roles, set, words, measures) {
  const told = (options.column ?? []).find(each => each.slice(each.indexOf("=") + 1) === header);
  const role = told?.split("=")[0] ?? Object.keys(roles).find(each => roles[each] === header) ?? "";
  const act = value => set("column", withRole(options.column ?? [], header, value));
  const found = measures.find(each => each.name === header), named = ALIKE[header] ?? header, kind = Object.hasOwn(words, named) ? words[named] : found && (found.is_cost ? "a cost" : "a score");
  return [header, select(`Role of column ${header}`, role, { "": kind ? `as found: ${kind}` : "as found", ...words }, act, "column")];
}

export function columnsTable(headers, options, roles, set, words = ROLES, measures = []) {
  if (!headers.length) return "";
  const found = table("What each column is", ["column", "role"], headers.map(each => columnRow(each, options, roles, set, words, measures)), { text: [0, 1] });
  return headers.length > 12 ? make("details", {}, make("summary", { text: `The ${headers.length} columns and their roles` }), found) : found;
}

function measuresTable(read, options, set) {
  const rows = read.measures.map(({ name, higher_is_better: higher, is_cost: cost }) => {
    const value = higher === null ? "" : higher ? "higher" : "lower";
    const act = way => set("direction", [...(options.direction ?? []).filter(each => !each.startsWith(`${name}=`)), ...(way ? [`${name}=${way}`] : [])]);
    const way = cost ? "lower is better" : select(`Direction of ${name}`, value,
      { "": "not said", higher: "higher is better", lower: "lower is better" }, act);
    return [name, cost ? "cost" : "score", way];
  });
  return table("Measures", ["measure", "kind", "direction"], rows, { text: [0, 1, 2] });
}

function leftOut(read, kinds, add) {
  if (!read.left_out.length) return "";
  const rows = read.left_out.map(each => {
    const { option, values = [] } = each.choices[0] ?? {}, usable = option in kinds && values.length;
    return [`${each.what} ${each.name}`, each.where, each.why, usable ? button("Keep it", () => add(option, values[0]), { title: each.keep, "aria-label": `Keep ${each.what} ${each.name}` }) : each.keep ?? ""];
  });
  return table("Left out", ["what", "where", "why", ""], rows, { text: [0, 1, 2, 3] });
}

// Whether algorithms are columns, or data sets: then rows and columns may have been taken for each other.
const isWide = (read, headers) => ["wide", "transposed"].includes(read.form)
  || (read.form === "plain" && (read.algorithms.some(each => headers.includes(each)) || (read.measures.length === 1 && read.measures[0].name === "score")));

// Columns that play no role and were not taken for a measure: one of them may be a cost all the same.
export const unused = (read, headers) => isWide(read, headers) || read.form === "logs" ? []
  : headers.filter(each => each && !Object.values(read.roles).includes(each) && !(each in ALIKE) && !Object.hasOwn(ROLES, each)
    && !read.left_out.some(one => one.what === "column" && one.name === each));

function turned(read, headers, set) {
  if (!isWide(read, headers)) return "";
  const over = read.form === "transposed", [rows, columns] = over ? [read.algorithms, read.datasets] : [read.datasets, read.algorithms];
  return make("p", { class: "row" }, `Rows are ${over ? "algorithms" : "data sets"}: ${listed(rows, 3)}. Columns are ${over ? "data sets" : "algorithms"}: ${listed(columns, 3)}.`,
    button("It is the other way round", () => set("transpose", [over ? "false" : "true"])));
}

function preview(read) {
  const names = read.algorithms.slice(0, 12);
  const rows = read.rows.slice(0, 10).map(row => [row.dataset, ...names.map(each => row[each] === null || row[each] === undefined ? "-" : String(Number(Number(row[each]).toPrecision(6))))]);
  const more = read.rows.length > 10 || read.algorithms.length > 12 ? " (its beginning)" : "";
  return make("details", {}, make("summary", { text: `Look at the table${more}` }), table(`Mean results${more}`, ["data set", ...names], rows, { text: [0] }));
}

export const counted = read => counts(read).join(", ");

export function counts(read) {
  const ofModels = ["item", "total"].includes(read.unit);
  return [
    ofModels ? plural(read.datasets.length, "benchmark", "benchmarks") : plural(read.datasets.length, "data set", "data sets"),
    ofModels ? plural(read.algorithms.length, "model", "models") : plural(read.algorithms.length, "algorithm", "algorithms"),
    ...(read.items ? [plural(read.items, "item", "items") + (read.clusters ? ` in ${plural(read.clusters, "cluster", "clusters")}` : "")] : []),
    plural(read.measures.length, "measure", "measures")];
}

export function understood(read, { options, kinds, headers, file, set, add }) {
  const form = { long: "one row per result", wide: "one row per data set", transposed: "one row per algorithm", logs: "answers to items, or totals", plain: "" }[read.form] ?? read.form;
  const mendable = !file.every(each => each.startsWith("published:"));
  const columns = [...new Set([...headers, ...Object.values(read.roles), ...read.left_out.filter(each => each.what === "column").map(each => each.name)])]
    .filter(each => each !== "#");
  const wide = isWide(read, headers);
  return [
    make("p", {}, make("b", { text: `${counted(read)}.` }), form ? ` Read as ${form}.` : ""),
    mendable ? turned(read, headers, set) : "",
    read.gaps.length ? make("p", { class: "note" }, make("b", { text: plural(read.gaps.length, "gap", "gaps") }), `: ${listed(read.gaps, 8)}. Choose under "Gaps" below what to do about them.`) : "",
    read.failures.length && !read.caveat_codes.includes("run-failed") ? make("p", { class: "note", text: `Failures: ${listed(read.failures.map(each => `${each.algorithm} on ${each.dataset} (${each.reason})`), 8)}.` }) : "",
    make("div", { class: "beside" }, measuresTable(read, options, set), mendable && !wide ? columnsTable(columns, options, read.roles, set, ROLES, read.measures) : ""),
    leftOut(read, kinds, add),
    ...read.caveats.filter((_, place) => !/left-out/.test(read.caveat_codes[place])).map(text => make("p", { class: "note", text: text })),
    preview(read),
  ];
}
