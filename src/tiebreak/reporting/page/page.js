// Puts the page to work: colours, tables, names, settings, downloads.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const themes = { "as the system": "", light: "light", dark: "dark" };
  const recolour = (event) => {
    const theme = themes[event.target.value];
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    Explore.redraw();
  };
  const options = Object.keys(themes).map((name) => Page.make("option", {}, name));
  document.getElementById("switches").append(
    Page.make("label", { for: "theme" }, "Colours "), Page.make("select", { id: "theme", change: recolour }, ...options));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => Explore.redraw());
  Tables.start();
  Explore.start(data.orders);
  Names.start(new Set(data.names));
  Downloads.start(data);
})();
