#!/usr/bin/env python3
"""Checks the links of Markdown files: every file they lead to must be there, and every heading.

    scripts/links.py [FOLDER]

Looked at are all *.md files of the folder (the project's own without one) but those in folders of build results. Links to
other hosts are not followed. Exit code: 0 when all is there, 1 when not, 2 for a folder without such files.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Iterator
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
BUILT = {"target", "dist", "node_modules", ".git"}

# What is code is no link.
_CODE = re.compile(r"^(```|~~~).*?^\1|(?<!`)(`+)(?!`).*?(?<!`)\2(?!`)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"""\[(?P<text>(?:!\[[^\]]*\]\([^)]*\)|[^\[\]])*)\]\((?P<target>[^)\s]+)(?:\s+"[^"]*")?\)""")
_PICTURE = re.compile(r"""!\[[^\]]*\]\(([^)\s]+)(?:\s+"[^"]*")?\)""")
_REFERENCE = re.compile(r"^\[[^\]]+\]:\s+(\S+)", re.MULTILINE)
_HTML = re.compile(r"""<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="([^"\s]+)""")
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)


def is_local(target: str) -> bool:
    return not re.match(r"[a-z][a-z0-9+.-]*:|//", target, re.IGNORECASE)


def targets(text: str) -> Iterator[str]:
    """What a page links to on the same computer, as it is written."""
    text = _CODE.sub("", text)
    for pattern in (LINK, _PICTURE, _REFERENCE, _HTML):
        for found in pattern.finditer(text):
            target = found["target"] if pattern is LINK else found[1]
            if is_local(target):
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


def pages(folder: Path) -> list[Path]:
    return sorted(page for page in folder.rglob("*.md") if not BUILT & set(page.relative_to(folder).parts))


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


def main() -> int:
    head, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="links.py", description=head, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT, metavar="FOLDER", help="where the files are")
    folder = parser.parse_args().folder
    found = pages(folder)
    if not found:
        print(f"links.py: {folder}: no *.md files", file=sys.stderr)
        return 2
    faults = [f"{page.relative_to(folder)}: {target} {why}" for page in found for target, why in dead(page, folder)]
    print("\n".join([*faults, f"{len(found)} files: {len(faults)} dead links"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
