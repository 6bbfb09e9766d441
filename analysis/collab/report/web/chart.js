// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// A chart with its controls: axes, legend, zoom, and its data as a table.

collab.chart = (() => {
  const { make, button } = collab;
  const { column } = collab.table;
  const LEAST_DRAG = 8; // pixels; a shorter one is a click
  const ZOOM_STEP = 2;

  const swatch = (spec, series, place) => {
    const color = `var(--${series.color})`;
    const mark = spec.type === "bars"
      ? make("rect", { x: 3, y: 1, width: 12, height: 12, rx: 2, fill: color })
      : make("line", { x1: 0, y1: 7, x2: 28, y2: 7, stroke: color,
        "stroke-width": series.thin ? 1.5 : 3,
        "stroke-dasharray": collab.chartOptions.dashOf(series, place).join(" ") });
    return make("svg", { width: spec.type === "bars" ? 16 : 28, height: 14, "aria-hidden": "true" },
      mark);
  };

  /** Lets the pointer drag a rectangle over a chart, and calls zoom with its edges in pixels. */
  const addRubber = (canvas, getArea, zoom) => {
    const box = make("div", { class: "rubber", hidden: true });
    let from = null;
    canvas.parentElement.append(box);
    canvas.addEventListener("pointerdown", ({ button: pressed, offsetX, offsetY, pointerId }) => {
      const { left, right, top, bottom } = getArea();
      if (pressed === 0 && offsetX >= left && offsetX <= right && offsetY >= top &&
          offsetY <= bottom) {
        from = [offsetX, offsetY];
        canvas.setPointerCapture(pointerId);
      }
    });
    canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
      if (from) {
        const { left, right, top, bottom } = getArea();
        const x = [from[0], Math.min(right, Math.max(left, offsetX))].sort((a, b) => a - b);
        const y = [from[1], Math.min(bottom, Math.max(top, offsetY))].sort((a, b) => a - b);
        const [width, height] = [x[1] - x[0], y[1] - y[0]];
        Object.assign(box.style, { left: `${x[0]}px`, top: `${y[0]}px`, width: `${width}px`,
          height: `${height}px` });
        box.hidden = width < LEAST_DRAG && height < LEAST_DRAG;
        box.edges = [x, y];
      }
    });
    const end = (finish) => () => {
      if (from && !box.hidden) {
        finish(...box.edges);
      }
      from = null;
      box.hidden = true;
    };
    canvas.addEventListener("pointerup", end(zoom));
    canvas.addEventListener("pointercancel", end(() => {}));
  };

  // --- Data as a table ---------------------------------------------------------------------------

  const barColumns = (spec) => [
    column(spec.x, spec.categories),
    ...spec.series.map((series) => column(`${series.name}, ${spec.y}`, series.values)),
  ];

  const lineColumns = (spec) => {
    const { x, y } = spec.choice;
    const xAxis = spec.x.find(({ key }) => key === x);
    const rows = spec.series.flatMap((series) => series.x[x].map((position, i) => [series.name,
      xAxis.labels ? xAxis.labels[position] : position,
      series.y[y]?.[i], series.low?.[y]?.[i], series.high?.[y]?.[i]]));
    const label = spec.y.find(({ key }) => key === y).label;
    return ["line", xAxis.label, label, "lower end of band", "upper end of band"]
      .map((name, i) => column(name, rows.map((row) => row[i] ?? null)))
      .filter((entry, i) => i < 3 || entry.numeric);
  };

  const tableOf = (spec) => {
    const columns = spec.type === "bars" ? barColumns(spec) : lineColumns(spec);
    return { name: spec.title, caption: `Data of: ${spec.title}.`, columns,
      total: columns[0].values.length };
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
      this.title = make("h3");
      this.selects = make("div", { class: "controls" });
      this.canvas = make("canvas", { role: "img" });
      this.legend = make("ul", { class: "legend", "aria-label": "Lines and bars to show" });
      this.caption = make("figcaption");
      this.details = collab.table.below(["Data of this chart"], () => tableOf(this.spec));
      this.element = make("div", { class: "card" }, this.title, this.selects,
        make("figure", {}, make("div", { class: "plot" }, this.canvas), this.legend, this.caption),
        this.details);
      addRubber(this.canvas, () => this.chart.chartArea, (x, y) => this.zoom(x, y));
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
      this.selects.replaceChildren(...this.makeSelects());
      this.drawWhole();
    }

    makeSelects() {
      const { spec } = this;
      const choose = (what) => (value) => {
        spec.choice[what] = value;
        this.drawWhole();
      };
      const axes = [["Vertical", "y"], ["Horizontal", "x"]]
        .filter(([, axis]) => spec.type === "line" && spec[axis].length > 1)
        .map(([name, axis]) => collab.select(name, spec[axis], spec.choice[axis], choose(axis)));
      const zooms = [["+", "Zoom in", () => this.zoomBy(1 / ZOOM_STEP)],
        ["−", "Zoom out", () => this.zoomBy(ZOOM_STEP)],
        ["Reset", "Reset zoom", () => this.drawWhole()]];
      return [...axes,
        ...(spec.logarithmic
          ? [collab.checkbox("logarithmic", spec.choice.logarithmic, choose("logarithmic"))] : []),
        make("span", { class: "group", role: "group", "aria-label": "Zoom" },
          ...zooms.map(([text, title, action]) =>
            button(text, action, { "aria-label": `${title}: ${spec.title}`, title })))];
    }

    entryOf(series) {
      return series.legend ?? series.name;
    }

    isShown(series) {
      return !(this.hidden.get(this.entryOf(series)) ?? series.hidden ?? false);
    }

    drawWhole() {
      this.range = {};
      this.draw();
    }

    draw() {
      const isShown = (series) => this.isShown(series);
      const config = collab.chartOptions.create(this.spec, isShown);
      for (const [axis, [min, max]] of Object.entries(this.range)) {
        Object.assign(config.options.scales[axis], { min, max });
      }
      this.chart?.destroy();
      this.chart = new window.Chart(this.canvas, config);
      this.canvas.setAttribute("aria-label", describe(this.spec, isShown));
      this.drawLegend();
      this.details.refresh();
    }

    drawLegend() {
      const entries = new Map();
      this.spec.series.forEach((series, place) => {
        const name = this.entryOf(series);
        if (!entries.has(name)) {
          entries.set(name, make("li", {}, make("button", { type: "button",
            "aria-pressed": String(this.isShown(series)),
            onclick: () => { this.hidden.set(name, this.isShown(series)); this.draw(); } },
          swatch(this.spec, series, place), name)));
        }
      });
      const focused = [...this.legend.children].indexOf(document.activeElement?.parentElement);
      this.legend.replaceChildren(...entries.values());
      this.legend.children[focused]?.firstChild.focus();
    }

    /** Shows what is between two places of each axis, in pixels; all of y if none are given. */
    zoom(x, y) {
      const { x: across, y: up } = this.chart.scales;
      let ends = x.map((pixel) => across.getValueForPixel(pixel));
      if (this.spec.type === "bars") {
        const last = this.spec.categories.length - 1;
        ends = ends.map((end) => Math.min(last, Math.max(0, end)));
      } else if (y) {
        this.range.y = [up.getValueForPixel(y[1]), up.getValueForPixel(y[0])];
      }
      this.range.x = ends;
      this.draw();
    }

    zoomBy(factor) {
      const { left, right } = this.chart.chartArea;
      const [middle, half] = [(left + right) / 2, ((right - left) / 2) * factor];
      this.zoom([middle - half, middle + half]);
    }
  }

  return { create: (spec) => new Chart(spec) };
})();
