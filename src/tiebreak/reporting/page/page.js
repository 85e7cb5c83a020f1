// Puts the page to work: colours, tables, trade, downloads.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  Page.themes();
  Tables.start();
  Trade.start(data.orders);
  Downloads.start(data);
})();
