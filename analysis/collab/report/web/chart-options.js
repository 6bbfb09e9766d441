// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// What Chart.js is told to draw: a chart's data in the colors of the present theme.

collab.chartOptions = (() => {
  const { color, translucent } = collab.theme;
  const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
  const MARKERS = ["circle", "rect", "triangle", "rectRot", "crossRot", "star"];
  const MOST_MARKED_POINTS = 60;

  /** @returns {number[]} dash pattern of a series, which tells it apart without color */
  const dashOf = (series, place) =>
    series.thin ? [] : DASHES[(series.dash ?? place) % DASHES.length];

  const pointsOf = (series, values, x) =>
    series.x[x].map((position, i) => ({ x: position, y: values[i] }));

  const lineOf = (spec, series, place, { x, y }) => {
    const marked = spec.scatter ||
      (!series.thin && !spec.step && series.x[x].length <= MOST_MARKED_POINTS);
    return {
      label: series.name,
      data: series.y[y] ? pointsOf(series, series.y[y], x) : [],
      parsing: false,
      borderColor: series.thin ? translucent(series.color, 0.7) : color(series.color),
      backgroundColor: color(series.color),
      borderWidth: series.thin ? 1.2 : 2.2,
      borderDash: dashOf(series, place),
      pointStyle: MARKERS[place % MARKERS.length],
      pointRadius: marked ? 3.5 : 0,
      pointHitRadius: 8,
      showLine: !spec.scatter,
      stepped: spec.step ? "before" : false,
      order: series.thin ? 2 : 1,
    };
  };

  // The lower edge, and the upper one that is filled down to it; nothing without a band
  const bandOf = (series, { x, y }) =>
    series.low?.[y]?.some((value) => value !== null)
      ? [[series.low[y], false], [series.high[y], "-1"]].map(([values, fill]) => ({
        data: pointsOf(series, values, x), parsing: false, isBand: true, borderWidth: 0,
        pointRadius: 0, pointHitRadius: 0, backgroundColor: translucent(series.color, 0.16), fill,
        order: 3 }))
      : [];

  const lineData = (spec, isShown) => ({
    datasets: spec.series.flatMap((series, place) =>
      [lineOf(spec, series, place, spec.choice), ...bandOf(series, spec.choice)]
        .map((set) => ({ ...set, hidden: !isShown(series) }))),
  });

  const barData = (spec, isShown) => ({
    labels: spec.categories,
    datasets: spec.series.map((series) => ({
      label: series.name,
      data: series.values,
      backgroundColor: color(series.color),
      borderColor: color("surface"),
      borderWidth: 1,
      borderSkipped: false,
      hidden: !isShown(series),
    })),
  });

  const scale = (title, { ticks, grid, ...more } = {}) => ({
    title: { display: true, text: title, color: color("text"), font: { size: 13 } },
    ticks: { color: color("muted"), font: { size: 12 }, ...ticks },
    grid: { color: color("line"), borderColor: color("border"), ...grid },
    ...more,
  });

  // Few labels on a logarithmic axis: 1, 2 and 5 of each power of ten
  const logarithmicTick = (value) =>
    [1, 2, 5].includes(Number(String(Number(value).toExponential()).split("e")[0]))
      ? collab.format(value)
      : "";

  const lineScales = (spec, choice) => {
    const x = spec.x.find(({ key }) => key === choice.x);
    const y = spec.y.find(({ key }) => key === choice.y);
    const named = x.labels
      ? { type: "linear", min: -0.3, max: x.labels.length - 0.7, grid: { display: false },
        ticks: { stepSize: 1, autoSkip: false, callback: (value) => x.labels[value] ?? "" } }
      : {};
    const kind = choice.logarithmic
      ? { type: "logarithmic", ticks: { callback: logarithmicTick, maxRotation: 0 } }
      : { type: "linear", ticks: { maxRotation: 0, ...(x.whole ? { precision: 0 } : {}) } };
    return {
      x: scale(x.label, { ...kind, ...named }),
      y: scale(y.label, spec.unit ? { min: 0, max: 1 } : {}),
    };
  };

  const barScales = (spec) => ({
    x: scale(spec.x, { stacked: true, grid: { display: false } }),
    y: scale(spec.y, { stacked: true, beginAtZero: true }),
  });

  const tooltip = (spec) => ({
    backgroundColor: color("surface"),
    titleColor: color("text"),
    bodyColor: color("text"),
    borderColor: color("border"),
    borderWidth: 1,
    padding: 8,
    usePointStyle: spec.type === "line",
    filter: (item) => !item.dataset.isBand,
    callbacks: {
      title: (items) => (items.length ? titleOf(spec, items[0]) : ""),
      label: (item) => ` ${item.dataset.label}: ${collab.format(item.parsed.y, 5)}`,
    },
  });

  const titleOf = (spec, item) => {
    if (spec.type === "bars") {
      return `${spec.x} ${item.label}`;
    }
    const x = spec.x.find(({ key }) => key === spec.choice.x);
    const value = x.labels ? x.labels[item.parsed.x] : collab.format(item.parsed.x, 5);
    return `${x.label}: ${value}`;
  };

  /**
   * @param {Object} spec a chart; its choice has x and y (keys of axes) and logarithmic
   * @param {function(Object): boolean} isShown whether a series is shown
   * @returns {Object} configuration of Chart.js
   */
  const create = (spec, isShown) => ({
    type: spec.type === "bars" ? "bar" : "line",
    data: spec.type === "bars" ? barData(spec, isShown) : lineData(spec, isShown),
    options: {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      normalized: true,
      font: { family: getComputedStyle(document.body).fontFamily },
      interaction: spec.type === "bars" ? { mode: "index", intersect: false }
        : { mode: "nearest", axis: "xy", intersect: false },
      scales: spec.type === "bars" ? barScales(spec) : lineScales(spec, spec.choice),
      plugins: { legend: { display: false }, tooltip: tooltip(spec) },
    },
  });

  return { create, dashOf };
})();
