// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// Light and dark: what the system prefers, until the button says otherwise.

collab.theme = (() => {
  const KEY = "collab-report-theme";
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const listeners = [];

  // A browser may forbid a file to keep anything: then the choice holds for this page.
  const memory = (() => {
    try {
      return localStorage;
    } catch {
      return {};
    }
  })();

  const apply = () => {
    root.dataset.theme = memory[KEY] ?? (prefersDark.matches ? "dark" : "light");
    button.setAttribute("aria-pressed", String(root.dataset.theme === "dark"));
    listeners.forEach((listener) => listener());
  };

  const start = () => {
    prefersDark.addEventListener("change", apply);
    button.addEventListener("click", () => {
      memory[KEY] = root.dataset.theme === "dark" ? "light" : "dark";
      apply();
    });
    apply();
  };

  /** @returns {string} the present value of a color of the style sheet, such as #0072b2 */
  const color = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();

  /** @returns {string} the color at share (0 to 1) of the way between two colors */
  const between = (low, high, share) =>
    `color-mix(in srgb, ${color(low)}, ${color(high)} ${100 * Math.min(1, Math.max(0, share))}%)`;

  /** @returns {string} a color of the style sheet that lets something of what is below through */
  const translucent = (name, share) =>
    color(name) + Math.round(255 * share).toString(16).padStart(2, "0");

  return { start, color, between, translucent, onChange: (listener) => listeners.push(listener) };
})();
