// Puts the page to work: colours, tables, names, settings, downloads.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  Page.themes(() => Explore.redraw());
  Tables.start();
  Explore.start(data.orders);
  Names.start(new Set(data.names));
  Downloads.start(data);
})();
