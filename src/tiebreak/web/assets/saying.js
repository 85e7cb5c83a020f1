// Sentences of the command line as a page says them: where they name an option, the page names its field.
import { at } from "./dom.js";

const { labels, words: known, switches, meanings: told } = JSON.parse(at("spoken").textContent);
const NAMED = { "transpose true": "rows are algorithms", "transpose false": "rows are data sets", "column dataset=#": "number the rows as data sets", "column fold=#": "number the rows as folds" };
const FLAG = /(?<![\w-])--(no-)?([a-z][a-z-]*[a-z])(?:([ =])("[^"]*"|'[^']*'|\.\.\.|(?:[^\s,;()"']|,(?=\S))+))?/g;

export const meanings = told;
export const label = name => labels[name] ?? name.replaceAll("_", " ");

// A choice in a few words, as clicks have it.
export const words = (name, value) => NAMED[`${name} ${value}`] ?? (value === true ? label(name) : `${label(name)}: ${value}`);

// Behind an option stands its value, a word in capitals for any, or the sentence goes on.
function valueOf(name, text, offered) {
  if (/^["']/.test(text)) return text.slice(1, -1);
  if (/^[A-Z][A-Z0-9,=|]*$|^[a-z]$/.test(text) || text === "...") return "";
  const role = /^(\w+)=(HEADER)?$/.exec(text);  // which column, is left open
  if (role) return role[1];
  return /[\d=_]/.test(text) || (known[name] ?? []).includes(text) || (offered[name] ?? []).includes(text) ? text : null;
}

// options: what a problem offers, whose values are known to be such.
export function spoken(text, options = []) {
  const offered = {};
  for (const { option, values } of options) (offered[option] ??= []).push(...values.map(String));
  const told = String(text).replace(FLAG, (whole, no, flag, space = "", value = "") => {
    const plain = flag.replaceAll("-", "_"), name = no && `no_${plain}` in labels ? `no_${plain}` : plain;
    if (!(name in labels)) return whole;  // no field of ours: an option of the server itself
    const on = !no || name !== plain;
    if (switches.includes(name)) return `“${NAMED[`${name} ${on}`] ?? (on ? label(name) : `not ${label(name)}`)}”${space}${value}`;
    const [, bare, end] = /^(\.\.\.|.*?)([.:]*)$/.exec(value.replace(/=\.\.\./, "=")), found = value ? valueOf(name, bare, offered) : "";
    return found === null ? `“${label(name)}”${space}${value}` : `“${found ? words(name, found) : label(name)}”${end}`;
  });
  return told.replace(/(“[^”]+”) \1/g, "$1");
}
