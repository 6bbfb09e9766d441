#!/usr/bin/env python3
# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tries the committed project on another system, and writes README's table of those tried.

    tests/compat/try_system.py here             # in a clone on the present system
    tests/compat/try_system.py debian-13        # in a folder that debootstrap makes; as root
    tests/compat/try_system.py here --torch=F   # there with the LibTorch in folder F
    tests/compat/try_system.py tree:FOLDER      # as contrib/collab of a source tree of ns-3, here
    tests/compat/try_system.py copy:FOLDER      # the same with a copy instead of a link
    tests/compat/try_system.py --table          # only README's table, from seen.json

On a distribution it runs ./collab doctor, test and demo; in a source tree the TestSuites, the
examples that test.py knows, and a scenario, or an example where a copy has none. What they print
goes to FOLDER/NAME.log.
"""

import argparse
import contextlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SEEN = Path(__file__).with_name("seen.json")
DEBIAN = "http://deb.debian.org/debian"
UBUNTU = "http://archive.ubuntu.com/ubuntu"
SYSTEMS = {
    "debian-12": ("Debian 12", "bookworm", DEBIAN),
    "debian-13": ("Debian 13", "trixie", DEBIAN),
    "debian-testing": ("Debian testing", "forky", DEBIAN),
    "ubuntu-24.04": ("Ubuntu 24.04", "noble", UBUNTU),
    "ubuntu-26.04": ("Ubuntu 26.04", "resolute", UBUNTU),
}
SCRIPTS = {DEBIAN: "sid", UBUNTU: "gutsy"}  # debootstrap's own, also for suites newer than it
COMPONENTS = {DEBIAN: "main", UBUNTU: "main,universe"}
BEGIN, END = "<!-- systems: written by tests/compat/try_system.py -->\n", "<!-- end -->\n"
MARK = ".copied-by-try-system"  # in a copy, which may be removed again
# A test that has failed, as CTest and ns-3's test.py say it
FAILED_TESTS = (r"^\s*\d+ - (\S+) \((?!Disabled|Skipped)\w[\w ]*\)",
                r"^(?:\[\d+/\d+\] )?(?:FAIL|CRASH|VALGR): (?:TestSuite|Example) (.+?)\s*$")
COLUMNS = ("system", "ns-3", "LibTorch", "compiler", "seen to work", "commit")


class Failure(Exception):
    """What is told in one line."""


class Log:
    """Runs commands, of which all that they print is kept in a file."""

    def __init__(self, file, prefix=(), folder=None):
        self.file, self.prefix, self.folder = file, list(prefix), folder
        file.write_text("")

    def call(self, *command, must=True):
        """The text that a command prints, on both streams; a Failure if it must not fail and does."""
        words = [*self.prefix, *map(str, command)]
        print("$", *command, flush=True)
        with self.file.open("r+") as log:
            log.seek(0, os.SEEK_END)
            print("$", *words, file=log, flush=True)
            begin = log.tell()
            code = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=log, cwd=self.folder,
                                  stderr=subprocess.STDOUT, check=False).returncode  # fmt: skip
            log.seek(begin)
            text = log.read()
        if code and must:
            raise Failure(f"{' '.join(words)} ended with {code}; see {self.file}")
        return text


@contextlib.contextmanager
def mounted(system):
    """Gives a folder with a system /proc, /sys and /dev for a while, pseudo-terminals too."""
    places = [system / name for name in ("proc", "sys", "dev", "dev/pts")]
    for place in places:
        subprocess.run(["mount", "--bind", f"/{place.relative_to(system)}", place], check=True)
    try:
        yield
    finally:
        for place in reversed(places):
            subprocess.run(["umount", place], check=False)


def make_system(folder, suite, mirror):
    """Makes a folder with a distribution, if it is not there."""
    if (folder / "etc/os-release").is_file():
        return
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        raise Failure("a distribution needs root and the Debian package debootstrap")
    subprocess.run(["debootstrap", "--variant=minbase", f"--components={COMPONENTS[mirror]}", suite,
                    folder, mirror, SCRIPTS[mirror]], check=True)  # fmt: skip


def clone(target):
    """Brings the present commit to a folder; what was built there stays."""
    if not (target / ".git").is_dir():
        subprocess.run(["git", "clone", "--quiet", PROJECT, target], check=True)
    git = ["git", "-C", target]
    subprocess.run([*git, "fetch", "--quiet", PROJECT, "HEAD"], check=True)
    subprocess.run([*git, "reset", "--quiet", "--hard", "FETCH_HEAD"], check=True)


def tests_passed(text):
    """How many of how many, by the lines of CTest and of ns-3's test.py that say so."""
    by_ctest = re.findall(r"(\d+) tests failed out of (\d+)", text)
    by_ns3 = re.findall(r"(\d+) of (\d+) tests passed", text)
    counts = [(int(total) - int(failed), int(total)) for failed, total in by_ctest]
    counts += [(int(passed), int(total)) for passed, total in by_ns3]
    if not counts:
        raise Failure("no test was run")
    return "{} of {} tests".format(*map(sum, zip(*counts)))


