// Options of verbs: between fields, the address of the page, and the body of a question.

// Read the address: several values of one name are a list.
export function fromAddress() {
  const found = {};
  for (const [name, value] of new URLSearchParams(location.search)) (found[name] ??= []).push(value);
  return found;
}

// Write the state into the address, so that it can be kept and sent. What a person chose is a step to come back to; what a page fills in is none.
export function toAddress(told, { step = false } = {}) {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(told)) for (const each of [values].flat()) if (each !== "" && each !== undefined) query.append(name, each);
  const text = query.toString();
  const wanted = location.pathname + (text ? `?${text}` : "");
  if (wanted !== location.pathname + location.search) history[step ? "pushState" : "replaceState"](null, "", wanted);
}

// What is sent of an option: an address and a field hold texts, a body has numbers, truths and lists.
export function typed(kind, values) {
  if (kind === "texts") return values;
  const last = values.at(-1);
  if (kind === "switch" || kind === "either") return last === "true";
  if ((kind === "number" || kind === "integer") && last.trim() !== "" && Number.isFinite(Number(last))) return Number(last);
  return last;
}

export function bodyOf(kinds, options) {
  const body = {};
  for (const [name, values] of Object.entries(options)) if (name in kinds && values.length) body[name] = typed(kinds[name], values);
  return body;
}

export function fieldValue(field) {
  if (field.dataset.entry === "check") return field.checked ? ["true"] : [];
  if (field.dataset.entry === "lines") return field.value.split("\n").map(each => each.trim()).filter(Boolean);
  return field.value.trim() === "" ? [] : [field.value.trim()];
}

// What is being typed stays, unless all is shown anew.
export function fill(root, options, { all = false } = {}) {
  for (const field of root.querySelectorAll("[data-option]")) {
    if (!all && field === document.activeElement && field.matches("textarea, input[type=text]")) continue;
    const values = options[field.dataset.option] ?? [];
    if (field.dataset.entry === "check") field.checked = values.at(-1) === "true";
    else if (field.dataset.entry === "lines") { field.value = values.join("\n"); field.rows = Math.max(1, values.length); }
    else field.value = values.at(-1) ?? "";
  }
  for (const fold of root.querySelectorAll("details:has([data-count])")) {
    const set = new Set([...fold.querySelectorAll("[data-option]")].map(each => each.dataset.option).filter(each => options[each]?.length));
    fold.querySelector("[data-count]").textContent = set.size ? `(${set.size} set)` : "";
  }
}

// Take a click on an option that a sentence names: switches are set, lists grow, others change.
export function withValue(kinds, options, name, value) {
  const told = { ...options };
  if (kinds[name] === "texts") {
    const role = String(value).split("=")[0];
    const others = (told[name] ?? []).filter(each => name === "cost" || each.split("=")[0] !== role);
    told[name] = [...new Set([...others, String(value)])];
  } else told[name] = [String(value)];
  if (name === "higher_is_better") delete told.lower_is_better;
  if (name === "lower_is_better") delete told.higher_is_better;
  return told;
}
