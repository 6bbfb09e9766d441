# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The list of all that the project needs, by the names of Debian's packages."""

import re
from dataclasses import dataclass
from typing import Callable, Iterable, Tuple

from . import blas, probes
from .probes import probe

ANY = "any"
OPTIONAL = "optional"


@dataclass(frozen=True)
class Requirement:
    """Something that the project needs."""

    package: str  # of Debian
    why: str
    minimum: str  # lowest version, ANY or OPTIONAL
    find: Callable[[], str]  # the version found; empty if there is none
    needs: Tuple[str, ...] = ()  # what needs it: commands, or a folder of tests; all if empty

    def is_for(self, wanted: Iterable[str]) -> bool:
        """Whether one of these commands needs it."""
        return not self.needs or not set(self.needs).isdisjoint(wanted)


_COMPILING = [
    Requirement("g++", "compiles the module", "10", probes.compiler),
    Requirement("cmake", "configures the build", "3.25", probe(probes.program, "cmake")),
    Requirement("ninja-build", "runs the build", "1.10", probe(probes.program, "ninja")),
    Requirement("ccache", "compiles again only what changed", OPTIONAL,
                probe(probes.program, "ccache")),
    Requirement("libns3-dev", "ns-3: headers and libraries", "3.37", probe(probes.config, "ns3")),
    Requirement("ns3", "ns-3: programs that libns3-dev asks for", ANY, probes.ns3_programs),
    Requirement("libtorch-dev", "LibTorch: models and training", "1.13",
                probe(probes.config, "Torch")),
    Requirement("libboost-dev", "Boost: headers", "1.74", probes.boost),
    Requirement("libboost-iostreams-dev", "Boost: reading of gzip files", "1.74",
                probe(probes.config, "boost_iostreams")),
    Requirement("libfmt-dev", "fmt: formatting of text", "8", probe(probes.config, "fmt")),
    Requirement("nlohmann-json3-dev", "JSON for Modern C++: run.json, tensors", "3.9",
                probe(probes.config, "nlohmann_json")),
    Requirement("libeigen3-dev", "Eigen: beliefs, eigenvalues", "3.3",
                probe(probes.config, "Eigen3")),
    Requirement("nettle-dev", "Nettle: SHA-256 and HMAC", "3", probes.nettle),
    Requirement("libsqlite3-dev", "SQLite: runs recorded as one file", OPTIONAL,
                probe(probes.header, "sqlite3.h", "SQLITE_VERSION")),
    Requirement("libmimalloc-dev", "mimalloc: memory of runs with many devices", OPTIONAL,
                probe(probes.config, "mimalloc")),
    Requirement("libgtest-dev", "GoogleTest: the tests", "1.11", probe(probes.config, "GTest")),
    Requirement("libgmock-dev", "GoogleMock: the tests", ANY, probes.gmock),
    Requirement("libbenchmark-dev", "Google Benchmark: ./collab bench", OPTIONAL,
                probe(probes.config, "benchmark")),
    Requirement("libopenblas0-pthread", "OpenBLAS: fast matrix products", ANY,
                blas.openblas_version),
    Requirement("dataset-fashion-mnist", "the data of demo and tests", ANY, probes.fashion_mnist),
]  # fmt: skip