def outcome(text, rest):
    """What a row says of tests: how many passed, which ones failed, and what was done besides."""
    found = (name for pattern in FAILED_TESTS for name in re.findall(pattern, text, re.MULTILINE))
    failed = sorted(set(found))
    if not failed:
        return f"{tests_passed(text)}, {rest}"
    return f"{tests_passed(text)}: {', '.join(failed)} failed; {rest}"


def compiler(log):
    """Its name and version."""
    return "g++ " + log.call("c++", "-dumpfullversion").strip()


def standard(commands):
    """The C++ standard of a compilation database."""
    options = set(re.findall(r"-std=(?:c|gnu)\+\+(\w+)", commands.read_text()))
    return "/".join(f"C++{option.replace('2b', '23').replace('2a', '20')}" for option in options)


def torch_version(cache):
    """That of the LibTorch which a CMake cache names."""
    folder = re.search(r"^Torch_DIR:PATH=(.*)$", cache.read_text(), re.MULTILINE)[1]
    text = (Path(folder) / "TorchConfigVersion.cmake").read_text()
    return re.search(r'PACKAGE_VERSION "([\d.]+)', text)[1]


def try_distribution(name, folder):
    """Tries one; returns its row."""
    title, suite, mirror = SYSTEMS[name]
    system = folder / name
    make_system(system, suite, mirror)
    shutil.copy("/etc/resolv.conf", system / "etc/resolv.conf")
    clone(system / "collab")
    inside = ["chroot", str(system), "env", "-C", "/collab", "LC_ALL=C.UTF-8", "HOME=/root", "CI=true"]
    with mounted(system):
        return [title, *try_clone(Log(folder / f"{name}.log", inside), system / "collab")]


def try_here(folder, torch=None):
    """Tries a clone on the present system, maybe with the LibTorch of a folder; returns its row."""
    name = "here-torch" if torch else "here"  # each with a CMake cache of its own
    clone(folder / name)
    variables = ["CI=true", *([f"CMAKE_PREFIX_PATH={torch}"] if torch else [])]
    log = Log(folder / f"{name}.log", ["env", *variables], folder / name)
    return [this_system(), *try_clone(log, folder / name)]


def try_clone(log, project):
    """What all systems are tried by; returns the rest of a row."""
    log.call("./collab", "doctor", must=False)
    tests = log.call("./collab", "test", must=False)
    log.call("./collab", "demo")
    run = max(project.glob("runs/demo*/dynamic/run.json"), key=os.path.getmtime)
    versions = json.loads(run.read_text())["versions"]
    made = f"{compiler(log)}, {standard(project / 'build/compile_commands.json')}"
    return [f"{versions['ns3']} (package)", versions["torch"], made, outcome(tests, "demo")]


def this_system():
    """Name and version of the distribution that this runs on."""
    release = platform.freedesktop_os_release()
    return f"{release['ID'].capitalize()} {release.get('VERSION_ID', '')}".strip()


def place_module(source, module, is_copied):
    """Puts the module into a source tree of ns-3, as a link or a copy, in the place of an older one."""
    if module.is_dir() and not module.is_symlink():
        if not (module / MARK).exists():
            raise Failure(f"{module} is no link and none of our copies; move it away")
        shutil.rmtree(module)
    module.unlink(missing_ok=True)
    if is_copied:
        shutil.copytree(source, module)
        (module / MARK).touch()
    else:
        module.symlink_to(source)


