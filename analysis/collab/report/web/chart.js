// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// A chart with its controls: axes, legend, zoom, and its data as a table.

collab.chart = (() => {
  const { make } = collab;
  const SVG = "http://www.w3.org/2000/svg";
  const LEAST_DRAG = 8; // pixels; a shorter one is a click
  const ZOOM_STEP = 2;

  const swatch = (spec, series, place) => {
    const icon = document.createElementNS(SVG, "svg");
    const bars = spec.type === "bars";
    const mark = document.createElementNS(SVG, bars ? "rect" : "line");
    const shape = bars ? { x: 3, y: 1, width: 12, height: 12, rx: 2 }
      : { x1: 0, y1: 7, x2: 28, y2: 7 };
    for (const [name, value] of Object.entries({ ...shape, "aria-hidden": true })) {
      mark.setAttribute(name, value);
    }
    mark.style.stroke = bars ? "none" : `var(--${series.color})`;
    mark.style.fill = bars ? `var(--${series.color})` : "none";
    mark.style.strokeWidth = series.thin ? 1.5 : 3;
    mark.style.strokeDasharray = bars ? "" : collab.chartOptions.dashOf(series, place).join(" ");
    icon.setAttribute("width", bars ? 16 : 28);
    icon.setAttribute("height", 14);
    icon.setAttribute("aria-hidden", "true");
    icon.append(mark);
    return icon;
  };

  // --- Zoom --------------------------------------------------------------------------------------

  // Lets the pointer drag a rectangle over a chart, and calls zoom with its edges in pixels
  class Rubber {
    constructor(canvas, getChart, zoom) {
      this.canvas = canvas;
      this.box = make("div", { class: "rubber", hidden: true });
      canvas.parentElement.append(this.box);
      canvas.addEventListener("pointerdown", (event) => this.begin(event, getChart()));
      canvas.addEventListener("pointermove", (event) => this.move(event));
      canvas.addEventListener("pointerup", () => this.end(zoom));
      canvas.addEventListener("pointercancel", () => this.cancel());
    }

    begin(event, chart) {
      const { left, right, top, bottom } = chart.chartArea;
      const { offsetX: x, offsetY: y } = event;
      if (event.button === 0 && x >= left && x <= right && y >= top && y <= bottom) {
        this.area = chart.chartArea;
        this.from = [x, y];
        this.to = [x, y];
        this.canvas.setPointerCapture(event.pointerId);
      }
    }

    move(event) {
      if (!this.from) {
        return;
      }
      const { left, right, top, bottom } = this.area;
      this.to = [Math.min(right, Math.max(left, event.offsetX)),
        Math.min(bottom, Math.max(top, event.offsetY))];
      const [x, y] = [0, 1].map((axis) => Math.min(this.from[axis], this.to[axis]));
      const [width, height] = [0, 1].map((axis) => Math.abs(this.from[axis] - this.to[axis]));
      Object.assign(this.box.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`,
        height: `${height}px` });
      this.box.hidden = width < LEAST_DRAG && height < LEAST_DRAG;
    }

    end(zoom) {
      if (this.from && !this.box.hidden) {
        const [[x0, y0], [x1, y1]] = [this.from, this.to];
        zoom(Math.min(x0, x1), Math.max(x0, x1), Math.max(y0, y1), Math.min(y0, y1));
      }
      this.cancel();
    }

    cancel() {
      this.from = null;
      this.box.hidden = true;
    }
  }

  // The range factor times as wide around the same middle; on a logarithmic axis in its own measure
  const widened = (scale, factor) => {
    const logarithmic = scale.type === "logarithmic";
    const [low, high] = logarithmic ? [Math.log(scale.min), Math.log(scale.max)]
      : [scale.min, scale.max];
    const half = ((high - low) / 2) * factor;
    const ends = [(low + high) / 2 - half, (low + high) / 2 + half];
    return logarithmic ? ends.map(Math.exp) : ends;
  };

  // --- Data as a table ---------------------------------------------------------------------------

  const column = (name, values) => ({
    name,
    values,
    numeric: values.some((value) => typeof value === "number"),
  });

  const barColumns = (spec) => [
    column(spec.x, spec.categories),
    ...spec.series.map((series) => column(`${series.name}, ${spec.y}`, series.values)),
  ];

  const lineColumns = (spec) => {
    const { x, y } = spec.choice;
    const xAxis = spec.x.find(({ key }) => key === x);
    const rows = spec.series.flatMap((series) =>
      series.x[x].map((position, i) => [
        series.name,
        xAxis.labels ? xAxis.labels[position] : position,
        series.y[y]?.[i],
        series.low?.[y]?.[i],
        series.high?.[y]?.[i],
      ]));
    const label = spec.y.find(({ key }) => key === y).label;
    const names = ["line", xAxis.label, label, "lower end of band", "upper end of band"];
    return names
      .map((name, i) => column(name, rows.map((row) => row[i] ?? null)))
      .filter((entry, i) => i < 3 || entry.numeric);
  };

  const tableOf = (spec) => {
    const columns = spec.type === "bars" ? barColumns(spec) : lineColumns(spec);
    const total = columns[0].values.length;
    return collab.table.create({ name: spec.title, caption: `Data of: ${spec.title}.`, columns,
      total });
  };

  // --- The chart ---------------------------------------------------------------------------------

  const describe = (spec, isShown) => {
    const kind = spec.type === "bars" ? "Stacked bars" : "Lines";
    const shown = spec.series.filter((series) => isShown(series));
    const names = shown.slice(0, 8).map((series) => series.name);
    const more = shown.length > 8 ? ` and ${shown.length - 8} more` : "";
    return `${kind}: ${spec.title}. Shown: ${names.join("; ") || "nothing"}${more}. ` +
      "The numbers are in the table “Data of this chart” below.";
  };

  class Chart {
    constructor(spec) {
      this.hidden = new Map(); // by entry of the legend, what the user chose
      this.title = make("h3", {}, spec.title);
      this.selects = make("div", { class: "controls" });
      this.canvas = make("canvas", { role: "img" });
      this.legend = make("ul", { class: "legend", "aria-label": "Lines and bars to show" });
      this.caption = make("figcaption");
      this.details = make("details", {}, make("summary", {}, "Data of this chart"));
      this.element = make("div", { class: "card" }, this.title, this.selects,
        make("figure", {}, make("div", { class: "plot" }, this.canvas), this.legend, this.caption),
        this.details);
      this.details.addEventListener("toggle", () => this.fillTable());
      new Rubber(this.canvas, () => this.chart, (...box) => this.zoomTo(...box));
      collab.theme.onChange(() => this.draw());
      this.setSpec(spec);
    }

    /** Shows another chart in the place of this one. */
    setSpec(spec) {
      this.spec = spec;
      if (spec.type === "line") {
        spec.choice ??= { x: spec.x[0].key, y: spec.y[0].key, logarithmic: !!spec.logarithmic };
      }
      this.title.textContent = spec.title;
      this.caption.textContent = spec.caption;
      this.range = {};
      this.selects.replaceChildren(...this.makeSelects());
      this.draw();
    }

    makeSelects() {
      const { spec } = this;
      const choose = (axis) => (key) => {
        spec.choice[axis] = key;
        this.range = {};
        this.draw();
      };
      const selects = spec.type === "line"
        ? [["Vertical", "y"], ["Horizontal", "x"]]
          .filter(([, axis]) => spec[axis].length > 1)
          .map(([name, axis]) =>
            collab.select(name, spec[axis], spec.choice[axis], choose(axis)))
        : [];
      const logarithmic = spec.logarithmic ? [this.makeLogarithmic()] : [];
      return [...selects, ...logarithmic, this.makeZoomButtons()];
    }

    makeLogarithmic() {
      const box = make("input", { type: "checkbox", checked: this.spec.choice.logarithmic,
        onchange: () => {
          this.spec.choice.logarithmic = box.checked;
          this.range = {};
          this.draw();
        } });
      return make("label", {}, box, make("span", {}, "logarithmic"));
    }

    makeZoomButtons() {
      const button = (text, label, action) =>
        make("button", { type: "button", "aria-label": `${label}: ${this.spec.title}`,
          title: label, onclick: action }, text);
      return make("span", { class: "group", role: "group", "aria-label": "Zoom" },
        button("+", "Zoom in", () => this.zoomBy(1 / ZOOM_STEP)),
        button("−", "Zoom out", () => this.zoomBy(ZOOM_STEP)),
        button("Reset", "Reset zoom", () => { this.range = {}; this.draw(); }));
    }

    entryOf(series) {
      return series.legend ?? series.name;
    }

    isShown(series) {
      return !(this.hidden.get(this.entryOf(series)) ?? series.hidden ?? false);
    }

    draw() {
      const { spec } = this;
      const isShown = (series) => this.isShown(series);
      const config = collab.chartOptions.create(spec, isShown);
      for (const [axis, [min, max]] of Object.entries(this.range)) {
        Object.assign(config.options.scales[axis], { min, max });
      }
      this.chart?.destroy();
      this.chart = new window.Chart(this.canvas, config);
      this.canvas.setAttribute("aria-label", describe(spec, isShown));
      this.drawLegend();
      this.fillTable();
    }

    drawLegend() {
      const entries = new Map();
      this.spec.series.forEach((series, place) => {
        const name = this.entryOf(series);
        if (!entries.has(name)) {
          entries.set(name, make("li", {}, make("button", { type: "button",
            "aria-pressed": String(this.isShown(series)),
            onclick: () => this.toggle(name, series) }, swatch(this.spec, series, place), name)));
        }
      });
      const focused = [...this.legend.children].indexOf(document.activeElement?.parentElement);
      this.legend.replaceChildren(...entries.values());
      this.legend.children[focused]?.firstChild.focus();
    }

    toggle(name, series) {
      this.hidden.set(name, this.isShown(series));
      this.draw();
    }

    fillTable() {
      this.details.querySelector(".data-table")?.remove();
      if (this.details.open) {
        this.details.append(tableOf(this.spec));
      }
    }

    zoomTo(x0, x1, y0, y1) {
      const { x, y } = this.chart.scales;
      const ends = [x.getValueForPixel(x0), x.getValueForPixel(x1)];
      if (this.spec.type === "bars") {
        this.range = { x: ends };
      } else {
        this.range = { x: ends, y: [y.getValueForPixel(y0), y.getValueForPixel(y1)] };
      }
      this.draw();
    }

    zoomBy(factor) {
      let ends = widened(this.chart.scales.x, factor);
      if (this.spec.type === "bars") {
        const last = this.spec.categories.length - 1;
        ends = [Math.max(0, Math.ceil(ends[0])), Math.min(last, Math.floor(ends[1]))];
        if (ends[0] > ends[1]) {
          return;
        }
      }
      this.range = { ...this.range, x: ends };
      this.draw();
    }
  }

  return { create: (spec) => new Chart(spec) };
})();
