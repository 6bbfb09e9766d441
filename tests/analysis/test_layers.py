# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Imports of analysis/collab go one way: no circle, and no folder imports one above it."""

import ast
import sys
import unittest
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "analysis" / "collab"

# What the modules of each folder may import besides those of their own
BELOW = {
    "setup": set(),
    "convert": {"setup"},
    "runs": set(),
    "statistics": {"runs"},
    "figures": {"runs", "statistics"},
    "report": {"setup", "runs", "statistics", "figures"},
    "sweeps": set(),
    "api": {"setup", "runs", "statistics", "sweeps"},
    "protocols": {"setup", "convert", "runs", "sweeps", "api"},
    "cli": {"setup", "convert", "runs", "statistics", "figures", "report", "sweeps", "api"},
}
SHARED_FIGURES = {"common", "figure", "outside", "style", "words"}  # what the figures of a paper may import
MOST_FILES = 20


def parse(package):
    """The imports of every module of a package, {module: set of modules}, by their full names."""
    files = {_name(file, package): file for file in sorted(package.rglob("*.py"))}
    return {name: _imports(name, file, files) for name, file in files.items()}


def _name(file, package):
    parts = file.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(name, file, known):
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            origin = _origin(node, name, file)
            for alias in node.names:
                module = f"{origin}.{alias.name}"
                found.add(module if module in known else origin)
    return (found & set(known)) - {name}


def _origin(node, name, file):
    """The full name of what a statement imports from."""
    if not node.level:
        return node.module
    package = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
    base = package[: len(package) - node.level + 1]
    return ".".join([*base, *([node.module] if node.module else [])])


def find_circle(imports):
    """The modules of a circle, in order; empty if there is none."""
    done = set()

    def visit(name, path):
        if name in path:
            return path[path.index(name) :]
        if name in done:
            return []
        for other in sorted(imports[name]):
            circle = visit(other, [*path, name])
            if circle:
                return circle
        done.add(name)
        return []

    for name in sorted(imports):
        circle = visit(name, [])
        if circle:
            return circle
    return []


class LayersTest(unittest.TestCase):
    def setUp(self):
        self.imports = parse(PACKAGE)

    def test_finds_circles(self):
        self.assertEqual(find_circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}), ["b", "c"])
        self.assertEqual(find_circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}), [])

    def test_sees_all_kinds_of_imports(self):
        seen = self.imports["collab.runs.sources"]
        self.assertIn("collab.runs.database", seen)
        self.assertIn("collab.figures.common.accuracy", self.imports["collab.figures.common"])
        self.assertIn("collab.runs.run", self.imports["collab.figures.figure"])

    def test_no_module_imports_itself_in_a_circle(self):
        self.assertEqual(find_circle(self.imports), [])

    def test_folders_import_those_below_them_only(self):
        for name, others in self.imports.items():
            folder = self.folder_of(name)
            for other in others:
                with self.subTest(module=name, imports=other):
                    self.assertIn(self.folder_of(other), {*BELOW.get(folder, BELOW), folder})

    def test_every_folder_has_its_place(self):
        folders = {path.name for path in PACKAGE.iterdir() if path.is_dir()} - {"__pycache__"}
        self.assertEqual(folders, set(BELOW))

    def test_figures_of_papers_do_not_import_each_other(self):
        for name, others in self.imports.items():
            parts = name.split(".")
            if parts[:2] != ["collab", "figures"] or len(parts) < 4:
                continue
            for other in others:
                if other.startswith("collab.figures."):
                    with self.subTest(module=name, imports=other):
                        self.assertIn(other.split(".")[2], {parts[2], *SHARED_FIGURES})

    @unittest.skipIf(sys.version_info < (3, 10), "Python does not list its own modules")
    def test_what_installs_needs_no_package(self):
        fresh = ("collab.__main__", "collab.cli.main", "collab.cli.arguments")
        for name in self.imports:
            if name in fresh or name.startswith(("collab.setup", "collab.cli.project")):
                for module in self.outer_imports(name):
                    with self.subTest(module=name, imports=module):
                        self.assertIn(module, sys.stdlib_module_names)

    @staticmethod
    def outer_imports(name):
        """What a module imports of other packages than this one."""
        path = PACKAGE.parent.joinpath(*name.split("."))
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield node.module.split(".")[0]

    def test_no_folder_is_too_full(self):
        for folder in (PACKAGE, *(path for path in PACKAGE.rglob("*") if path.is_dir())):
            files = [path for path in folder.iterdir() if path.is_file()]
            with self.subTest(folder=folder.name):
                self.assertLessEqual(len(files), MOST_FILES)

    @staticmethod
    def folder_of(name):
        """The folder in the package; empty for the package itself and its entry point."""
        parts = name.split(".")
        return parts[1] if len(parts) > 1 and parts[1] in BELOW else ""
