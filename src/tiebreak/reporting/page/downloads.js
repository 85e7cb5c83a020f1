// Downloads: the table, the order, the figures and the papers, made here from what the page holds.
"use strict";

const Downloads = (() => {
  const { make } = Page;
  const PNG_SCALE = 3;

  function save(name, kind, content) {
    const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: kind }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }

  const unpacked = () => Page.unpacked("packed");

  // A text that a spreadsheet would take for a formula is quoted; numbers stay numbers.
  function cell(value) {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return String(value);
    const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(harmless) ? `"${harmless.replace(/"/g, '""')}"` : harmless;
  }

  function csv(rows) {
    const columns = Array.from(new Set(rows.flatMap((row) => Object.keys(row))));
    const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
    return lines.map((line) => line.map(cell).join(",")).join("\r\n");
  }

  async function png(svg, name) {
    const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    const image = new Image();
    await new Promise((done, failed) => { image.onload = done; image.onerror = failed; image.src = url; });
    const canvas = make("canvas");
    canvas.width = image.width * PNG_SCALE;
    canvas.height = image.height * PNG_SCALE;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(url);
    save(name, "image/png", await new Promise((done) => { canvas.toBlob(done, "image/png"); }));
  }

  const stem = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "figure";

  function ofFigure(figure, k, name) {
    const file = `${k + 1}-${stem(name)}`, get = async () => (await unpacked()).figures[k];
    const kinds = {
      SVG: async () => save(`${file}.svg`, "image/svg+xml", (await get()).svg),
      TikZ: async () => save(`${file}.tex`, "text/x-tex", (await get()).tikz),
      PNG: async () => png((await get()).svg, `${file}.png`),
    };
    const buttons = Object.entries(kinds).map(([kind, click]) => make("button", { type: "button", "aria-label": `Download ${name} as ${kind}`, click }, kind));
    figure.querySelector("figcaption").append(make("div", { class: "row" }, ...buttons));
  }

  function start(data) {
    const section = document.getElementById("downloads"), title = data.title;
    const ordered = data.orders.length > 0; // a comparison alone has no order to keep
    const told = async () => JSON.stringify({ title, order: Trade.state(), table: (await unpacked()).table }, null, 1);
    const kinds = {
      [ordered ? "Scores and costs (csv)" : "Scores (csv)"]: async () => save("results.csv", "text/csv", csv((await unpacked()).table)),
      [ordered ? "Order at this trade and data (JSON)" : "Data (JSON)"]: async () => save(ordered ? "order.json" : "data.json", "application/json", await told()),
      "Papers (BibTeX)": () => save("papers.bib", "text/x-bibtex", data.bibtex),
    };
    section.append(make("h2", { id: "download" }, "Downloads"),
      make("div", { class: "row" }, ...Object.entries(kinds).map(([name, click]) => make("button", { type: "button", click }, name))));
    section.setAttribute("aria-labelledby", "download");
    section.hidden = false;
    document.querySelectorAll("main figure").forEach((figure, k) => ofFigure(figure, k, data.figures[k]));
  }

  return { start, csv };
})();
