// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// Tables that sort, filter, turn pages and download.

const PAGE_ROWS = 25;
const TOTALS = { sum: "sum", mean: "mean, all rows" };

// Numbers before texts, and what is missing always last
const compare = (left, right, direction) =>
  isMissing(left) - isMissing(right) ||
  direction * (typeof left === "number" && typeof right === "number" ? left - right
    : String(left).localeCompare(String(right), "en", { numeric: true }));

const cell = (content, numeric, isHead) =>
  make(isHead ? "th" : "td", { class: numeric && "number", scope: isHead && "row" }, content);

class Table {
  /**
   * @param {Object} data name, caption and columns:
   * {name, values, sum, mean}; links: addresses for the first column; meanings of columns; marked:
   * whether a row stands out: then all rows are on one page
   */
  constructor(data) {
    this.data = data;
    this.columns = data.columns.map((column) =>
      ({ ...column, numeric: column.values.some((value) => typeof value === "number") }));
    this.count = this.columns[0]?.values.length ?? 0;
    this.pageRows = data.marked ? Infinity : PAGE_ROWS;
    this.filter = make("input", { type: "search", oninput: () => this.choose() });
    this.body = make("tbody");
    this.status = make("span", { role: "status" });
    this.heads = this.columns.map(({ name, numeric }, place) =>
      make("th", { scope: "col", class: numeric && "number" },
        button(name, () => this.sortBy(place))));
    this.turns = [["Previous", -1], ["Next", 1]].map(([text, step]) =>
      button(text, () => this.show(this.page + step)));
    this.element = make("div", { class: "data-table" }, this.controls(),
      make("div", { class: "scroll framed", role: "region", tabindex: "0",
        "aria-label": `Table ${data.name}` },
        make("table", {}, make("caption", {}, make("span", {}, data.caption)),
          make("thead", {}, make("tr", {}, ...this.heads)), this.body, this.foot())),
      data.meanings?.length && make("details", {}, make("summary", {}, "What the columns mean"),
        facts(data.meanings)));
    this.choose();
  }

  controls() {
    const { name, marked } = this.data;
    const turns = this.count > this.pageRows;
    const lines = () => [this.columns.map((column) => column.name),
      ...this.rows.map((row) => this.columns.map(({ values }) => values[row]))];
    return make("div", { class: "controls line" },
      (turns || marked) && make("label", {}, make("span", {}, "Filter rows"), this.filter),
      marked && checkbox("changed only", false, (only) => { this.onlyMarked = only; this.choose(); }),
      button("Download CSV", () => download(name, lines()),
        { "aria-label": `Download table ${name} as CSV` }),
      turns && make("span", { class: "group" }, ...this.turns),
      this.status);
  }

  foot() {
    const others = this.columns.slice(1);
    const kinds = Object.keys(TOTALS).filter((kind) => others.some((one) => !isMissing(one[kind])));
    return kinds.length && make("tfoot", {}, ...kinds.map((kind) =>
      make("tr", {}, cell(TOTALS[kind], false, true), ...others.map((one) =>
        cell(isMissing(one[kind]) ? "" : format(one[kind]), true)))));
  }

  sortBy(place) {
    this.direction = this.sorted === place ? -this.direction : 1;
    this.sorted = place;
    this.choose();
  }

  /** Finds the rows that match, in their order, and shows the first page of them. */
  choose() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (row, word) => this.columns.some(({ values }) =>
      String(values[row] ?? "").toLowerCase().includes(word));
    this.rows = [...Array(this.count).keys()].filter((row) =>
      (!this.onlyMarked || this.data.marked[row]) && words.every((word) => has(row, word)));
    const values = this.columns[this.sorted]?.values;
    if (values) {
      this.rows.sort((a, b) => compare(values[a], values[b], this.direction) || a - b);
    }
    this.heads.forEach((head, place) => head.setAttribute("aria-sort",
      this.sorted !== place ? "none" : this.direction > 0 ? "ascending" : "descending"));
    this.show(0);
  }

  show(page) {
    this.page = page;
    const { marked, links, name } = this.data;
    const before = page && page * this.pageRows;
    const shown = this.rows.slice(before, before + this.pageRows);
    this.body.replaceChildren(...shown.map((row) =>
      make("tr", { class: marked?.[row] && "changed" },
        ...this.columns.map(({ values, numeric }, place) => {
          const text = format(values[row]);
          const link = place === 0 && links?.[row];
          return cell(link ? make("a", { href: link }, text) : text, numeric, place === 0);
        }))));
    this.turns[0].disabled = page === 0;
    this.turns[1].disabled = before + this.pageRows >= this.rows.length;
    this.status.textContent = marked ? `${this.rows.length} of ${this.count} ${name}`
      : `Rows ${shown.length && before + 1} to ${before + shown.length} of ${this.rows.length}`;
  }
}

/** @returns {HTMLElement} a summary, below which data() is a table while it is open */
const tableBelow = (summary, data, properties = {}) => {
  const place = make("div");
  const details = make("details", { ...properties, ontoggle: () => details.refresh() },
    make("summary", {}, ...summary), place);
  details.refresh = () => {
    const shown = details.open && data();
    place.replaceChildren(...(shown ? [new Table(shown).element] : []));
  };
  return details;
};
