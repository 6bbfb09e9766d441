// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// Tables that sort, filter, turn pages and download.

collab.table = (() => {
  const { make } = collab;
  const PAGE_ROWS = 25;

  const isMissing = (value) => value === null || value === undefined || value === "";

  // Numbers before texts, and what is missing always last
  const compare = (left, right, direction) => {
    if (isMissing(left) || isMissing(right)) {
      return isMissing(left) - isMissing(right);
    }
    if (typeof left === "number" && typeof right === "number") {
      return direction * (left - right);
    }
    return direction * String(left).localeCompare(String(right), "en", { numeric: true });
  };

  /** The order of a table's rows, and which of them are shown */
  class View {
    constructor(columns) {
      this.columns = columns;
      this.count = columns.length ? columns[0].values.length : 0;
      this.sorted = null; // number of the column, and direction
      this.words = "";
      this.page = 0;
      this.refresh();
    }

    refresh() {
      this.rows = [];
      for (let row = 0; row < this.count; ++row) {
        if (this.matches(row)) {
          this.rows.push(row);
        }
      }
      if (this.sorted) {
        const values = this.columns[this.sorted.column].values;
        const { direction } = this.sorted;
        this.rows.sort((a, b) => compare(values[a], values[b], direction) || a - b);
      }
      this.page = Math.min(this.page, this.pages - 1);
    }

    matches(row) {
      const words = this.words.toLowerCase().split(/\s+/).filter(Boolean);
      return words.every((word) =>
        this.columns.some(({ values }) =>
          String(values[row] ?? "").toLowerCase().includes(word),
        ),
      );
    }

    get pages() {
      return Math.max(1, Math.ceil(this.rows.length / PAGE_ROWS));
    }

    get shown() {
      return this.rows.slice(this.page * PAGE_ROWS, (this.page + 1) * PAGE_ROWS);
    }

    sortBy(column) {
      const again = this.sorted && this.sorted.column === column;
      this.sorted = { column, direction: again ? -this.sorted.direction : 1 };
      this.page = 0;
      this.refresh();
    }

    csv() {
      const header = this.columns.map(({ name }) => name);
      return collab.toCsv([
        header,
        ...this.rows.map((row) => this.columns.map(({ values }) => values[row])),
      ]);
    }
  }

  const cell = (column, value, link, isHead) => {
    const text = collab.format(value);
    const content = link ? make("a", { href: link }, text) : text;
    const properties = { class: column.numeric ? "number" : null };
    return isHead ? make("th", { ...properties, scope: "row" }, content)
      : make("td", properties, content);
  };

  const foot = (columns) => {
    const rows = [];
    for (const [key, label] of [["sum", "sum"], ["mean", "mean"]]) {
      if (columns.slice(1).some((column) => !isMissing(column[key]))) {
        const cells = columns.slice(1).map((column) =>
          make("td", { class: "number" }, isMissing(column[key]) ? "" : collab.format(column[key])),
        );
        rows.push(make("tr", {}, make("th", { scope: "row" }, `${label}, all rows`), ...cells));
      }
    }
    return rows.length ? make("tfoot", {}, ...rows) : null;
  };

  /**
   * Makes a table.
   *
   * @param {Object} data name, caption, total (rows, some of which may be left out) and columns:
   * {name, numeric, values, sum, mean}; links: addresses for the first column
   * @returns {HTMLElement} the table with its controls
   */
  const create = (data) => {
    const view = new View(data.columns);
    const body = make("tbody");
    const status = make("span", { role: "status" });
    const heads = data.columns.map((column, number) =>
      make("th", { scope: "col", class: column.numeric ? "number" : null, "aria-sort": "none" },
        make("button", { type: "button", onclick: () => { view.sortBy(number); show(); } },
          column.name)),
    );
    const previous = make("button", { type: "button", onclick: () => turn(-1) }, "Previous");
    const next = make("button", { type: "button", onclick: () => turn(1) }, "Next");

    const turn = (step) => {
      view.page += step;
      show();
    };
    const show = () => {
      body.replaceChildren(...view.shown.map((row) =>
        make("tr", {}, ...data.columns.map((column, number) =>
          cell(column, column.values[row], number === 0 && data.links && data.links[row],
            number === 0)))));
      heads.forEach((head, number) => {
        const sorted = view.sorted && view.sorted.column === number;
        const order = view.sorted && view.sorted.direction > 0 ? "ascending" : "descending";
        head.setAttribute("aria-sort", sorted ? order : "none");
      });
      previous.disabled = view.page === 0;
      next.disabled = view.page >= view.pages - 1;
      const first = view.rows.length ? view.page * PAGE_ROWS + 1 : 0;
      status.textContent =
        `Rows ${first} to ${view.page * PAGE_ROWS + view.shown.length} of ${view.rows.length}`;
    };
    show();
    return make("div", { class: "data-table" },
      controls(data, view, show, status, previous, next),
      make("div", { class: "scroll", role: "region", tabindex: "0",
        "aria-label": `Table ${data.name}` },
        make("table", {}, make("caption", {}, make("span", {}, caption(data, view))),
          make("thead", {}, make("tr", {}, ...heads)), body, foot(data.columns))),
      meanings(data));
  };

  const meanings = ({ meanings: texts }) =>
    texts && texts.length
      ? make("details", {}, make("summary", {}, "What the columns mean"),
        make("dl", { class: "facts" }, ...texts.flatMap(([name, text]) =>
          [make("dt", {}, name), make("dd", {}, text)])))
      : null;

  const caption = (data, view) =>
    data.total > view.count
      ? `${data.caption} These are ${view.count} of ${data.total} rows, evenly chosen; sums and ` +
        "means are of all of them."
      : data.caption;

  const controls = (data, view, show, status, previous, next) => {
    const few = view.count <= PAGE_ROWS;
    const filter = make("input", { type: "search", oninput: () => {
      view.words = filter.value;
      view.page = 0;
      view.refresh();
      show();
    } });
    return make("div", { class: "controls" },
      few ? null : make("label", {}, make("span", {}, "Filter rows"), filter),
      make("button", { type: "button", "aria-label": `Download table ${data.name} as CSV`,
        onclick: () => collab.download(`${collab.fileName(data.name)}.csv`, view.csv()) },
        "Download CSV"),
      few ? null : make("span", { class: "group" }, previous, next),
      status);
  };

  return { create };
})();
