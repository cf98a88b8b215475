#!/usr/bin/env python3
"""Packs programs and documents into the archive that players download: dist/NAME.tar.gz or dist/NAME.zip.

    scripts/pack.py [--zip] NAME PROGRAM…

With the programs go the licences, the changelog, README, the pages of docs, and every picture and example that they
link to. Links to anything else of the project (its sources) become plain words, so that none leads nowhere. A link to
what is not there at all is an error. scripts/test-archive.sh tries the archive.

Exit code: 0, 1 for a dead link, 2 for bad arguments and files that cannot be read or written.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from links import LINK, ROOT, dead, destination, is_local, targets  # noqa: E402

ALWAYS = ("README*.md", "LICENSE-*", "CHANGELOG.md", "docs/*.md")


class DeadLink(Exception):
    """A page links to what is not there."""


def is_document(path: Path) -> bool:
    """Whether a file is for readers of the documents rather than of the sources."""
    place = path.relative_to(ROOT)
    return path.is_file() and (len(place.parts) == 1 and path.suffix == ".md" or place.parts[0] == "docs")


def documents() -> list[Path]:
    """The documents of the archive."""
    found = {path: None for pattern in ALWAYS for path in sorted(ROOT.glob(pattern))}
    waiting = [path for path in found if path.suffix == ".md"]
    while waiting:
        page = waiting.pop()
        if faults := [f"{page.relative_to(ROOT)}: {target} {why}" for target, why in dead(page, ROOT)]:
            raise DeadLink("\n".join(faults))
        for target in targets(page.read_text(encoding="utf-8")):
            goal = destination(page, target)
            if goal not in found and is_document(goal):
                found[goal] = None
                if goal.suffix == ".md":
                    waiting.append(goal)
    return list(found)


def without_links_to_sources(page: Path) -> str:
    def unlinked(link: re.Match[str]) -> str:
        target = link["target"]
        return link[0] if not is_local(target) or is_document(destination(page, target)) else link["text"]

    return LINK.sub(unlinked, page.read_text(encoding="utf-8"))


def fill(folder: Path, programs: list[Path]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for program in programs:
        shutil.copy(program, folder)
    for path in documents():
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            copy.write_text(without_links_to_sources(path), encoding="utf-8", newline="\n")
        else:
            shutil.copyfile(path, copy)


def of_nobody(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """A file of an archive without its owner on this computer."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


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
    archive = folder.with_name(folder.name + (".zip" if arguments.zip else ".tar.gz"))
    try:
        fill(folder, arguments.programs)
        if arguments.zip:
            with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
                for path in sorted(folder.rglob("*")):
                    out.write(path, path.relative_to(folder.parent))
        else:
            with tarfile.open(archive, "w:gz") as out:
                out.add(folder, folder.name, filter=of_nobody)
        shutil.rmtree(folder)
    except DeadLink as error:
        print(f"pack.py: dead links\n{error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"pack.py: {error}", file=sys.stderr)
        return 2
    print(archive.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
