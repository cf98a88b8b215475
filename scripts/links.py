#!/usr/bin/env python3
"""Checks the links of the pages in an unpacked archive: every file they lead to must be there, and every heading.

    scripts/links.py FOLDER

Looked at are all *.md files of the folder and of those in it. Links to other hosts are not followed. Exit code: 0 when all
is there, 1 when not, 2 for a folder without such files.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Iterator
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
# What is code is no link.
_CODE = re.compile(r"^(```|~~~).*?^\1|(?<!`)(`+)(?!`).*?(?<!`)\2(?!`)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"""\]\(([^)\s]+)(?:\s+"[^"]*")?\)""")
_REFERENCE = re.compile(r"^\[[^\]]+\]:\s+(\S+)", re.MULTILINE)
_HTML = re.compile(r"""<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="([^"\s]+)""")
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)


def targets(text: str) -> Iterator[str]:
    """What a page links to on the same computer, as it is written."""
    text = _CODE.sub("", text)
    for pattern in (_LINK, _REFERENCE, _HTML):
        for target in pattern.findall(text):
            if not re.match(r"[a-z][a-z0-9+.-]*:|//", target, re.IGNORECASE):
                yield target


def destination(page: Path, target: str) -> Path:
    """The file that a link of a page leads to."""
    path = unquote(target.partition("#")[0])
    return (page.parent / path).resolve() if path else page.resolve()


def anchors(page: Path) -> set[str]:
    """The names of a page's headings, as GitHub makes them."""
    text = re.sub(r"^(```|~~~).*?^\1", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    found: set[str] = set()
    for heading in _HEADING.findall(text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "").lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        repeated, number = name, 0
        while repeated in found:
            number += 1
            repeated = f"{name}-{number}"
        found.add(repeated)
    return found


def dead(page: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """The links of a page that lead nowhere within the folder, and why."""
    for target in targets(page.read_text(encoding="utf-8")):
        goal = destination(page, target)
        fragment = unquote(target.partition("#")[2])
        if not goal.exists():
            yield target, "is not there"
        elif not goal.is_relative_to(folder.resolve()):
            yield target, "leads out of the folder"
        elif fragment and goal.suffix == ".md" and fragment not in anchors(goal):
            yield target, "names no heading"


def faults(folder: Path) -> list[str]:
    """The dead links of all pages in a folder, a line each."""
    pages = sorted(folder.rglob("*.md"))
    return [f"{page.relative_to(folder)}: {target} {why}" for page in pages for target, why in dead(page, folder)]


def main() -> int:
    head, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="links.py", description=head, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the pages are")
    folder = parser.parse_args().folder
    number = len(list(folder.rglob("*.md")))
    if number == 0:
        print(f"links.py: {folder}: no *.md files", file=sys.stderr)
        return 2
    found = faults(folder)
    print("\n".join([*found, f"{number} pages: {len(found)} dead links"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
