// Copyright (c) 2026 ns-3 collab authors
//
// SPDX-License-Identifier: GPL-2.0-only

// Light and dark: what the system prefers, until the button says otherwise.

const THEME_KEY = "collab-report-theme";
const root = document.documentElement;
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

// A browser may forbid a file to keep anything: then the choice holds for this page.
const memory = (() => {
  try {
    return localStorage;
  } catch {
    return {};
  }
})();

const isDark = () => root.dataset.theme === "dark";

const applyTheme = () => {
  root.dataset.theme = memory[THEME_KEY] ?? (prefersDark.matches ? "dark" : "light");
  root.style.colorScheme = root.dataset.theme;
  document.getElementById("theme").setAttribute("aria-pressed", isDark());
  root.dispatchEvent(new Event("theme")); // for what draws anew in other colors
};

prefersDark.addEventListener("change", applyTheme);
document.getElementById("theme").addEventListener("click", () => {
  memory[THEME_KEY] = isDark() ? "light" : "dark";
  applyTheme();
});
applyTheme();

/** @returns {string} the present one of a color's pair in the style sheet, such as #0072b2 */
const color = (name) =>
  getComputedStyle(root).getPropertyValue(`--${name}`).match(/#\w+/g)[isDark() ? 1 : 0];

/** @returns {string} the color at share (0 to 1) of the way between two colors */
const between = ([low, high], share) =>
  `color-mix(in srgb, var(--${low}), var(--${high}) ${100 * Math.min(1, Math.max(0, share))}%)`;

/** @returns {string} a color of the style sheet that lets something of what is below through */
const translucent = (name, share) =>
  color(name) + Math.round(255 * share).toString(16).padStart(2, "0");
