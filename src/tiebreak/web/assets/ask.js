// Questions to the server.
import { headings, remember } from "./dom.js";

const token = document.querySelector('meta[name="tiebreak-token"]')?.content ?? "";

export class Refused extends Error {
  constructor(told) {
    super(told.text);
    Object.assign(this, told);
  }
}

async function answered(response) {
  if (response.status === 204) return null;
  let found;
  try { found = await response.json(); } catch { found = null; }
  if (response.ok && found && !response.headers.has("X-Tiebreak-Status")) return found;
  const lost = { code: "lost", what: "The server gave no answer that can be read.", why: "", mend: "Try again.", text: "The server gave no answer that can be read.", options: [] };
  throw new Refused(found?.error ?? lost);
}

async function sent(path, told) {
  told.headers = { "X-Tiebreak-Page": "1", ...told.headers };  // a refusal is an answer here, and no line in the console
  try { return await fetch(path, told); } catch (error) {
    if (error.name === "AbortError") throw error;
    const text = "The server does not answer. Is it still running?";
    throw new Refused({ code: "away", what: text, why: "", mend: "", text, options: [] });
  }
}

export const get = async (path, signal) => answered(await sent(path, { signal }));

// Ask a verb: the answer of the command line, with the command that gives it.
export const answer = async (verb, body, signal) => answered(await sent(`/api/${verb}`, {
  method: "POST", signal, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }));

// Change something: begin or end a run, take a table in.
export async function change(method, path, body) {
  const headers = { "X-Tiebreak-Token": token };
  if (body && !(body instanceof FormData)) headers["Content-Type"] = "application/json";
  return answered(await sent(path, { method, headers, body: body instanceof FormData ? body : body && JSON.stringify(body) }));
}

// Keep a file or a text on the server for a while; returns the name by which questions name it.
export async function upload(name, data) {
  if (typeof data === "string") return (await change("POST", "/api/uploads", { text: data })).upload;
  const form = new FormData();
  form.append("file", data, name);
  return (await change("POST", "/api/uploads", form)).upload;
}

// Keep several, with the names and headings that pages show of them.
export async function uploaded(files) {
  const keys = [];
  for (const { name, data } of files) {
    const key = await upload(name, data);
    remember(key, await headings(data));
    remember(`name ${key}`, [name]);
    keys.push(key);
  }
  return keys;
}

export async function storeMeasures() {
  const { measures, costs } = await get("/api/store");
  return measures.map(name => ({ name, is_cost: costs.includes(name), higher_is_better: null }));
}
