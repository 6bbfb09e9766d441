# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the pages of the documentation as files on a disk: their scripts and styles work there.

Of one small page, with the settings of the real ones; in a browser if there is one.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
DOC = Path(__file__).resolve().parents[3] / "contrib-module/doc"
HAS_FURO = all(map(importlib.util.find_spec, ("sphinx", "furo")))
BROWSER = os.environ.get("COLLAB_BROWSER") or shutil.which("chromium")
DRIVER = os.environ.get("COLLAB_BROWSER_DRIVER") or shutil.which("chromedriver")
PAGE = "A page\n======\n\nFirst\n-----\n\nText.\n\nSecond\n------\n\n" + "More text.\n\n" * 200


@unittest.skipUnless(HAS_FURO, "Sphinx and furo are not installed")
class PagesFromDiskTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        source, cls.pages = Path(folder.name) / "source", Path(folder.name) / "pages"
        source.mkdir()
        for name in ("conf.py", "collab_tables.py", "collab_numbers.py"):
            shutil.copy(DOC / name, source)
        (source / "index.rst").write_text(PAGE, encoding="utf-8")
        subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", source, cls.pages], check=True)

    def test_nothing_is_imported(self):
        static = self.pages / "_static"
        scripts = (static / "scripts/furo.js").read_text(encoding="utf-8")
        self.assertIsNone(re.search(r"^import .*from", scripts, re.MULTILINE))
        self.assertIn("Gumshoe", scripts)
        styles = "".join(file.read_text(encoding="utf-8") for file in static.rglob("*.css"))
        self.assertNotIn("@import url(/", styles)
        self.assertIn("--color-foreground-primary", styles)

    def test_they_are_dark_where_the_system_is(self):
        styles = (self.pages / "_static/styles/furo.css").read_text(encoding="utf-8")
        dark = re.search(r"prefers-color-scheme: dark\) *{ *body:not[^{]*{([^}]*)}", styles)
        self.assertRegex(dark[1], "--color-background-primary: #1")

    @unittest.skipUnless(BROWSER and DRIVER and importlib.util.find_spec("selenium"), "no browser")
    def test_in_a_browser(self):
        browser = self.open_browser()
        browser.get(f"file://{self.pages}/index.html")
        errors = [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
        self.assertEqual(errors, [])
        theme = "return document.body.dataset.theme"
        first = browser.execute_script(theme)
        buttons = browser.find_elements("class name", "theme-toggle")
        (shown,) = [button for button in buttons if button.is_displayed()]
        self.assertGreater(min(shown.find_element("css selector", f"svg.theme-icon-when-{first}").size.values()), 8)
        shown.click()
        self.assertNotEqual(browser.execute_script(theme), first)

    def open_browser(self):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = BROWSER
        for argument in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage",
                         "window-size=1400,900", f"user-data-dir={self.pages}/profile"):  # fmt: skip
            options.add_argument(f"--{argument}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        browser = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.addCleanup(browser.quit)
        return browser


class SearchTest(unittest.TestCase):
    def test_moving_devices_are_found(self):
        """A search for "random waypoint" leads to how it is done, not to benchmarks alone."""
        pages = {page.stem for page in DOC.glob("collab*.rst")
                 if "random waypoint" in " ".join(page.read_text(encoding="utf-8").lower().split())}  # fmt: skip
        self.assertIn("collab", pages)


if __name__ == "__main__":
    unittest.main()