def try_tree(tree, folder, is_copied=False):
    """Tries a source tree of ns-3, with a link to the module or a copy of it; returns its row."""
    if not (tree / "ns3").is_file():
        raise Failure(f"{tree} is no source tree of ns-3")
    clone(folder / "module")
    place_module(folder / "module/contrib-module", tree / "contrib/collab", is_copied)
    version = (tree / "VERSION").read_text().strip()
    log = Log(folder / f"ns-{version}.log", folder=tree)
    log.call("./ns3", "configure", "--enable-tests", "--enable-examples", "--enable-modules=collab",
             "--filter-module-examples-and-tests=collab")
    log.call("./ns3", "build", "-j", str(os.cpu_count()))
    which = ["constrain=example", "suite=collab-radio", "suite=collab-prediction-consensus"]
    calls = (log.call("./test.py", "--no-build", f"--{one}", must=False) for one in which)
    tests = "".join(calls)
    program = "prediction-consensus-minimal" if is_copied else "collab-prediction-consensus"
    log.call("./ns3", "run", "--no-build", f"{program} --rounds=8")
    made = f"{compiler(log)}, {standard(tree / 'cmake-cache/compile_commands.json')}"
    kind, rest = ("source tree, copied", "an example") if is_copied else ("source tree", "a scenario")
    torch = torch_version(tree / "cmake-cache/CMakeCache.txt")
    return [this_system(), f"{version} ({kind})", torch, made, outcome(tests, rest)]


def try_one(name, folder, torch=None):
    """Tries what is named on the command line; returns the name of its row, and the row."""
    if name in SYSTEMS:
        return name, try_distribution(name, folder)
    if name == "here":
        row = try_here(folder, torch)
        system = row[0].lower().replace(" ", "-")
        return f"{system} LibTorch {row[2]}" if torch else system, row
    kind, _, tree = name.partition(":")
    row = try_tree(Path(tree).resolve(), folder, kind == "copy")
    return f"tree {row[1]}", row


def table(seen):
    """README's table of what was seen."""
    rows = [COLUMNS, ["---"] * len(COLUMNS), *(seen[name] for name in sorted(seen))]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def write_table(seen):
    """Puts it into README."""
    file = PROJECT / "README.md"
    before, _, rest = file.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    file.write_text(before + BEGIN + table(seen) + END + after)


def main():
    """Tries a system, or only writes the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    allowed = f"here, {', '.join(SYSTEMS)}, tree:FOLDER or copy:FOLDER"
    parser.add_argument("system", nargs="?", help=allowed)
    parser.add_argument("--folder", type=Path, default=PROJECT / "build/compat",
                        help="where systems and logs are (default: %(default)s)")  # fmt: skip
    parser.add_argument("--torch", type=Path, metavar="FOLDER",
                        help="LibTorch to be found by CMake, in the place of the system's; with here")  # fmt: skip
    parser.add_argument("--table", action="store_true", help="only write README's table")
    options = parser.parse_args()
    seen = json.loads(SEEN.read_text())
    if not options.table:
        name = options.system or ""
        if name not in ("here", *SYSTEMS) and not name.startswith(("tree:", "copy:")):
            parser.error(f"unknown system '{name}'; allowed: {allowed}")
        torch = options.torch.resolve() if options.torch else None
        if torch and name != "here":
            parser.error("--torch is for here")
        if torch and not any(torch.rglob("TorchConfig.cmake")):
            parser.error(f"--torch={options.torch} has no TorchConfig.cmake")
        options.folder.mkdir(parents=True, exist_ok=True)
        commit = subprocess.run(["git", "-C", PROJECT, "rev-parse", "--short=12", "HEAD"],
                                capture_output=True, text=True, check=True).stdout  # fmt: skip
        name, row = try_one(name, options.folder.resolve(), torch)
        seen[name] = [*row, commit.strip()]
        SEEN.write_text(json.dumps(seen, indent=2) + "\n")
    write_table(seen)
    print(table(seen), end="")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"try_system: {failure}")
