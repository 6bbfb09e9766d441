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

const setsOf = (spec, series, place) => {
  const { x, y } = spec.choice;
  const name = colorOf(series, place);
  const points = (values) => values.map((value, i) => ({ x: series.x[x][i], y: value }));
  const set = { label: series.name, data: points(series.y[y]), backgroundColor: color(name) };
  if (spec.type === "bar") {
    return [{ ...set, borderColor: color("surface"), borderWidth: 1, borderSkipped: false }];
  }
  const marked = spec.scatter ||
    (!series.thin && !spec.distribution && series.x[x].length <= MOST_MARKED_POINTS);
  const line = {
    ...set,
    borderColor: series.thin ? translucent(name, 0.7) : color(name),
    borderWidth: series.thin ? 1.2 : 2.2,
    borderDash: dashOf(series, place),
    pointStyle: MARKERS[place % MARKERS.length],
    pointRadius: marked ? 3.5 : 0,
    pointHitRadius: 8,
    showLine: !spec.scatter,
    stepped: spec.distribution ? "before" : false,
    order: series.thin ? 2 : 1,
  };
  // The lower edge, and the upper one that is filled down to it
  const edge = (values, fill) => ({ data: points(values), isBand: true, borderWidth: 0,
    pointRadius: 0, pointHitRadius: 0, backgroundColor: translucent(name, 0.16), fill, order: 3 });
  return series.low?.[y]?.some((value) => value !== null)
    ? [line, edge(series.low[y], false), edge(series.high[y], "-1")] : [line];
};

const acrossOf = (spec) => {
  const { labels, whole } = axisOf(spec, "x");
  if (labels) { // at 0, 1, 2, and so on, where no tick is if the ends are whole steps apart
    return { type: "linear", offset: false, min: -0.45, max: labels.length - 0.55,
      grid: { display: false },
      ticks: { stepSize: 1, includeBounds: false, callback: (value) => labels[value] } };
  }
  return spec.choice.logarithmic
    ? { type: "logarithmic", ticks: { maxRotation: 0 } }
    : { type: "linear", ticks: { precision: whole ? 0 : undefined, maxRotation: 0 } };
};

const scalesOf = (spec, range) => {
  const scale = (name, more) => ({
    stacked: spec.type === "bar",
    title: { display: true, text: axisOf(spec, name).label, font: { size: 13 } },
    ...more,
    ...range[name],
  });
  const share = spec.distribution && { min: 0, max: 1 };
  return { x: scale("x", acrossOf(spec)), y: scale("y", share) };
};

const tooltip = (spec) => {
  const { label, labels } = axisOf(spec, "x");
  const place = ({ x }) => (labels ? labels[x] : format(x, 5));
  return {
    usePointStyle: spec.type === "line",
    filter: (item) => !item.dataset.isBand,
    callbacks: {
      title: ([first]) => (first ? `${label}: ${place(first.parsed)}` : ""),
      label: (item) => ` ${item.dataset.label}: ${format(item.parsed.y, 5)}`,
    },
  };
};

/**
 * @param {Object} spec a chart; its choice has x and y (keys of axes) and logarithmic
 * @param {function(Object): boolean} isShown whether a series is shown
 * @param {Object} range by axis the min and max that are shown, if not all is
 * @returns {Object} configuration of Chart.js
 */
const chartOptions = (spec, isShown, range) => {
  Object.assign(Chart.defaults, { color: color("muted"), borderColor: color("line") });
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  const mode = spec.type === "bar" ? "index" : "nearest";
  return {
    type: spec.type,
    data: {
      datasets: spec.series.flatMap((series, place) =>
        setsOf(spec, series, place).map((set) => ({ ...set, hidden: !isShown(series) }))),
    },
    options: {
      maintainAspectRatio: false,
      animation: false,
      interaction: { mode, axis: "xy", intersect: false },
      scales: scalesOf(spec, range),
      plugins: { legend: { display: false }, tooltip: tooltip(spec) },
    },
  };
};
