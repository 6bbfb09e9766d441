// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// The parameters of a run or sweep: a table to search in, with what was changed marked.

collab.parameters = (() => {
  const { make } = collab;

  const CHANGES = { varied: "varied", seed: "changed", scenario: "changed", attribute: "changed" };

  const rowOf = (row) =>
    make("tr", { class: row.changed ? "changed" : null },
      make("th", { scope: "row" }, row.name),
      make("td", { class: "long" }, row.value),
      make("td", { class: "long" }, row.default ?? "–"),
      make("td", {}, row.changed ? make("span", { class: "badge" }, CHANGES[row.kind]) : ""));

  const caption = (rows) =>
    "What differs from its default is marked." +
    (rows.some((row) => row.default === null)
      ? " A dash in place of a default: the run does not tell it." : "");

  /**
   * @param {Object[]} rows name, value, default, changed and kind of each parameter
   * @returns {HTMLElement} the table with its controls
   */
  const create = (rows) => {
    const body = make("tbody");
    const status = make("span", { role: "status" });
    const search = make("input", { type: "search", oninput: () => show() });
    const changed = make("input", { type: "checkbox", onchange: () => show() });
    const show = () => {
      const words = search.value.toLowerCase();
      const shown = rows.filter((row) =>
        (row.changed || !changed.checked) &&
        `${row.name} ${row.value}`.toLowerCase().includes(words));
      body.replaceChildren(...shown.map(rowOf));
      status.textContent = `${shown.length} of ${rows.length} parameters`;
    };
    show();
    const heads = ["parameter", "value", "default", "remark"].map((text) =>
      make("th", { scope: "col" }, text));
    return make("div", { class: "card" },
      make("div", { class: "controls" },
        make("label", {}, make("span", {}, "Search parameters"), search),
        make("label", {}, changed, make("span", {}, "changed only")), status),
      make("div", { class: "scroll", role: "region", tabindex: "0",
        "aria-label": "Table of parameters" },
        make("table", {},
          make("caption", {}, make("span", {}, caption(rows))),
          make("thead", {}, make("tr", {}, ...heads)), body)));
  };

  return { create };
})();
