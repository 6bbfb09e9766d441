# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command data: the data sets that scenarios can use, how to get and to convert them."""

import shutil
from pathlib import Path
from typing import Sequence

from ...setup.data_sets import DataSet, data_folder, load_data_sets
from ...setup.messages import CommandError, say, usage_error
from ...setup.packages import apt_install
from ...setup.project import root
from ..arguments import OneLineParser
from . import convert, links

_GET = "get"
COMMANDS = {"convert": convert, "links": links}
_ALLOWED = "[NAME | get NAME | convert SOURCE ... | links INPUT OUTPUT ...]"
_ARCHIVES = {".zip": "unzip", ".tar.gz": "tar xzf"}


def parser() -> OneLineParser:
    """The parser of the command."""
    made = OneLineParser(
        prog="collab data",
        usage=f"collab data [-h] {_ALLOWED}",
        description="List the data sets, or say where to get one, which files are expected where"
        " and what is there of them (exit code 0: complete, 1: files are missing). With get,"
        " install the Debian package that has it, or else print what downloads it: this command"
        " downloads nothing. With convert, make of any data the file that scenarios read (collab"
        " data convert --help); with links, a trace of path gains (collab data links --help).",
        allowed=_ALLOWED,
    )
    made.add_argument("words", nargs="*", metavar="NAME", help="of a data set")
    return made


def main(arguments: Sequence[str]) -> int:
    """Lists, describes, gets, converts or makes links; returns the exit code."""
    if arguments and arguments[0] in COMMANDS:
        return COMMANDS[arguments[0]].main(arguments[1:])
    words = parser().parse_args(arguments).words
    project = root()
    sets, data = load_data_sets(project), data_folder(project)
    if not words:
        _list(sets.values(), data)
        return 0
    gets = words[0] == _GET
    words = words[1:] if gets else words
    if len(words) != 1:
        told = f"data was given '{words[1]}' too much" if words else "data get needs a name"
        raise usage_error(f"{told}; allowed: {_ALLOWED}")
    if words[0] not in sets:
        raise usage_error(f"unknown data set '{words[0]}'; allowed: {' '.join(sets)}")
    return (_get if gets else _describe)(sets[words[0]], data)


def _list(sets, data: Path) -> None:
    print(f"{'NAME':<20} {'STATE':<20} FOLDER")
    for one in sets:
        if one.is_generated:
            print(f"{one.name:<20} generated")
            continue
        missing = len(one.missing(data))
        state = f"{missing} file(s) missing" if missing else "complete"
        state = "not converted" if one.awaits_conversion(data) else state
        print(f"{one.name:<20} {state:<20} {one.place(data)}")
    print("\nHow to get one: ./collab data get NAME")
    print("Data of your own: ./collab data convert --help")


def _describe(one: DataSet, data: Path) -> int:
    """Prints all that is known of a set; 1 if files are missing."""
    if one.is_generated:
        say(f"{one.name} is generated, it needs no files")
        return 0
    place = one.place(data)
    print(f"data set  {one.name}\nfrom      {one.page}")
    if one.preparation:
        print(f"how       {one.preparation}")
    if one.package:
        print(f"how       or install the Debian package {one.package}")
    print(f"into      {place}")
    originals = one.found_originals(data) if one.missing(data) else {}
    for name, files in {**originals, **one.found(data)}.items():
        if not files:
            print(f"  missing  {name}")
        elif "*" in name:
            print(f"  here     {name}: {len(files)} file(s)")
        else:
            print(f"  here     {files[0].relative_to(place)}, {files[0].stat().st_size} bytes")
    if one.originals and one.missing(data):
        print(f"then      ./collab data convert {one.name}")
    return 1 if one.missing(data) else 0


def _get(one: DataSet, data: Path) -> int:
    """Installs the package that has a set, or prints what downloads it; 0 if it is complete."""
    if one.is_generated or not one.missing(data) or one.awaits_conversion(data):
        return _describe(one, data)
    if one.package:
        say(f"installing the package {one.package}")
        if not apt_install([one.package]):
            raise CommandError(f"{one.package} could not be installed by apt-get")
        return _describe(one, data)
    code = _describe(one, data)
    print("\nNothing was downloaded. Mind the licence of the data: most may not be passed on.")
    if one.downloads():
        print("These commands fetch what is published, and check it:\n")
        print("\n".join(f"  {line}" for line in _commands(one, one.place(data))))
    else:
        print(f"Get it from {one.page}; its checksum is not known here.")
    return code


def _commands(one: DataSet, place: Path) -> list:
    """What a user types to download the files of a set."""
    lines = [f"mkdir -p '{place}' && cd '{place}'"]
    for _, address in one.downloads():
        name = address.rpartition("/")[2]
        if shutil.which("wget") and not shutil.which("curl"):
            lines.append(f"wget -O {name} {address}")
        else:
            lines.append(f"curl --fail --location --output {name} {address}")
    sums = "\\n".join(f"{md5}  {address.rpartition('/')[2]}" for md5, address in one.downloads())
    lines.append(f"printf '{sums}\\n' | md5sum --check")
    for _, address in one.downloads():
        name = address.rpartition("/")[2]
        lines += [f"{tool} {name}" for end, tool in _ARCHIVES.items() if name.endswith(end)]
    if one.preparation:
        lines.append(f"# then: {one.preparation}")
    return lines
