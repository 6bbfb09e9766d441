// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// Puts the page together from its data.

(() => {
  const { make, format } = collab;
  const { column } = collab.table;
  const CHANGES = { varied: "varied", seed: "changed", scenario: "changed", attribute: "changed" };
  const data = JSON.parse(document.getElementById("data").textContent);
  const contents = make("ul");

  const section = (id, title, ...children) => {
    document.getElementById("main").append(make("section", { "aria-labelledby": id },
      make("h2", { id }, title), ...children));
    contents.append(make("li", {}, make("a", { href: `#${id}` }, title)));
  };

  const card = (title, ...children) =>
    make("div", { class: "card" }, title ? make("h3", {}, title) : null, ...children);

  const tiles = () =>
    make("dl", { class: "tiles" }, ...data.tiles.map(({ label, value, unit }) =>
      make("div", { class: "tile" }, make("dt", {}, label),
        make("dd", {}, format(value, 4),
          unit ? make("span", { class: "unit" }, ` ${unit}`) : null))));

  const notes = () =>
    make("div", { class: "card notes", role: "note" },
      make("strong", {}, "What is missing or left out"),
      make("ul", {}, ...data.notes.map((note) => make("li", {}, note))));

  // A heading such as "time, total [s]" is a text and a unit.
  const results = (rows) => {
    const parts = rows.map(([heading]) => [...heading.split(/ \[|\]$/), ""]);
    return collab.table.create({
      name: "results", total: rows.length,
      caption: "Accuracies are means over devices at their last round; energy and bytes are those " +
        "of the whole run, totals those of all devices.",
      columns: [column("result", parts.map(([name]) => name)),
        column("value", rows.map(([, value]) => value)),
        column("unit", parts.map(([, unit]) => unit))],
    });
  };

  const parameters = (rows) => card(null, collab.table.create({
    name: "parameters", rowNames: "parameters", total: rows.length,
    caption: "What differs from its default is marked." +
      (rows.some((row) => row.default === null)
        ? " A dash in place of a default: the run does not tell it." : ""),
    marked: rows.map((row) => row.changed),
    columns: [...["name", "value", "default"].map((key) =>
      column(key === "name" ? "parameter" : key, rows.map((row) => row[key]))),
    column("remark", rows.map((row) =>
      [row.changed && CHANGES[row.kind], row.of && `of ${row.of}`].filter(Boolean).join("; ") ||
        " "))],
  }));

  const charts = () => {
    const elements = data.charts.map((spec, place) => {
      const { element } = collab.chart.create(spec);
      element.id = `chart-${spec.id}`;
      element.classList.toggle("wide", place === 0);
      return element;
    });
    if (data.explorer?.outcomes.length) {
      elements.unshift(collab.sweep.create(data.explorer));
    }
    if (elements.length) {
      section("charts", "Charts",
        make("p", { class: "note" }, "Point at a chart for its values, drag over it to zoom, and " +
          "press an entry of a legend to hide or show it."),
        make("div", { class: "grid" }, ...elements));
    }
  };

  const table = (entry, place) => collab.table.below(
    [make("h3", {}, entry.name), make("span", { class: "count" }, ` ${entry.total} rows`)],
    () => entry, { class: "card", id: `table-${place}`, open: place === 0 });

  document.getElementById("title").textContent = data.title;
  collab.theme.start();
  section("summary", "Summary", tiles(), data.notes.length ? notes() : null,
    make("div", { class: "grid" }, card("What was run", collab.facts(data.summary)),
      data.results?.length ? card("Results", results(data.results)) : null));
  charts();
  if (data.animation) {
    section("animation", "Devices, links and messages over time",
      collab.animation.create(data.animation));
  }
  section("parameters", "Parameters", parameters(data.parameters));
  if (data.tables.length) {
    section("tables", "Tables", ...data.tables.map(table));
  }
  document.getElementById("contents").append(contents);
})();
