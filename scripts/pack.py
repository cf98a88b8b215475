#!/usr/bin/env python3
"""Packs programs and documents into the archive that players download: dist/NAME.tar.gz or dist/NAME.zip.

    scripts/pack.py [--zip] NAME PROGRAM…

With the programs go the licences, the pages beside README and the folder docs, and what the first program that runs here writes
about itself: completions of shells and, for systems with manual pages, those. A link of the pages that leads nowhere in the
archive is an error. scripts/test-archive.sh tries the archive.

Exit code: 0, 1 for a dead link, 2 for bad arguments and files that cannot be read or written.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from links import ROOT, faults  # noqa: E402

# The shells of each kind of system, with the names that they expect of their files.
UNIX_SHELLS = {"bash": "chuhe.bash", "zsh": "_chuhe", "fish": "chuhe.fish"}
WINDOWS_SHELLS = {"powershell": "chuhe.ps1"}


def of_nobody(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """A file of an archive without its owner on this computer."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def fill(folder: Path, programs: list[Path]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in [*programs, *sorted(ROOT.glob("LICENSE-*")), *sorted(ROOT.glob("*.md"))]:
        shutil.copy(path, folder)
    shutil.copytree(ROOT / "docs", folder / "docs")


def describe(folder: Path, programs: list[Path], is_zip: bool) -> None:
    """Adds what a program writes about itself, if one of them runs on this system."""
    for program in programs:
        try:
            subprocess.run([program.resolve(), "--version"], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        (folder / "completions").mkdir()
        for shell, name in (WINDOWS_SHELLS if is_zip else UNIX_SHELLS).items():
            with (folder / "completions" / name).open("wb") as out:
                subprocess.run([program.resolve(), "completions", shell], check=True, stdout=out)
        if not is_zip:
            pages = folder / "man" / "man1"
            pages.mkdir(parents=True)
            subprocess.run([program.resolve(), "man", "--output", pages], check=True, stdout=subprocess.DEVNULL)
        return
    print("pack.py: none of the programs runs here: the archive has no completions and manual pages", file=sys.stderr)


def pack(folder: Path, is_zip: bool) -> Path:
    archive = folder.with_name(folder.name + (".zip" if is_zip else ".tar.gz"))
    if is_zip:
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
            for path in sorted(folder.rglob("*")):
                out.write(path, path.relative_to(folder.parent))
    else:
        with tarfile.open(archive, "w:gz") as out:
            out.add(folder, folder.name, filter=of_nobody)
    return archive


def main() -> int:
    head, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="pack.py", description=head, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--zip", action="store_true", help="a .zip, as Windows knows it, in place of a .tar.gz")
    parser.add_argument("name", metavar="NAME", help="of the archive and of the folder in it")
    parser.add_argument("programs", nargs="+", type=Path, metavar="PROGRAM", help="what the archive is for")
    arguments = parser.parse_args()
    folder = ROOT / "dist" / arguments.name
    try:
        fill(folder, arguments.programs)
        describe(folder, arguments.programs, arguments.zip)
        found = faults(folder)
        archive = None if found else pack(folder, arguments.zip)
        shutil.rmtree(folder)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"pack.py: {error}", file=sys.stderr)
        return 2
    if archive is None:
        print("\n".join(f"pack.py: {fault}" for fault in found), file=sys.stderr)
        return 1
    print(archive.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