_ANALYSIS = [
    Requirement("python3-numpy", "analysis: arrays", "1.19", probe(probes.python_package, "numpy")),
    Requirement("python3-pandas", "analysis: tables", "1.3",
                probe(probes.python_package, "pandas")),
    Requirement("python3-matplotlib", "analysis: figures", "3.5",
                probe(probes.python_package, "matplotlib")),
    Requirement("python3-h5py", "data convert: HDF5 files", OPTIONAL,
                probe(probes.python_module, "h5py"), ("test",)),
    Requirement("python3-scipy", "data convert: MATLAB files, such as SVHN", OPTIONAL,
                probe(probes.python_package, "scipy"), ("test",)),
    Requirement("python3-pil", "data convert: images, JPEG and PNG", OPTIONAL,
                probe(probes.python_package, "Pillow")),
    Requirement("python3-sklearn", "analysis: t-SNE of embeddings; an example", OPTIONAL,
                probe(probes.python_package, "scikit-learn"), ("test", "reproduce")),
    Requirement("python3-yaml", "sweeps: reading of their files", "5",
                probe(probes.python_package, "PyYAML"),
                ("sweep", "reproduce", "results", "docs", "tests/sweeps")),
    Requirement("snakemake", "sweeps: runs the points", "7", probe(probes.program, "snakemake"),
                ("sweep", "reproduce", "test --all")),
    Requirement("libjs-chart.js", "reports: Chart.js", "3", probes.chart_library, ("report",)),
    Requirement("python3-sphinx", "documentation: HTML pages", OPTIONAL,
                probe(probes.python_package, "Sphinx"), ("test", "docs")),
    Requirement("furo", "documentation: the look of its pages", OPTIONAL,
                probe(probes.python_module, "furo"), ("test", "docs")),
    Requirement("python3-sphinx-copybutton", "documentation: buttons that copy code", OPTIONAL,
                probe(probes.python_module, "sphinx_copybutton"), ("test", "docs")),
    Requirement("codespell", "documentation: the test of its spelling", OPTIONAL,
                probe(probes.program, "codespell"), ("test",)),
    Requirement("doxygen", "documentation: pages of the C++ interface", OPTIONAL,
                probe(probes.program, "doxygen"), ("docs",)),
    Requirement("libjs-mathjax", "documentation: formulas offline", OPTIONAL, probes.mathjax,
                ("docs",)),
]  # fmt: skip

_PROTOCOLS = [
    Requirement("pybind11-dev", "protocols in Python: calls between C++ and Python", OPTIONAL,
                probe(probes.config, "pybind11"), ("build", "test")),
    Requirement("python3-dev", "protocols in Python: headers", OPTIONAL, probes.python_headers,
                ("build", "test")),
    Requirement("python3-torch", "protocols in Python: models of PyTorch", OPTIONAL,
                probe(probes.python_package, "torch"), ("test",)),
]  # fmt: skip

_RANKS = [
    Requirement("libboost-mpi-dev", "Boost.MPI: one run on several machines", OPTIONAL,
                probe(probes.config, "boost_mpi"), ("build", "test")),
    Requirement("openmpi-bin", "Open MPI: starts such a run", OPTIONAL,
                probe(probes.program, "mpirun"), ("build", "test")),
]  # fmt: skip

_NOTEBOOKS = [
    Requirement("python3-tqdm", "Python: bars of progress", OPTIONAL,
                probe(probes.python_package, "tqdm"), ("test --all",)),
    Requirement("python3-xarray", "Python: sweeps as arrays with names", OPTIONAL,
                probe(probes.python_package, "xarray"), ("test",)),
    Requirement("jupyter-nbconvert", "Python: the test of the notebooks", OPTIONAL,
                probe(probes.program, "jupyter-nbconvert"), ("test --all",)),
    Requirement("python3-ipykernel", "Python: the test of the notebooks", OPTIONAL,
                probe(probes.python_package, "ipykernel"), ("test --all",)),
]  # fmt: skip

_TESTS = [
    Requirement("slurm-wlm", "Slurm: the test of sweeps on clusters", ANY, probes.slurm,
                ("tests/slurm",)),
    Requirement("chromium", "reports: the test in a browser", ANY,
                probe(probes.program, "chromium"), ("tests/analysis",)),
    Requirement("chromium-driver", "reports: the test in a browser", ANY,
                probe(probes.program, "chromedriver"), ("tests/analysis",)),
    Requirement("python3-selenium", "reports: the test in a browser", "4",
                probe(probes.python_package, "selenium"), ("tests/analysis",)),
]  # fmt: skip

REQUIREMENTS = [*_COMPILING, *_ANALYSIS, *_PROTOCOLS, *_RANKS, *_NOTEBOOKS, *_TESTS]


def at_least(version: str, minimum: str) -> bool:
    """Whether a version is at least another one."""
    return minimum in (ANY, OPTIONAL) or _key(version) >= _key(minimum)


def _key(version: str) -> list:
    return [int(number) for number in re.findall(r"\d+", version)]
