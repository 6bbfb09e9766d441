// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// Puts the page together from its data.

const section = (id, title, ...children) => {
  document.getElementById("main").append(make("section", { "aria-labelledby": id },
    make("h2", { id }, title), ...children));
  document.getElementById("contents").append(make("li", {},
    make("a", { href: `#${id}` }, title)));
};

const card = (title, ...children) =>
  make("div", { class: "card framed" }, title && make("h3", {}, title), ...children);

const tile = ({ label, value, unit }) => make("div", { class: "tile framed" },
  make("dt", {}, label),
  make("dd", {}, format(value, 4), unit && make("span", { class: "beside" }, ` ${unit}`)));

const notes = (texts) => make("div", { class: "card framed notes", role: "note" },
  make("strong", {}, "What is missing or left out"),
  make("ul", {}, ...texts.map((text) => make("li", {}, text))));

const results = (rows) => card("Results", new Table({
  name: "results",
  caption: "Accuracies are means over devices at their last round; energy and bytes are those " +
    "of the whole run, totals those of all devices.",
  columns: ["result", "value"].map((name, i) => ({ name, values: rows.map((row) => row[i]) })),
}).element);

const remark = ({ kind, changed, computed, of }) => [
  changed && (kind === "varied" ? kind : "changed"), computed && "computed",
  of && `of ${of}`].filter(Boolean).join("; ") || " ";

const parameters = (rows) => card(null, new Table({
  name: "parameters",
  caption: "What was given and differs from its default is marked. Computed: the program chose " +
    "the value, from others. A dash in place of a default: the run does not record it.",
  marked: rows.map(({ changed }) => changed),
  columns: [{ name: "parameter", values: rows.map(({ name }) => name) },
    ...["value", "default"].map((name) => ({ name, values: rows.map((row) => row[name]) })),
    { name: "remark", values: rows.map(remark) }],
}).element);

const table = (entry, place) => tableBelow(
  [make("h3", {}, entry.name), make("span", { class: "beside" }, ` ${entry.total} rows`)],
  () => entry, { class: "card framed", id: `table-${place}`, open: place === 0 });

const data = JSON.parse(document.getElementById("data").textContent);
document.getElementById("title").textContent = data.title;
section("summary", "Summary", make("dl", { class: "tiles" }, ...data.tiles.map(tile)),
  data.notes.length && notes(data.notes),
  make("div", { class: "grid" }, card("What was run", facts(data.summary)),
    data.results?.length && results(data.results)));
const charts = data.charts.map((spec) => new ChartCard(spec));
if (data.explorer?.outcomes.length) {
  charts.unshift(new Explorer(data.explorer).chart);
}
if (charts.length) {
  section("charts", "Charts",
    make("p", { class: "beside" }, "Point at a chart for its values, drag over it to zoom, and " +
      "press an entry of a legend to hide or show it."),
    make("div", { class: "grid" }, ...charts.map(({ element }) => element)));
}
if (data.animation) {
  section("animation", "Devices, links and messages over time",
    new Player(data.animation).element);
}
section("parameters", "Parameters", parameters(data.parameters));
if (data.tables.length) {
  section("tables", "Tables", ...data.tables.map(table));
}
