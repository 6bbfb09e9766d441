// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// What Chart.js is told to draw: a chart's data in the colors of the present theme.

const COLORS = ["blue", "vermillion", "green", "purple", "orange", "sky", "ink"];
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
const MARKERS = ["circle", "rect", "triangle", "rectRot", "crossRot", "star"];
const MOST_MARKED_POINTS = 60;

/** @returns {string} name of the color of a series, by its place among those that say none */
const colorOf = (series, place) => series.color ?? COLORS[place % COLORS.length];

/** @returns {number[]} dash pattern of a series, which tells it apart without color */
const dashOf = (series, place) => (series.thin ? [] : DASHES[place % DASHES.length]);

const axisOf = (spec, name) => spec[name].find(({ key }) => key === spec.choice[name]);

const lineSets = (spec, series, place) => {
  const { x, y } = spec.choice;
  const name = colorOf(series, place);
  const marked = spec.scatter ||
    (!series.thin && !spec.step && series.x[x].length <= MOST_MARKED_POINTS);
  const points = (values) => (values ?? []).map((value, i) => ({ x: series.x[x][i], y: value }));
  const line = {
    label: series.name,
    data: points(series.y[y]),
    borderColor: series.thin ? translucent(name, 0.7) : color(name),
    backgroundColor: color(name),
    borderWidth: series.thin ? 1.2 : 2.2,
    borderDash: dashOf(series, place),
    pointStyle: MARKERS[place % MARKERS.length],
    pointRadius: marked ? 3.5 : 0,
    pointHitRadius: 8,
    showLine: !spec.scatter,
    stepped: spec.step ? "before" : false,
    order: series.thin ? 2 : 1,
  };
  // The lower edge, and the upper one that is filled down to it
  const edge = (values, fill) => ({ data: points(values), isBand: true, borderWidth: 0,
    pointRadius: 0, pointHitRadius: 0, backgroundColor: translucent(name, 0.16), fill, order: 3 });
  return series.low?.[y]?.some((value) => value !== null)
    ? [line, edge(series.low[y], false), edge(series.high[y], "-1")] : [line];
};

const barSet = (series, place) => ({
  label: series.name,
  data: series.values,
  backgroundColor: color(colorOf(series, place)),
  borderColor: color("surface"),
  borderWidth: 1,
  borderSkipped: false,
});

const useTheme = () => {
  const [text, border] = [color("text"), color("border")];
  Object.assign(Chart.defaults, { color: color("muted"), borderColor: color("line") });
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.scale.grid.borderColor = border;
  Object.assign(Chart.defaults.plugins.tooltip, { backgroundColor: color("surface"),
    titleColor: text, bodyColor: text, borderColor: border, borderWidth: 1, padding: 8 });
};

const scale = (text, more) => ({ title: { display: true, text, font: { size: 13 } }, ...more });

// Few labels on a logarithmic axis: 1, 2 and 5 of each power of ten
const logarithmicTick = (value) => (/^[125]e/.test(value.toExponential()) ? format(value) : "");

const lineScales = (spec) => {
  const { label, labels, whole } = axisOf(spec, "x");
  const named = { min: -0.3, max: labels?.length - 0.7, grid: { display: false },
    ticks: { stepSize: 1, autoSkip: false, callback: (value) => labels[value] ?? "" } };
  const numbers = spec.choice.logarithmic
    ? { type: "logarithmic", ticks: { callback: logarithmicTick, maxRotation: 0 } }
    : { ticks: { precision: whole ? 0 : undefined, maxRotation: 0 } };
  return {
    x: scale(label, { type: "linear", ...(labels ? named : numbers) }),
    y: scale(axisOf(spec, "y").label, spec.unit ? { min: 0, max: 1 } : {}),
  };
};

const barScales = (spec) => ({
  x: scale(spec.x, { stacked: true, grid: { display: false } }),
  y: scale(spec.y, { stacked: true }),
});

const titleOf = (spec, { label, parsed }) => {
  if (spec.type === "bars") {
    return `${spec.x} ${label}`;
  }
  const axis = axisOf(spec, "x");
  return `${axis.label}: ${axis.labels ? axis.labels[parsed.x] : format(parsed.x, 5)}`;
};

const tooltip = (spec) => ({
  usePointStyle: spec.type === "line",
  filter: (item) => !item.dataset.isBand,
  callbacks: {
    title: (items) => (items.length ? titleOf(spec, items[0]) : ""),
    label: (item) => ` ${item.dataset.label}: ${format(item.parsed.y, 5)}`,
  },
});

/**
 * @param {Object} spec a chart; its choice has x and y (keys of axes) and logarithmic
 * @param {function(Object): boolean} isShown whether a series is shown
 * @returns {Object} configuration of Chart.js
 */
const chartOptions = (spec, isShown) => {
  useTheme();
  const bars = spec.type === "bars";
  const sets = (series, place) => (bars ? [barSet(series, place)] : lineSets(spec, series, place));
  return {
    type: bars ? "bar" : "line",
    data: {
      labels: spec.categories,
      datasets: spec.series.flatMap((series, place) =>
        sets(series, place).map((set) => ({ ...set, hidden: !isShown(series) }))),
    },
    options: {
      maintainAspectRatio: false,
      animation: false,
      normalized: true,
      interaction: bars ? { mode: "index", intersect: false }
        : { mode: "nearest", axis: "xy", intersect: false },
      scales: bars ? barScales(spec) : lineScales(spec),
      plugins: { legend: { display: false }, tooltip: tooltip(spec) },
    },
  };
};
