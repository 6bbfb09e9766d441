// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// Light and dark: what the system prefers, until the button says otherwise.

collab.theme = (() => {
  const KEY = "collab-report-theme";
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const listeners = [];
  let chosen = null;

  // A browser may forbid a file to keep anything: then the choice holds for this page.
  const remember = (theme) => {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // nothing is lost but the memory
    }
  };

  const recall = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };

  const apply = () => {
    const dark = chosen ? chosen === "dark" : prefersDark.matches;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.getElementById("theme").setAttribute("aria-pressed", String(dark));
    listeners.forEach((listener) => listener());
  };

  const start = () => {
    chosen = recall();
    prefersDark.addEventListener("change", apply);
    document.getElementById("theme").addEventListener("click", () => {
      chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
      remember(chosen);
      apply();
    });
    apply();
  };

  /** @returns {string} the present value of a color of the style sheet */
  const color = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

  /** @returns {number[]} red, green and blue of a color like #0072b2 */
  const parse = (text) => [1, 3, 5].map((place) => parseInt(text.slice(place, place + 2), 16));

  /** @returns {string} the color at share (0 to 1) of the way between two colors */
  const between = (low, high, share) => {
    const [from, to] = [parse(color(low)), parse(color(high))];
    const part = Math.min(1, Math.max(0, share));
    return `rgb(${from.map((value, i) => Math.round(value + (to[i] - value) * part)).join(",")})`;
  };

  /** @returns {string} a color of the style sheet that lets something of what is below through */
  const translucent = (name, share) => `rgba(${parse(color(name)).join(",")},${share})`;

  return { start, color, between, translucent, onChange: (listener) => listeners.push(listener) };
})();
