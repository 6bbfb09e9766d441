# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""How Sphinx builds these pages on their own: ./collab docs, or sphinx-build of this folder.

ns-3's model library has a conf.py of its own and takes the pages as they are.
"""

import importlib.util

project = "ns-3 collab"
author = "ns-3 collab authors"
copyright = "2026, ns-3 collab authors"
html_title = project
html_theme = "furo" if importlib.util.find_spec("furo") else "alabaster"
html_copy_source = False
html_show_sphinx = False
pygments_style = "friendly"
highlight_language = "none"  # what prints tables or trees is no program
extensions = ["sphinx.ext.mathjax"]

# Parts that pages include
exclude_patterns = ["results", "collab-model-costs.rst"]
