# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What an archive of runs says of itself: a Research Object Crate (RO-Crate 1.1), commands and checksums.

All of it follows from the runs, so that the same runs give the same archive. What the machine is goes into a file
beside the archive.
"""

import hashlib
import json
import platform
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Mapping

METADATA, COMMANDS, CHECKSUMS = "ro-crate-metadata.json", "commands.txt", "SHA256SUMS"
FILES = (METADATA, COMMANDS, CHECKSUMS)  # beside the folders of runs
_ENVIRONMENT = ".environment.json"  # in the place of an archive's suffix
_LICENSE = "https://spdx.org/licenses/GPL-2.0-only"
_AUTHORS = {"@id": "#authors", "@type": "Organization", "name": "ns-3 collab authors"}
_TYPES = {".json": "application/json", ".csv": "text/csv", ".gz": "application/gzip", ".txt": "text/plain"}
_UNKNOWN = "unknown"


def describe(names: List[str], files: Mapping[str, bytes]) -> Dict[str, bytes]:
    """What is to be beside the files of runs of some sweeps, by name.

    files: by their paths DIGEST/point.json and DIGEST/run/...
    """
    marks = {path.partition("/")[0]: json.loads(data) for path, data in files.items()
             if path.endswith("/point.json") and path.count("/") == 1}  # fmt: skip
    commands = {digest: _command(mark, files[f"{digest}/run/run.json"]) for digest, mark in marks.items()}
    made = {COMMANDS: "".join(f"{command}\n" for command in commands.values()).encode()}
    sums = {path: _digest(data) for path, data in {**files, **made}.items()}
    graph = [*_dataset(names, {**files, **made}, sums, marks), *_software(marks)]
    graph += [_action(digest, marks[digest], command) for digest, command in commands.items()]
    crate = {"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph}
    made[METADATA] = f"{json.dumps(crate, indent=1)}\n".encode()
    sums[METADATA] = _digest(made[METADATA])
    made[CHECKSUMS] = "".join(f"{digest}  {path}\n" for path, digest in sorted(sums.items())).encode()
    return made


def _command(mark: dict, said: bytes) -> str:
    """The command that repeats a run, of which run.json is given."""
    scenario = json.loads(said).get("scenario", _UNKNOWN)
    given = {**mark.get("arguments", {}), "RngSeed": mark.get("seed", 1), "RngRun": mark.get("run", 1)}
    return shlex.join(["./collab", "run", scenario, *(f"--{name}={value}" for name, value in given.items())])


def _dataset(names: List[str], files: Mapping[str, bytes], sums: Mapping[str, str], marks: dict) -> List[dict]:
    """The crate itself, and each of its files."""
    finished = max((mark.get("finished", "") for mark in marks.values()), default="")
    parts = [{"@id": path, "@type": "File", "contentSize": str(len(data)), "sha256": sums[path],
              "encodingFormat": _TYPES.get(Path(path).suffix, "application/octet-stream")}
             for path, data in sorted(files.items())]  # fmt: skip
    root = {
        "@id": "./", "@type": "Dataset", "name": f"Runs of {', '.join(names)}", "datePublished": finished[:10],
        "description": f"{len(marks)} simulation runs of ns-3 collab: a folder per run, with its tables in run/ and"
        " what made it in point.json",
        "license": {"@id": _LICENSE}, "author": {"@id": _AUTHORS["@id"]},
        "hasPart": [{"@id": part["@id"]} for part in parts],
        "mentions": [{"@id": f"#run-{digest}"} for digest in marks],
    }  # fmt: skip
    license_ = {"@id": _LICENSE, "@type": "CreativeWork", "name": "GNU General Public License v2.0 only"}
    about = {"@id": METADATA, "@type": "CreativeWork", "about": {"@id": "./"},
             "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"}}  # fmt: skip
    return [about, root, _AUTHORS, license_, *parts]


def _software(marks: dict) -> List[dict]:
    """The programs that made runs, one per version, and what they were built with."""
    found = {_software_id(mark): mark.get("versions", {}) for mark in marks.values()}
    return [{"@id": name, "@type": "SoftwareApplication", "name": "ns-3 collab", "license": {"@id": _LICENSE},
             "author": {"@id": _AUTHORS["@id"]}, "softwareVersion": versions.get("collab", _UNKNOWN),
             "identifier": f"commit {versions.get('commit', _UNKNOWN)}",
             "softwareRequirements": ", ".join(f"{library} {versions.get(key, _UNKNOWN)}" for key, library
                                               in (("ns3", "ns-3"), ("torch", "LibTorch")))}
            for name, versions in sorted(found.items())]  # fmt: skip


def _software_id(mark: dict) -> str:
    versions = mark.get("versions", {})
    return f"#program-{versions.get('program') or versions.get('sources') or _UNKNOWN}"


def _action(digest: str, mark: dict, command: str) -> dict:
    """A run as what was done."""
    action = {"@id": f"#run-{digest}", "@type": "CreateAction", "name": f"Run {digest}", "description": command,
              "instrument": {"@id": _software_id(mark)}, "result": {"@id": f"{digest}/run/run.json"}}  # fmt: skip
    return {**action, **({"endTime": mark["finished"]} if "finished" in mark else {})}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def write_environment(archive: Path, suffix: str, versions: List[dict]) -> Path:
    """Writes what the machine that packs is, and the versions that made the runs, beside an archive."""
    file = archive.with_name(archive.name[: -len(suffix)] + _ENVIRONMENT)
    known = {
        "archive": {"name": archive.name, "sha256": _digest(archive.read_bytes())},
        "made_by": versions,
        "packed_on": {"system": _system(), "kernel": platform.release(), "processor": platform.machine(),
                      "compiler": _compiler(), "python": platform.python_version()},
    }  # fmt: skip
    file.write_text(f"{json.dumps(known, indent=1)}\n", encoding="utf-8")
    return file


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (AttributeError, OSError, KeyError):  # Python 3.9, or no Linux
        return sys.platform


def _compiler() -> str:
    """The first line that the usual compiler says of itself."""
    try:
        told = subprocess.run(["c++", "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return _UNKNOWN
    return (told.splitlines() or [_UNKNOWN])[0]
