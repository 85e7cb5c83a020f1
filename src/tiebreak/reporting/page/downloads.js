// Downloads: the table, the order, the figures and the papers, from what the page holds.
"use strict";

const Downloads = (() => {
  const { make } = Page;

  function save(name, kind, content) {
    const url = URL.createObjectURL(new Blob([content], { type: kind }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }

  const unpacked = () => Page.unpacked("packed");
  const stem = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "figure";
  const button = (text, click, label = text) => make("button", { type: "button", "aria-label": label, click }, text);

  function ofFigure(figure, k, name) {
    const file = `${k + 1}-${stem(name)}`, get = async () => (await unpacked()).figures[k];
    figure.querySelector("figcaption").append(make("div", { class: "row" },
      button("SVG", async () => save(`${file}.svg`, "image/svg+xml", (await get()).svg), `Download ${name} as SVG`),
      button("TikZ", async () => save(`${file}.tex`, "text/x-tex", (await get()).tikz), `Download ${name} as TikZ`)));
  }

  function start(data) {
    const section = document.getElementById("downloads");
    section.append(make("h2", { id: "download" }, "Downloads"), make("div", { class: "row" },
      button(data.orders.length ? "Scores and costs (csv)" : "Scores (csv)", async () => save("results.csv", "text/csv", (await unpacked()).csv)),
      button("Papers (BibTeX)", () => save("papers.bib", "text/x-bibtex", data.bibtex))));
    section.setAttribute("aria-labelledby", "download");
    section.hidden = false;
    document.querySelectorAll("main figure").forEach((figure, k) => ofFigure(figure, k, data.figures[k]));
  }

  return { start };
})();
