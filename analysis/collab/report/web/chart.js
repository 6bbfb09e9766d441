// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// A chart with its controls: axes, legend, zoom, and its data as a table.

const LEAST_DRAG = 8; // pixels; a shorter one is a click
const ZOOM_STEP = 2;

const swatch = (spec, series, place) => {
  const [width, height] = spec.type === "bar" ? [16, 12] : [28, series.thin ? 1.5 : 3];
  return make("svg", { width, height: 14, "aria-hidden": "true" },
    make("line", { x1: 0, y1: 7, x2: width, y2: 7, stroke: `var(--${colorOf(series, place)})`,
      "stroke-width": height,
      "stroke-dasharray": spec.type === "bar" ? null : dashOf(series, place).join(" ") }));
};

/** Lets the pointer drag a rectangle over a chart, and calls zoom with its edges in pixels. */
const addRubber = (canvas, getArea, zoom) => {
  const box = make("div", { class: "rubber", hidden: true });
  let from = null;
  let edges = null;
  canvas.after(box);
  const inside = ({ offsetX, offsetY }) => {
    const { left, right, top, bottom } = getArea();
    return [Math.min(right, Math.max(left, offsetX)), Math.min(bottom, Math.max(top, offsetY))];
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button === 0) {
      from = inside(event);
      canvas.setPointerCapture(event.pointerId);
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    if (from) {
      const to = inside(event);
      const [[left, right], [top, bottom]] =
        from.map((start, axis) => [start, to[axis]].sort((a, b) => a - b));
      edges = { x: [left, right], y: [bottom, top] };
      box.style.cssText = `left: ${left}px; top: ${top}px; ` +
        `width: ${right - left}px; height: ${bottom - top}px`;
      box.hidden = Math.max(right - left, bottom - top) < LEAST_DRAG;
    }
  });
  canvas.addEventListener("pointerup", () => box.hidden || zoom(edges));
  canvas.addEventListener("lostpointercapture", () => {
    from = null;
    box.hidden = true;
  });
};

// --- Data as a table -----------------------------------------------------------------------------

const barColumns = ({ x: [across], y: [up], series }) => [
  { name: across.label, values: across.labels },
  ...series.map(({ name, y }) => ({ name: `${name}, ${up.label}`, values: y[up.key] })),
];

const lineColumns = (spec) => {
  const { x, y } = spec.choice;
  const { label, labels } = axisOf(spec, "x");
  const rows = spec.series.flatMap((series) => series.x[x].map((position, i) => [series.name,
    labels ? labels[position] : position, series.y[y]?.[i], series.low?.[y]?.[i],
    series.high?.[y]?.[i]]));
  return ["line", label, axisOf(spec, "y").label, "lower end of band", "upper end of band"]
    .map((name, i) => ({ name, values: rows.map((row) => row[i] ?? null) }))
    .filter(({ values }, i) => i < 3 || values.some((value) => value !== null));
};

const tableOf = (spec) => ({
  name: spec.title,
  caption: `Data of: ${spec.title}.`,
  columns: spec.type === "bar" ? barColumns(spec) : lineColumns(spec),
});

// --- The chart -----------------------------------------------------------------------------------

const describe = (spec, isShown) => {
  const kind = spec.type === "bar" ? "Stacked bars" : "Lines";
  const names = spec.series.filter(isShown).map(({ name }) => name);
  return `${kind}: ${spec.title}. Shown: ${names.join("; ") || "nothing"}. ` +
    "The numbers are in the table “Data of this chart” below.";
};

const entryOf = (series) => series.legend ?? series.name;

class ChartCard {
  constructor(spec) {
    this.chosen = new Map(); // by entry of the legend, whether the user shows it
    this.isShown = (series) => this.chosen.get(entryOf(series)) ?? !series.hidden;
    this.title = make("h3");
    this.selects = make("div", { class: "controls line" });
    this.canvas = make("canvas", { role: "img" });
    this.legend = make("ul", { class: "legend line", "aria-label": "Lines and bars to show" });
    this.caption = make("figcaption");
    this.details = tableBelow(["Data of this chart"], () => tableOf(this.spec));
    this.element = make("div", { id: spec.id && `chart-${spec.id}`,
      class: `card framed${spec.wide ? " wide" : ""}` }, this.title, this.selects,
      make("figure", {}, make("div", { class: "plot" }, this.canvas), this.legend, this.caption),
      this.details);
    addRubber(this.canvas, () => this.chart.chartArea, (edges) => this.zoom(edges));
    root.addEventListener("theme", () => this.draw());
    this.setSpec(spec);
  }

  /** Shows another chart in the place of this one. */
  setSpec(spec) {
    this.spec = spec;
    spec.choice ??= { x: spec.x[0].key, y: spec.y[0].key, logarithmic: spec.distribution };
    this.title.textContent = spec.title;
    this.caption.textContent = spec.caption;
    this.selects.replaceChildren(...this.makeSelects());
    this.legend.replaceChildren(...this.makeLegend());
    this.drawWhole();
  }

  makeSelects() {
    const { spec } = this;
    const choose = (what) => (value) => {
      spec.choice[what] = value;
      this.drawWhole();
    };
    const axes = [["Vertical", "y"], ["Horizontal", "x"]]
      .filter(([, axis]) => spec[axis].length > 1)
      .map(([name, axis]) => select(name, spec[axis], spec.choice[axis], choose(axis)));
    const logarithmic = () =>
      checkbox("logarithmic", spec.choice.logarithmic, choose("logarithmic"));
    const zoom = (text, title, action) =>
      button(text, action, { "aria-label": `${title}: ${spec.title}`, title });
    return [...axes, ...(spec.distribution ? [logarithmic()] : []),
      make("span", { class: "group", role: "group", "aria-label": "Zoom" },
        zoom("+", "Zoom in", () => this.zoomBy(1 / ZOOM_STEP)),
        zoom("−", "Zoom out", () => this.zoomBy(ZOOM_STEP)),
        zoom("Reset", "Reset zoom", () => this.drawWhole()))];
  }

  drawWhole() {
    this.range = {};
    this.draw();
  }

  draw() {
    this.chart?.destroy();
    this.chart = new Chart(this.canvas, chartOptions(this.spec, this.isShown, this.range));
    this.canvas.setAttribute("aria-label", describe(this.spec, this.isShown));
    this.details.refresh();
  }

  makeLegend() {
    const entries = new Map();
    this.spec.series.forEach((series, place) => {
      const name = entryOf(series);
      const choose = ({ currentTarget }) => {
        this.chosen.set(name, !this.isShown(series));
        currentTarget.setAttribute("aria-pressed", this.isShown(series));
        this.draw();
      };
      entries.set(name, entries.get(name) ?? make("li", {},
        make("button", { type: "button", "aria-pressed": String(this.isShown(series)),
          onclick: choose }, swatch(this.spec, series, place), name)));
    });
    return entries.values();
  }

  /** Shows what is between two places of each axis that is given, in pixels. */
  zoom(edges) {
    for (const [axis, ends] of Object.entries(edges)) {
      const [min, max] = ends.map((pixel) => this.chart.scales[axis].getValueForPixel(pixel));
      this.range[axis] = { min, max };
    }
    this.draw();
  }

  zoomBy(factor) {
    const { left, right } = this.chart.chartArea;
    const [middle, half] = [(left + right) / 2, ((right - left) / 2) * factor];
    this.zoom({ x: [middle - half, middle + half] });
  }
}
