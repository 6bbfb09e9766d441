# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# CTest: nightly browser
"""Tests of reports in headless Chromium: what they show, and what the user can do with them.

Needs Chromium, its driver, Selenium and Chart.js (COLLAB_BROWSER and COLLAB_BROWSER_DRIVER name the
programs, if they are not called chromium and chromedriver). With a folder in COLLAB_SCREENSHOTS it
leaves pictures of the pages there.
"""

import csv
import json
import os
import shutil
import tempfile
import time
import unittest
from pathlib import Path

from collab.report.write import write_report
from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait
from synthetic_run import DEVICES, ROUND_S, ROUNDS, accuracy, write_run

PATIENCE_S = 60  # until something that must happen has happened, on a slow machine
SIZES = {"desktop": (1280, 900), "phone": (390, 800)}

# Text or background of the page, as red, green and blue from 0 to 255
_CONTRAST = """
const parse = (text) => text.match(/[\\d.]+/g).map(Number);
const luminance = (rgb) => {
  const [r, g, b] = rgb.slice(0, 3).map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (a, b) => {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
};
const behind = (element) => {
  for (let e = element; e; e = e.parentElement) {
    const color = parse(getComputedStyle(e).backgroundColor);
    if (color.length === 3 || color[3] > 0.99) return color;
  }
  return [255, 255, 255];
};
"""

_POOR_TEXTS = _CONTRAST + """
const poor = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  const text = walker.currentNode.textContent.trim();
  const skipped = element.closest("script, style, .skip, noscript, button:disabled");
  if (text && !skipped && element.getClientRects().length) {
    const found = ratio(parse(getComputedStyle(element).color), behind(element));
    if (found < 4.5) poor.push(`${text.slice(0, 40)}: ${found.toFixed(2)}`);
  }
}
return poor;
"""

_POOR_SERIES = _CONTRAST + """
const probe = document.body.appendChild(document.createElement("span"));
const shown = (name) => {
  probe.style.color = `var(--${name})`;
  return parse(getComputedStyle(probe).color);
};
const names = ["blue", "vermillion", "green", "purple", "orange", "sky", "yellow", "gray", "ink",
  "border", "accent"];
const poor = names.filter((name) => ratio(shown(name), shown("surface")) < 3);
probe.remove();
return poor;
"""

_UNNAMED = """
const named = (e) => (e.getAttribute("aria-label") || e.textContent ||
  [...(e.labels ?? [])].map((label) => label.textContent).join("")).trim();
return [...document.querySelectorAll("input, select, button, a[href], canvas, [role=region], nav")]
  .filter((e) => !named(e) || (e.matches("input, select") &&
    !e.getAttribute("aria-label") && !e.labels.length))
  .map((e) => e.outerHTML.slice(0, 120));
"""

_OUTSIDE_OF_LABELS = """
return [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((e) => Number(e.tagName[1]));
"""

_REPEATED_IDS = """
const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
return ids.filter((id, i) => ids.indexOf(id) !== i);
"""

_FIRST_MESSAGE = """
const { animation } = JSON.parse(document.getElementById("data").textContent);
const { start, end } = animation.messages;
return (start[0] + end[0]) / 2 / animation.end;
"""

_FOCUSABLE = """
return [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")]
  .filter((e) => !e.disabled && e.getClientRects().length).length;
"""

_PLACE_OF_FOCUS = """
const all = [...document.querySelectorAll("*")];
return document.activeElement === document.body ? -1 : all.indexOf(document.activeElement);
"""


def _program(variable, name):
    return os.environ.get(variable) or shutil.which(name)


def _open_browser(downloads):
    options = Options()
    options.binary_location = _program("COLLAB_BROWSER", "chromium")
    for argument in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage",
                     "hide-scrollbars", f"user-data-dir={downloads}/profile"):  # fmt: skip
        options.add_argument(f"--{argument}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = _program("COLLAB_BROWSER_DRIVER", "chromedriver")
    browser = webdriver.Chrome(service=Service(driver), options=options)
    browser.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(downloads)}
    )
    return browser


