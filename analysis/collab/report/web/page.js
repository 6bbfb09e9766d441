// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// Puts the page together from its data.

(() => {
  const { make, format } = collab;
  const data = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("main");
  const contents = make("ul");

  const section = (id, title, ...children) => {
    const heading = make("h2", { id }, title);
    main.append(make("section", { "aria-labelledby": id }, heading, ...children));
    contents.append(make("li", {}, make("a", { href: `#${id}` }, title)));
  };

  const tiles = () =>
    make("dl", { class: "tiles" }, ...data.tiles.map(({ label, value, unit }) =>
      make("div", { class: "tile" }, make("dt", {}, label),
        make("dd", {}, format(value, 4),
          unit ? make("span", { class: "unit" }, ` ${unit}`) : null))));

  const facts = (rows) =>
    make("dl", { class: "facts" }, ...rows.flatMap(([label, text]) =>
      [make("dt", {}, label), make("dd", {}, text)]));

  const notes = () =>
    make("div", { class: "card notes", role: "note" },
      make("strong", {}, "What is missing or left out"),
      make("ul", {}, ...data.notes.map((note) => make("li", {}, note))));

  // A heading such as "time, total [s]" is a text and a unit.
  const results = () => {
    const rows = data.results.map(([heading, value]) => [...heading.split(/ \[|\]$/), "", value]);
    const [names, units, values] = [rows.map((row) => row[0]), rows.map((row) => row[1]),
      rows.map((row) => row.at(-1))];
    return collab.table.create({
      name: "results", total: rows.length,
      caption: "Accuracies are means over devices at their last round; totals are of all devices.",
      columns: [{ name: "result", values: names }, { name: "value", values, numeric: true },
        { name: "unit", values: units }],
    });
  };

  const summary = () => {
    const known = make("div", { class: "card" },
      make("h3", {}, "What was run"), facts(data.summary));
    const children = [tiles()];
    if (data.notes.length) {
      children.push(notes());
    }
    if (data.results && data.results.length) {
      const reached = make("div", { class: "card" }, make("h3", {}, "Results"), results());
      children.push(make("div", { class: "grid" }, known, reached));
    } else {
      children.push(known);
    }
    section("summary", "Summary", ...children);
  };

  const charts = () => {
    const elements = data.charts.map((spec, place) => {
      const { element } = collab.chart.create(spec);
      element.id = `chart-${spec.id}`;
      element.classList.toggle("wide", place === 0);
      return element;
    });
    const explorer = data.explorer && data.explorer.outcomes.length
      ? [collab.sweep.create(data.explorer)] : [];
    if (elements.length + explorer.length) {
      section("charts", "Charts",
        make("p", { class: "note" }, "Point at a chart for its values, drag over it to zoom, and " +
          "press an entry of a legend to hide or show it."),
        make("div", { class: "grid" }, ...explorer, ...elements));
    }
  };

  const table = (entry, place) => {
    const details = make("details", { class: "card", id: `table-${place}` },
      make("summary", {}, make("h3", {}, entry.name),
        make("span", { class: "count" }, ` ${entry.total} rows`)));
    details.addEventListener("toggle", () => {
      if (details.open && !details.querySelector(".data-table")) {
        details.append(collab.table.create(entry));
      }
    });
    details.open = place === 0;
    return details;
  };

  document.getElementById("title").textContent = data.title;
  collab.theme.start();
  summary();
  charts();
  if (data.animation) {
    section("animation", "Devices, links and messages over time",
      collab.animation.create(data.animation));
  }
  section("parameters", "Parameters", collab.parameters.create(data.parameters));
  if (data.tables.length) {
    section("tables", "Tables", ...data.tables.map(table));
  }
  document.getElementById("contents").append(contents);
})();
