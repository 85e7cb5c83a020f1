// Puts the page to work: colours, tables, names, trade, downloads.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  Page.themes(() => {});
  Tables.start();
  Trade.start(data.orders);
  Names.start(new Set(data.names));
  Downloads.start(data);
})();
