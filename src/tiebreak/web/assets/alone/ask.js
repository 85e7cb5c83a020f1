// Questions without a server: a worker runs the package itself, in Python compiled for browsers. Same functions as ../ask.js.

export class Refused extends Error {
  constructor(told) {
    super(told.text);
    Object.assign(this, told);
  }
}

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
const waiting = new Map(), files = new Map();
let asked = 0, kept = null;

const lost = text => new Refused({ code: "lost", what: text, why: "", mend: "", text, options: [] });

worker.addEventListener("message", ({ data: { id, found, error } }) => {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (error) reject(lost(`Python could not be loaded or broke off: ${error}`));
  else if (found.error) reject(new Refused(found.error));
  else resolve(found);
});
worker.addEventListener("error", () => { for (const { reject } of waiting.values()) reject(lost("Python could not be loaded.")); waiting.clear(); });

export async function answer(verb, body, signal) {
  const id = asked += 1;
  const names = ["file", "costs", "prices"].flatMap(slot => body[slot] ?? []).filter(each => files.has(each));
  const found = await new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, verb, body, files: names.map(each => [each, ...files.get(each)]) });
  });
  if (signal?.aborted) throw new DOMException("over", "AbortError");
  if (found.page) {
    if (kept) URL.revokeObjectURL(kept);
    found.page = kept = URL.createObjectURL(new Blob([found.page], { type: "text/html" }));
  }
  return found;
}

// Files stay in this page.
export async function upload(name, data) {
  const key = `upload:${files.size + 1}`;
  files.set(key, [name, typeof data === "string" ? new TextEncoder().encode(data) : new Uint8Array(await data.arrayBuffer())]);
  return key;
}

export const storeMeasures = async () => [];
export const withoutServer = true;