class BrowserTestCase(unittest.TestCase):
    """One browser for all tests of a class, and the reports that they look at."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.downloads = cls.folder / "downloads"
        cls.downloads.mkdir()
        cls.browser = _open_browser(cls.downloads)
        cls.addClassCleanup(cls.browser.quit)
        cls.make_reports()

    @classmethod
    def make_reports(cls):
        """Writes the reports that the tests open."""

    def setUp(self):
        self.media()
        self.resize("desktop")

    def tearDown(self):
        errors = [entry for entry in self.browser.get_log("browser") if entry["level"] != "DEBUG"]
        self.assertEqual(errors, [], "console of the browser")

    def open(self, file, size="desktop"):
        self.resize(size)
        self.browser.get(file.as_uri())
        self.browser.execute_script("localStorage.clear()")
        self.browser.refresh()

    def resize(self, size, height=None):
        width, usual = SIZES[size]
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height or usual, "deviceScaleFactor": 1, "mobile": False},
        )

    def media(self, **features):
        listed = [
            {"name": f"prefers-{name.replace('_', '-')}", "value": value}
            for name, value in features.items()
        ]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": listed})

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def click(self, selector):
        element = self.find(selector) if isinstance(selector, str) else selector
        self.wait(lambda: self.is_clicked(element))

    def is_clicked(self, element):
        """Whether a click has come to the element; charts that come in above may move it away."""
        self.show(element)
        try:
            element.click()
        except ElementClickInterceptedException:
            return False
        return True

    def open_table(self, selector):
        self.click(f"{selector} > summary")
        self.wait(lambda: self.find_all(f"{selector} .data-table"))

    def open_everything(self):
        self.script("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        closed = "details:not(:has(.data-table, dl))"
        self.wait(lambda: not self.find_all(closed))

    def show(self, element):
        self.script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def wait(self, condition):
        return WebDriverWait(self.browser, PATIENCE_S, 0.05).until(lambda _: condition())

    def chart(self, name, what):
        """Something of a chart, by an expression of its object."""
        return self.chart_of(f"#chart-{name} canvas", what)

    def chart_of(self, selector, what):
        return self.script(f"return Chart.getChart(document.querySelector('{selector}')).{what}")

    def texts(self, selector):
        return [element.text for element in self.find_all(selector)]

    def picture(self, name, size):
        folder = os.environ.get("COLLAB_SCREENSHOTS")
        if folder:
            height = self.script("return document.documentElement.scrollHeight")
            self.resize(size, height)
            time.sleep(0.5)
            self.browser.save_screenshot(str(Path(folder) / f"{name}-{size}.png"))


class RunReportTest(BrowserTestCase):
    @classmethod
    def make_reports(cls):
        cls.path = write_run(cls.folder / "run")
        metadata = json.loads((cls.path / "run.json").read_text())
        metadata["defaults"] = {**metadata["parameters"], "devices": 10}
        (cls.path / "run.json").write_text(json.dumps(metadata))
        described = "".join(f"trust,{c},real,,\n" for c in ("round", "device", "peer"))
        text = f"table,column,type,unit,meaning\n{described}trust,weight,real,J,in the peer\n"
        (cls.path / "columns.csv").write_text(text)
        cls.file = write_report(cls.path)

    def setUp(self):
        super().setUp()
        self.open(self.file)

    def test_asks_no_network(self):
        self.browser.get_log("performance")
        self.browser.refresh()
        self.click("#play")
        requests = set()
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                requests.add(message["params"]["request"]["url"])
        self.assertEqual({url for url in requests if not url.startswith("data:")},
                         {self.file.as_uri()})  # fmt: skip
        self.assertEqual(self.script("return performance.getEntriesByType('resource').length"), 0)

    def test_looks_like_a_page(self):
        for size in SIZES:
            self.open(self.file, size)
            width = self.script("return document.documentElement.scrollWidth")
            self.assertLessEqual(width, SIZES[size][0])
            self.picture("run", size)
        self.assertEqual(self.find("h1").text, "prediction-consensus: run")
        self.assertIn("0.7133", self.texts(".tile dd"))
        self.assertEqual(self.find_all(".notes"), [])
        self.assertEqual(len(self.find_all("#charts ~ .grid .card")), 5)

    def test_charts_have_drawn_something(self):
        for canvas in self.find_all("canvas"):
            colors = self.script(
                "const c = arguments[0]; const d = c.getContext('2d').getImageData(0, 0, c.width,"
                "c.height).data; return new Set(new Uint32Array(d.buffer)).size", canvas,
            )  # fmt: skip
            self.assertGreater(colors, 5)

    # --- Animation -------------------------------------------------------------------------------

    def choose(self, name, value):
        labels = self.find_all("#animation ~ .card > .controls label")
        (select,) = [label.find_element(By.CSS_SELECTOR, "select") for label in labels
                     if label.text.startswith(name)]  # fmt: skip
        Select(select).select_by_value(value)

    def seconds(self):
        return float(self.find("#scrubber").get_attribute("aria-valuetext").split(" s of")[0])

    def test_play_moves_the_scrubber_until_it_is_paused(self):
        self.assertEqual(self.find("#scrubber").get_attribute("value"), "0")
        self.click("#play")
        self.assertEqual(self.find("#play").text, "Pause")
        self.wait(lambda: int(self.find("#scrubber").get_attribute("value")) > 2)
        self.click("#play")
        stopped = self.seconds()
        time.sleep(0.3)
        self.assertEqual((self.find("#play").text, self.seconds()), ("Play", stopped))
        self.assertGreater(stopped, 0)

    def test_play_ends_at_the_end_and_begins_again(self):
        self.choose("Speed", "100")
        self.click("#play")
        self.wait(lambda: self.find("#play").text == "Play")
        self.assertEqual(self.seconds(), ROUND_S * ROUNDS)
        self.choose("Speed", "0.1")
        self.click("#play")
        self.wait(lambda: self.seconds() < ROUND_S)

    def test_speed_is_of_simulated_time(self):
        self.choose("Speed", "5")
        self.script("""window.seen = [];
            new MutationObserver(() => seen.push([performance.now() / 1000,
              parseFloat(document.querySelector(".timeline output").textContent)])).observe(
              document.querySelector(".timeline output"), {childList: true});""")
        self.click("#play")
        self.wait(lambda: self.seconds() == ROUND_S * ROUNDS)
        (before, first), *_, (after, last) = self.script("return seen.slice(0, -1)")
        self.assertAlmostEqual((last - first) / (after - before), 5, delta=1)

    def test_little_motion_goes_in_steps(self):
        self.media(reduced_motion="reduce")
        self.browser.refresh()
        self.script("""const at = [];
            new MutationObserver(() => at.push(performance.now())).observe(
              document.querySelector(".timeline output"), {childList: true});
            window.at = at;""")
        self.click("#play")
        self.wait(lambda: self.script("return at.length") >= 3)
        times = self.script("return at")
        self.assertGreater(times[2] - times[1], 700)

    def test_keys_move_the_scrubber(self):
        self.find("#scrubber").send_keys(Keys.END)
        self.assertEqual(self.seconds(), ROUND_S * ROUNDS)
        self.find("#scrubber").send_keys(Keys.HOME, Keys.ARROW_RIGHT)
        self.assertAlmostEqual(self.seconds(), ROUND_S * ROUNDS / 2000)

    def test_rounds_can_be_stepped_through(self):
        previous, following = self.find_all(".timeline button")[1:]
        places = []
        for button in (following, following, previous, previous, previous):
            self.click(button)
            places.append(self.seconds())
        self.assertEqual(places, [10, 20, 10, 0, 0])

    def test_tables_say_what_the_graph_shows(self):
        self.click(self.find_all(".timeline button")[2])
        self.open_table("#animation ~ .card > details:nth-of-type(1)")
        heads = self.texts("#animation ~ .card thead th")
        rows = [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")]
                for row in self.find_all("#animation ~ .card tbody tr")]  # fmt: skip
        self.assertEqual(len(rows), DEVICES)
        self.assertEqual(rows[2][:5], ["2", "yes", "20", "0", "1"])
        self.assertAlmostEqual(float(rows[1][heads.index("accuracy on X*")]), accuracy(0, 1))
        self.assertEqual(rows[1][heads.index("battery left [J]")], "994.375")

    def test_lost_messages_are_in_the_table_of_links(self):
        self.choose("Links", "lost")
        self.open_table("#animation ~ .card > details:nth-of-type(2)")
        rows = self.texts("#animation ~ .card tbody tr")
        self.assertIn("1 0 1", rows)
        self.assertIn("0 1 0", rows)

    def test_graph_draws_devices_links_and_messages(self):
        labels = "[...document.querySelectorAll('.device')].map((one) => one.textContent)"
        self.assertEqual(self.script(f"return {labels}"), ["0train", "1train", "2*train", "3train"])
        fill = "return getComputedStyle(arguments[0]).fill"
        self.find("#scrubber").send_keys(Keys.END)
        shapes = self.find_all(".device > :first-child")
        self.assertEqual(len({self.script(fill, shape) for shape in shapes}), DEVICES)
        self.assertEqual(len(self.find_all(".stage line")), DEVICES * (DEVICES - 1))
        self.choose("Links", "none")
        self.assertEqual(self.find_all(".stage line"), [])
        # A broadcast is on its way to all others
        place = self.script(_FIRST_MESSAGE) * 2000
        self.script("const s = document.getElementById('scrubber'); s.value = arguments[0];"
                    "s.dispatchEvent(new Event('input'));", place)  # fmt: skip
        self.assertGreaterEqual(len(self.find_all(".stage line")), DEVICES - 1)

    def test_pointing_at_a_device_tells_of_it(self):
        graph = self.find(".stage svg")
        self.show(graph)
        # Devices 0 to 3 are on a line from the left margin to the right one
        left = -graph.size["width"] / 2 + 46
        ActionChains(self.browser).move_to_element_with_offset(graph, int(left), -6).perform()
        self.assertRegex(self.find(".tip").text, r"Device 0\nround 0, train\nbattery: 100 %")

    # --- Tables ----------------------------------------------------------------------------------

    def sort_by(self, heading):
        (button,) = [b for b in self.find_all("#table-0 thead button") if b.text == heading]
        self.click(button)
        return button.find_element(By.XPATH, "..").get_attribute("aria-sort")

    def shown(self, heading):
        place = self.texts("#table-0 thead button").index(heading) + 1
        return [float(t) for t in self.texts(f"#table-0 tbody tr > :nth-child({place})")]

    def test_sorting(self):
        self.assertEqual(self.sort_by("accuracy_reference"), "ascending")
        values = [accuracy(n, d) for n in range(ROUNDS) for d in range(DEVICES)]
        for mine, theirs in zip(self.shown("accuracy_reference"), sorted(values)):
            self.assertAlmostEqual(mine, theirs, 5)
        self.assertEqual(self.sort_by("accuracy_reference"), "descending")
        self.assertAlmostEqual(self.shown("accuracy_reference")[0], max(values), 5)

    def test_filter_and_pages(self):
        self.open_table("#table-2")
        status = self.find("#table-2 [role=status]")
        self.assertEqual(status.text, "Rows 1 to 25 of 40")
        previous, following = self.find_all("#table-2 .group button")
        self.click(following)
        self.assertEqual(status.text, "Rows 26 to 40 of 40")
        self.assertFalse(following.is_enabled())
        self.click(previous)
        self.assertEqual(len(self.find_all("#table-2 tbody tr")), 25)
        self.find("#table-2 input").send_keys("31 PREDICT")
        self.assertEqual(status.text, "Rows 1 to 4 of 4")
        _, rows = self.download("#table-2 .controls button")
        self.assertEqual(len(rows), 5)

    def test_columns_are_explained(self):
        self.open_table("#table-4")
        self.click("#table-4 .data-table summary")
        self.assertEqual(self.texts("#table-4 dl > *")[-2:], ["weight", "in the peer [J]"])

    def downloaded(self):
        """The file of a download that has ended; the browser reserves its name, empty, before."""
        if any(self.downloads.glob("*.crdownload")):
            return None
        return next((f for f in self.downloads.glob("*.csv") if f.stat().st_size > 0), None)

    def download(self, button):
        for file in self.downloads.glob("*.csv"):
            file.unlink()
        self.click(button)
        file = self.wait(self.downloaded)
        with open(file, encoding="utf-8", newline="") as opened:
            return file.name, list(csv.reader(opened))

    def test_download_has_all_rows_as_they_are_sorted(self):
        self.sort_by("device")
        name, rows = self.download("#table-0 .controls button")
        with open(self.path / "rounds.csv", encoding="utf-8", newline="") as opened:
            head, *expected = csv.reader(opened)
        self.assertEqual((name, rows[0]), ("rounds.csv", head))
        expected.sort(key=lambda row: int(row[1]))
        self.assertEqual(len(rows) - 1, len(expected))
        for mine, theirs in zip(rows[1:], expected):
            for number, other in zip(map(float, mine), map(float, theirs)):
                self.assertAlmostEqual(number, other)

    def test_download_of_messages_has_texts_and_what_is_empty(self):
        self.open_table("#table-3")
        _, rows = self.download("#table-3 .controls button")
        self.assertEqual(len(rows), 25)
        reasons = [row[rows[0].index("reason")] for row in rows[1:]]
        lost = [row[3:5] for row, reason in zip(rows[1:], reasons) if reason == "outage"]
        self.assertEqual((lost, reasons.count("")), ([["1", "0"]] * 2, 22))

    def test_data_of_a_chart_is_a_table(self):
        self.open_table("#chart-energy > details")
        rows = self.texts("#chart-energy tbody tr")
        self.assertEqual(len(rows), DEVICES)
        self.assertEqual(rows[2].split(), ["2*", "4", "2", "1", "0.5", "12", "3"])

    # --- Charts ----------------------------------------------------------------------------------

    def test_legend_hides_and_shows(self):
        button = self.find("#chart-learning .legend button")
        self.assertEqual(button.get_attribute("aria-pressed"), "true")
        self.click(button)
        self.assertTrue(self.chart("learning", "data.datasets[0].hidden"))
        button = self.find("#chart-learning .legend button")
        self.assertEqual(button.get_attribute("aria-pressed"), "false")
        self.assertEqual(self.script("return document.activeElement.textContent"), button.text)
        label = self.find("#chart-learning canvas").get_attribute("aria-label")
        self.assertNotIn("regular devices", label)

    def test_axes_can_be_chosen(self):
        vertical, horizontal = map(Select, self.find_all("#chart-learning select"))
        horizontal.select_by_visible_text("simulated time [s]")
        self.assertEqual(self.chart("learning", "data.datasets[0].data[3].x"), ROUND_S * ROUNDS)
        vertical.select_by_visible_text("local loss")
        self.assertEqual(self.chart("learning", "data.datasets[0].data[3].y"), 1)

    def test_drag_zooms_and_reset_restores(self):
        whole = self.chart("learning", "scales.x.max")
        canvas = self.find("#chart-learning canvas")
        self.show(canvas)
        drag = ActionChains(self.browser).move_to_element(canvas).click_and_hold()
        drag.move_by_offset(120, 60).release().perform()
        self.assertLess(self.chart("learning", "scales.x.max"), whole)
        self.assertGreater(self.chart("learning", "scales.x.min"), 0)
        plus, _, reset = self.find_all("#chart-learning [role=group] button")
        self.click(reset)
        self.assertEqual(self.chart("learning", "scales.x.max"), whole)
        self.click(plus)
        self.assertLess(self.chart("learning", "scales.x.max"), whole)

    def test_pointing_at_a_chart_tells_its_values(self):
        canvas = self.find("#chart-energy canvas")
        self.show(canvas)
        ActionChains(self.browser).move_to_element(canvas).perform()
        self.wait(lambda: self.chart("energy", "tooltip.opacity") == 1)
        self.assertIn(" computing: 12", self.chart("energy", "tooltip.body.flatMap(b => b.lines)"))

    # --- Parameters ------------------------------------------------------------------------------

    def test_parameters_are_searched_and_marked(self):
        rows = "#parameters ~ .card tbody tr"
        self.assertEqual(self.texts(f"{rows}.changed"), ["devices 4 10 changed"])
        self.find("#parameters ~ .card input[type=search]").send_keys("TRU")
        self.assertEqual(self.texts(rows), ["trust dynamic dynamic"])
        self.click("#parameters ~ .card input[type=checkbox]")
        self.assertEqual(self.texts(rows), [])
        self.assertEqual(self.find("#parameters ~ .card [role=status]").text, "0 of 4 parameters")

    # --- Theme and access ------------------------------------------------------------------------

    def theme(self):
        return self.script("return [document.documentElement.dataset.theme,"
                           "getComputedStyle(document.body).backgroundColor]")  # fmt: skip

    def test_theme_follows_the_system_and_the_button(self):
        self.assertEqual(self.theme()[0], "light")
        light = self.theme()[1]
        self.media(color_scheme="dark")
        self.wait(lambda: self.theme()[0] == "dark")
        self.assertNotEqual(self.theme()[1], light)
        self.click("#theme")
        self.assertEqual(self.theme(), ["light", light])
        self.browser.refresh()
        self.assertEqual(self.theme()[0], "light")  # what was chosen is kept
        self.assertEqual(self.find("#theme").get_attribute("aria-pressed"), "false")
        color = self.chart("learning", "options.scales.x.ticks.color")
        self.click("#theme")
        self.assertNotEqual(self.chart("learning", "options.scales.x.ticks.color"), color)
        self.picture("run-dark", "desktop")

    def test_contrast_is_enough(self):
        self.open_everything()
        for theme in ("light", "dark"):
            self.assertEqual(self.theme()[0], theme)
            self.assertEqual(self.script(_POOR_TEXTS), [], theme)
            self.assertEqual(self.script(_POOR_SERIES), [], theme)
            self.click("#theme")

    def test_everything_has_a_name(self):
        self.open_everything()
        self.assertEqual(self.script(_UNNAMED), [])
        self.assertEqual(self.script(_REPEATED_IDS), [])
        self.assertEqual(self.find("html").get_attribute("lang"), "en")
        for table in self.find_all("table"):
            self.assertTrue(table.find_elements(By.CSS_SELECTOR, "caption"))
            self.assertTrue(table.find_elements(By.CSS_SELECTOR, "th[scope=col]"))
        for picture in self.find_all("canvas, .stage svg"):
            self.assertEqual(picture.get_attribute("role"), "img")
            self.assertGreater(len(picture.get_attribute("aria-label")), 40)

    def test_landmarks_and_headings(self):
        for landmark in ("header", "nav", "main", "footer"):
            self.assertEqual(len(self.find_all(f"body > {landmark}, header > {landmark}")), 1)
        levels = self.script(_OUTSIDE_OF_LABELS)
        self.assertEqual((levels[0], levels.count(1)), (1, 1))
        self.assertTrue(all(b - a <= 1 for a, b in zip(levels, levels[1:])), levels)
        targets = [a.get_attribute("href").split("#")[1] for a in self.find_all("nav a")]
        self.assertEqual(targets, ["summary", "charts", "animation", "parameters", "tables"])
        self.assertTrue(all(self.find(f"#{target}").tag_name == "h2" for target in targets))

    def test_tab_goes_through_everything_in_order(self):
        count = self.script(_FOCUSABLE)
        places = []
        for _ in range(count):
            ActionChains(self.browser).send_keys(Keys.TAB).perform()
            places.append(self.script(_PLACE_OF_FOCUS))
            if len(places) == 1:
                self.assertEqual(self.script("return document.activeElement.className"), "skip")
            outline = self.script("return getComputedStyle(document.activeElement).outlineStyle")
            self.assertNotEqual(outline, "none", places)
        self.assertEqual(places, sorted(set(places)))
        self.assertNotIn(-1, places)

    def test_skip_link_leads_to_the_content(self):
        ActionChains(self.browser).send_keys(Keys.TAB, Keys.ENTER).perform()
        self.assertEqual(self.script("return document.activeElement.id"), "main")


class SweepReportTest(BrowserTestCase):
    @classmethod
    def make_reports(cls):
        cls.path = cls.folder / "outage"
        for outage in (0.2, 0.6):
            for trust in ("dynamic", "naive"):
                for loss in ("reliable", "best-effort"):
                    for run in (1, 2, 3):
                        bonus = 0.1 * outage + 0.01 * run + 0.03 * (loss == "reliable")
                        name = f"{trust}-{outage}-{loss}-{run}"
                        write_run(cls.path / name, trust, run, bonus, maxOutage=outage, loss=loss)
        write_report(cls.path / "naive-0.6-reliable-2")
        cls.file = write_report(cls.path)

    def setUp(self):
        super().setUp()
        self.open(self.file)

    def explorer(self, what):
        return self.chart_of("#charts ~ .grid canvas", what)

    def select(self, name, text):
        self.show(self.find(f"#explore-{name}"))
        Select(self.find(f"#explore-{name}")).select_by_visible_text(text)

    def test_looks_like_a_page(self):
        for size in SIZES:
            self.open(self.file, size)
            width = self.script("return document.documentElement.scrollWidth")
            self.assertLessEqual(width, SIZES[size][0])
            self.picture("sweep", size)
        self.assertEqual(self.texts(".tile dd"), ["24", "8", "3", "3"])

    def test_mean_and_band_of_a_point(self):
        # The first value of the parameter that no axis shows: best-effort
        mean, low = (self.explorer(f"data.datasets[{i}].data[0].y") for i in (0, 1))
        self.assertAlmostEqual(mean, 0.7 + 0.04 / 3 + 0.02 + 0.02)
        self.assertAlmostEqual(mean - low, 4.303 * 0.01 / 3**0.5)

    def test_other_parameters_are_fixed_or_averaged(self):
        self.select("fixed-0", "reliable")
        mean = self.explorer("data.datasets[0].data[0].y")
        self.assertAlmostEqual(mean, 0.7 + 0.04 / 3 + 0.02 + 0.02 + 0.03)
        self.select("fixed-0", "(all, averaged)")
        mean = self.explorer("data.datasets[0].data[0].y")
        self.assertAlmostEqual(mean, 0.7 + 0.04 / 3 + 0.02 + 0.02 + 0.015)

    def test_hue_and_axes_can_be_chosen(self):
        names = "data.datasets.filter((set) => !set.isBand).map((set) => set.label)"
        self.assertEqual(self.explorer(names), ["trust=dynamic", "trust=naive"])
        self.select("hue", "loss")
        self.assertEqual(self.explorer(names), ["loss=best-effort", "loss=reliable"])
        self.assertEqual(self.script("return document.activeElement.id"), "explore-hue")
        self.select("hue", "(none)")
        self.assertEqual(self.explorer(names), ["all runs"])
        self.select("x", "trust")
        labels = self.explorer("scales.x.getTicks().map((t) => t.label).filter((t) => t)")
        self.assertEqual(labels, ["dynamic", "naive"])
        self.select("x", "time, total [s]")
        self.assertFalse(self.explorer("data.datasets[0].showLine"))

    def test_points_link_to_their_reports(self):
        self.open_table("#table-1")
        (link,) = self.find_all("#table-1 tbody a")
        self.assertEqual(link.text, "naive-0.6-reliable-2")
        self.click(link)
        self.assertEqual(self.find("h1").text, "prediction-consensus: naive-0.6-reliable-2")

    def test_everything_has_a_name_and_contrast(self):
        self.open_everything()
        self.assertEqual(self.script(_UNNAMED), [])
        self.assertEqual(self.script(_REPEATED_IDS), [])
        self.assertEqual(self.script(_POOR_TEXTS), [])


class BadRunTest(BrowserTestCase):
    HOSTILE = "</script><script>document.title='broken'</script><img src=x onerror=alert(1)>"

    def test_hostile_texts_are_shown_and_not_obeyed(self):
        path = write_run(self.folder / "hostile", trust=self.HOSTILE)
        for name in ("messages", "latency"):
            text = (path / f"{name}.csv").read_text()
            text = text.replace("prediction", self.HOSTILE).replace("train", self.HOSTILE)
            (path / f"{name}.csv").write_text(text)
        self.open(write_report(path))
        self.assertEqual(self.browser.title, "prediction-consensus: hostile")
        self.assertIn(self.HOSTILE, self.find("#parameters ~ .card tbody").text)
        self.assertEqual(self.find_all("img"), [])

    def test_damaged_runs_are_shown_with_notes(self):
        for name in ("rounds", "energy", "latency", "messages", "trust"):
            path = write_run(self.folder / name)
            (path / f"{name}.csv").unlink()
            self.open(write_report(path))
            self.assertIn(f"{name}.csv is missing", self.find(".notes").text)
            self.assertEqual(self.script(_UNNAMED), [])

    def test_values_that_are_missing(self):
        path = write_run(self.folder / "nan")
        for name in ("rounds", "energy", "messages"):
            file = path / f"{name}.csv"
            file.write_text(file.read_text().replace("0.1,", "nan,").replace("0.5,", ","))
        self.open(write_report(path))
        self.click("#play")

    def test_local_and_empty_runs(self):
        self.open(write_report(write_run(self.folder / "local", "local")))
        self.click("#play")
        self.assertIn("no links by trust", self.find(".notes").text)
        path = write_run(self.folder / "empty.partial")
        for file in path.glob("*.csv"):
            file.write_text("")
        self.open(write_report(path))
        self.assertIn("no round has ended", self.find(".notes").text)
        self.assertEqual(self.texts("nav a"), ["Summary", "Parameters"])

    def test_many_devices(self):
        path = write_run(self.folder / "many")
        metadata = json.loads((path / "run.json").read_text())
        metadata["devices"] += [
            {"device": number, "low_quality": False, "x_m": number % 20, "y_m": number // 20}
            for number in range(DEVICES, 200)
        ]
        (path / "run.json").write_text(json.dumps(metadata))
        self.open(write_report(path))
        self.click("#play")
        self.wait(lambda: int(self.find("#scrubber").get_attribute("value")) > 0)
