// Small pieces that all pages share: elements, live words, copies, downloads, files that are dropped or pasted.

export const at = id => document.getElementById(id);

// An element: text is set as text, never as markup, whatever names it holds.
export function make(tag, told = {}, ...inside) {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(told)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") found.textContent = value;
    else if (name.startsWith("on")) found.addEventListener(name.slice(2), value);
    else found.setAttribute(name, value === true ? "" : value);
  }
  found.append(...inside.filter(each => each !== null && each !== undefined));
  return found;
}

// The same in a drawing.
export function draw(tag, told, ...inside) {
  const found = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(told)) found.setAttribute(name, value);
  found.append(...inside);
  return found;
}

// Draw anew what holds the focus: it goes to the element of the same name, so that whoever has no mouse stays where they were.
export function keepingFocus(act) {
  const held = document.activeElement, name = held?.getAttribute("aria-label"), id = held?.id;
  act();
  if (held === document.activeElement || document.activeElement !== document.body) return;
  const again = (id && at(id)) || (name && document.querySelector(`[aria-label="${CSS.escape(name)}"]`));
  again?.focus({ preventScroll: true });
}

export const button = (text, act, told = {}) => make("button", { type: "button", text, onclick: act, ...told });

// What is kept of a file beside the address: the name that people know, and its headings.
export const remembered = key => { try { return JSON.parse(sessionStorage.getItem(`headings ${key}`)) ?? []; } catch { return []; } };
export const remember = (key, values) => sessionStorage.setItem(`headings ${key}`, JSON.stringify(values));
export const called = file => remembered(`name ${file}`)[0] ?? (file.startsWith("upload:") ? "an uploaded file" : file);

export function say(text, busy = false) {
  const place = at("status");
  if (place.textContent !== text) place.textContent = text;
  place.classList.toggle("busy", busy);
}

export function save(name, type, data) {
  const address = URL.createObjectURL(new Blob([data], { type }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

export function saveFile(file) {
  const data = file.text ?? Uint8Array.from(atob(file.base64), each => each.charCodeAt(0));
  save(file.name, file.type, data);
}

// Where a browser does not let a page write what is copied, the text is marked to be copied by hand.
export async function copy(button, place) {
  const own = button.textContent;
  try { await navigator.clipboard.writeText(place.textContent); button.textContent = "Copied"; } catch { getSelection().selectAllChildren(place); button.textContent = "Marked: copy it by hand"; }
  button.focus();
  setTimeout(() => { button.textContent = own; }, 2000);
}

export function copying() {
  for (const each of document.querySelectorAll("[data-copy]")) each.addEventListener("click", () => copy(each, at(each.dataset.copy)));
}

// A place where files may be dropped or chosen.
export function dropping(drop, input, take) {
  input.addEventListener("change", () => { if (input.files.length) take([...input.files]); });
  for (const kind of ["dragenter", "dragover"])
    drop.addEventListener(kind, event => { event.preventDefault(); drop.classList.add("over"); });
  for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
  drop.addEventListener("drop", event => {
    event.preventDefault();
    const entries = [...event.dataTransfer.items].map(each => each.webkitGetAsEntry?.());
    if (entries.some(each => each?.isDirectory)) Promise.all(entries.map(each => each ? filesIn(each) : [])).then(files => take(files.flat()));
    else if (event.dataTransfer.files.length) take([...event.dataTransfer.files]);
  });
}

// The files of a dropped folder, named with the folder that they lie in.
async function filesIn(entry, folder = "") {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => entry.file(done, failed));
    return [folder ? new File([file], `${folder}/${file.name}`, { type: file.type }) : file];
  }
  const reader = entry.createReader(), inside = [];
  for (let some = [0]; some.length;) {
    some = await new Promise((done, failed) => reader.readEntries(done, failed));
    inside.push(...some.filter(each => !each.name.startsWith(".")));
  }
  return (await Promise.all(inside.map(each => filesIn(each, entry.name)))).flat();
}

// Where they may be pasted, too; take gets a list of {name, data}.
export function taking(take) {
  dropping(at("drop"), at("file"), files => take(files.map(data => ({ name: data.name, data }))));
  at("paste").addEventListener("click", () => {
    const text = at("pasted").value;
    if (text.trim()) take([{ name: "pasted.txt", data: text }]);
    else at("pasted").focus();
  });
}

// The headings of a text table, where its first line tells them: for selects; the server decides by itself.
export async function headings(data) {
  const text = typeof data === "string" ? data : /\.(csv|tsv|txt|tab|dat)$/i.test(data.name) ? await data.slice(0, 65536).text() : "";
  const line = text.split(/\r?\n/).find(each => each.trim() && !each.startsWith("#")) ?? "";
  const mark = ["\t", ";", ","].find(each => line.includes(each));
  if (!mark || line.length > 20000) return [];
  const cells = line.match(new RegExp(`("([^"]|"")*"|[^${mark}]*)(${mark}|$)`, "g")) ?? [];
  const names = cells.map(each => each.replace(new RegExp(`${mark}$`), "").trim().replace(/^"(.*)"$/, "$1").replaceAll('""', '"'));
  return names.filter((each, place) => each && names.indexOf(each) === place).slice(0, 200);
}

let tables = 0;

// A table with its words above it; a column without heading holds buttons.
export function table(caption, header, rows, { text = [], kind = null, caption: label = caption } = {}) {
  const id = `table-${tables += 1}`;
  const cell = (tag, value, place) => make(tag, { class: text.includes(place) ? "text" : null, scope: tag === "th" ? "col" : null },
    value instanceof Node ? value : document.createTextNode(value ?? ""));
  const head = each => each === "" ? make("span", { class: "visually-hidden", text: "what can be done" }) : each;
  return make("div", {}, make("p", { class: caption ? "caption" : "visually-hidden", id, text: label }),
    make("div", { class: "wide", tabindex: "0", role: "group", "aria-labelledby": id },
      make("table", { "aria-labelledby": id, class: kind },
        make("thead", {}, make("tr", {}, ...header.map((each, place) => cell("th", head(each), place)))),
        make("tbody", {}, ...rows.map((row, at) => make("tr", { class: kind && !at ? "first" : null }, ...row.map((each, place) => cell("td", each, place))))))));
}

export const short = (value, digits = 3) => value === null || value === undefined ? "" : Number(value.toPrecision(digits)).toString();

export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "";
  for (const [unit, size] of [["h", 3600], ["min", 60], ["s", 1]]) if (seconds >= size) return `${short(seconds / size, 2)} ${unit}`;
  return `${short(seconds * 1000, 2)} ms`;
}
