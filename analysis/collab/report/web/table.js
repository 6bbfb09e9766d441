// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// Tables that sort, filter, turn pages and download.

collab.table = (() => {
  const { make, button, format } = collab;
  const PAGE_ROWS = 25;

  const isMissing = (value) => value === null || value === undefined || value === "";

  // Numbers before texts, and what is missing always last
  const compare = (left, right, direction) => {
    if (isMissing(left) || isMissing(right)) {
      return isMissing(left) - isMissing(right);
    }
    return direction * (typeof left === "number" && typeof right === "number" ? left - right
      : String(left).localeCompare(String(right), "en", { numeric: true }));
  };

  /** @returns {Object} a column of numbers or texts */
  const column = (name, values) =>
    ({ name, values, numeric: values.some((value) => typeof value === "number") });

  const cell = (content, numeric, isHead) =>
    make(isHead ? "th" : "td", { class: numeric ? "number" : null, scope: isHead ? "row" : null },
      content);

  class Table {
    constructor(data) {
      this.data = data;
      this.columns = data.columns;
      this.count = this.columns[0]?.values.length ?? 0;
      this.pageRows = data.marked ? Infinity : PAGE_ROWS;
      this.words = [];
      this.page = 0;
      this.body = make("tbody");
      this.status = make("span", { role: "status" });
      this.heads = this.columns.map(({ name, numeric }, number) =>
        make("th", { scope: "col", class: numeric ? "number" : null, "aria-sort": "none" },
          button(name, () => this.sortBy(number))));
      this.turns = [["Previous", -1], ["Next", 1]].map(([text, step]) =>
        button(text, () => this.show(this.page + step)));
      this.element = make("div", { class: "data-table" }, this.controls(),
        make("div", { class: "scroll", role: "region", tabindex: "0",
          "aria-label": `Table ${data.name}` },
          make("table", {}, make("caption", {}, make("span", {}, this.caption())),
            make("thead", {}, make("tr", {}, ...this.heads)), this.body, this.foot())),
        data.meanings?.length ? make("details", {}, make("summary", {}, "What the columns mean"),
          collab.facts(data.meanings)) : null);
      this.choose();
    }

    controls() {
      const turns = this.count > this.pageRows;
      const filter = make("input", { type: "search", oninput: () => {
        this.words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
        this.choose();
      } });
      return make("div", { class: "controls" },
        turns || this.data.marked
          ? make("label", {}, make("span", {}, "Filter rows"), filter) : null,
        this.data.marked ? collab.checkbox("changed only", false,
          (only) => { this.onlyMarked = only; this.choose(); }) : null,
        button("Download CSV", () => collab.download(this.data.name, this.csv()),
          { "aria-label": `Download table ${this.data.name} as CSV` }),
        turns ? make("span", { class: "group" }, ...this.turns) : null,
        this.status);
    }

    caption() {
      const { caption, total } = this.data;
      return total > this.count ? `${caption} These are ${this.count} of ${total} rows, evenly ` +
        "chosen; sums and means are of all of them." : caption;
    }

    foot() {
      const others = this.columns.slice(1);
      const rows = Object.entries({ sum: "sum", mean: "mean, all rows" })
        .filter(([key]) => others.some((one) => !isMissing(one[key])));
      return rows.length ? make("tfoot", {}, ...rows.map(([key, name]) =>
        make("tr", {}, cell(name, false, true), ...others.map((one) =>
          cell(isMissing(one[key]) ? "" : format(one[key]), true))))) : null;
    }

    csv() {
      const rows = this.rows.map((row) => this.columns.map(({ values }) => values[row]));
      return [this.columns.map(({ name }) => name), ...rows];
    }

    matches(row) {
      return (!this.onlyMarked || this.data.marked[row]) && this.words.every((word) =>
        this.columns.some(({ values }) =>
          String(values[row] ?? "").toLowerCase().includes(word)));
    }

    sortBy(number) {
      this.direction = this.sorted === number ? -this.direction : 1;
      this.sorted = number;
      this.choose();
    }

    /** Finds the rows that match, in their order, and shows the first page of them. */
    choose() {
      this.rows = [...Array(this.count).keys()].filter((row) => this.matches(row));
      const values = this.columns[this.sorted]?.values;
      if (values) {
        this.rows.sort((a, b) => compare(values[a], values[b], this.direction) || a - b);
      }
      this.heads.forEach((head, number) => head.setAttribute("aria-sort",
        this.sorted !== number ? "none" : this.direction > 0 ? "ascending" : "descending"));
      this.show(0);
    }

    show(page) {
      this.page = page;
      const { marked, links, rowNames } = this.data;
      const before = page && page * this.pageRows;
      const shown = this.rows.slice(before, before + this.pageRows);
      this.body.replaceChildren(...shown.map((row) =>
        make("tr", { class: marked?.[row] ? "changed" : null },
          ...this.columns.map(({ values, numeric }, number) => {
            const text = format(values[row]);
            const link = number === 0 && links?.[row];
            return cell(link ? make("a", { href: link }, text) : text, numeric, number === 0);
          }))));
      this.turns[0].disabled = page === 0;
      this.turns[1].disabled = before + this.pageRows >= this.rows.length;
      this.status.textContent = rowNames ? `${this.rows.length} of ${this.count} ${rowNames}`
        : `Rows ${shown.length && before + 1} to ${before + shown.length} of ${this.rows.length}`;
    }
  }

  /**
   * Makes a table.
   *
   * @param {Object} data name, caption, total (rows, some of which may be left out) and columns:
   * {name, numeric, values, sum, mean}; links: addresses for the first column; marked: whether a
   * row stands out: then all rows are on one page; rowNames: what the rows are
   * @returns {HTMLElement} the table with its controls
   */
  const create = (data) => new Table(data).element;

  /** @returns {HTMLElement} a summary, below which data() is a table while it is open */
  const below = (summary, data, properties = {}) => {
    const details = make("details", properties, make("summary", {}, ...summary));
    details.refresh = () => {
      details.querySelector(".data-table")?.remove();
      const shown = details.open && data();
      if (shown) {
        details.append(create(shown));
      }
    };
    details.addEventListener("toggle", () =>
      details.querySelector(".data-table") ?? details.refresh());
    return details;
  };

  return { create, column, below };
})();
