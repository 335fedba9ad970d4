"""Images: a Dockerfile that copies a server's file by its name copies none of the files that are added beside it."""

from __future__ import annotations

import json
import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pdmigrate.describe.homes import Home
from pdmigrate.findings import finding
from pdmigrate.model import Finding, Site
from pdmigrate.project.shipping.model import chain, example_file, parent, top_folder, under

_IGNORING = ".dockerignore"
_RECIPE = re.compile(r"(?:.*\.)?(?:dockerfile|containerfile)(?:\..*)?", re.IGNORECASE)
_COPY = re.compile(r"(?:COPY|ADD)\s+(.+)", re.IGNORECASE | re.DOTALL)


def of_images(name: str) -> bool:
    """Whether a file of this name says what is copied into an image."""
    return name == _IGNORING or _RECIPE.fullmatch(name) is not None


@dataclass(frozen=True)
class _Copy:
    """One instruction: ``sources`` are relative to the folder from which the image is built."""

    line: int
    options: tuple[str, ...]
    sources: tuple[str, ...]
    goal: str

    @cached_property
    def folder(self) -> str:
        """The folder in the image into which a file is copied."""
        if len(self.sources) > 1 or self.goal.endswith("/") or self.goal in (".", "..") or "." not in self.goal:
            return self.goal.rstrip("/") or "/"
        return posixpath.dirname(self.goal) or "."

    def holds(self, path: str) -> bool:
        return any(_matches(source, place) for source in self.sources for place in (path, *chain(path)))

    def names(self, path: str) -> bool:
        """Whether the instruction names this file, not only a folder that holds it."""
        return any(_matches(source, path) for source in self.sources) and not any(map(self.holds, chain(path)))


def images(files: Mapping[str, bytes], servers: Sequence[tuple[str, Home]]) -> Iterator[Finding]:
    """The findings (PD546) about images that get a server's file, each server with its home, without what is added."""
    for path in sorted(files):
        folder, name = posixpath.split(path)
        if name == _IGNORING:
            yield from (said for file, home in servers for said in _ignored(path, files[path], file, home))
        elif _RECIPE.fullmatch(name):
            copies = tuple(_copies(files[path].decode("utf-8", "replace")))
            # An image is built from the folder of its Dockerfile, or from the top.
            for context in dict.fromkeys((folder, "")):
                below = [(file, home) for file, home in servers if under(file, context)]
                yield from (said for file, home in below for said in _incomplete(path, copies, context, file, home))


def _incomplete(path: str, copies: Sequence[_Copy], context: str, file: str, home: Home) -> Iterator[Finding]:
    start = len(context) + 1 if context else 0
    copy = next((copy for copy in copies if copy.names(file[start:])), None)
    missing = [
        place[start:]
        for place, example in ((home.module, home.module), (top_folder(home), example_file(home)))
        if not any(each.holds(example[start:]) for each in copies)
    ]
    if copy is None or not missing:
        return
    lines = []
    for place in missing:
        goal = f"{copy.folder}/" if place.endswith(".py") else posixpath.join(copy.folder, posixpath.basename(place))
        lines.append(" ".join(("COPY", *copy.options, place, goal)))
    hint = f"add after line {copy.line} of {path}:\n" + "\n".join(f"    {line}" for line in lines)
    message = f"{file} is copied by its name, and {' and '.join(missing)} {'are' if missing[1:] else 'is'} not"
    yield finding("PD546", f"{message}: the server would not work in this image", hint=hint, site=Site(path, copy.line))


def _ignored(path: str, raw: bytes, file: str, home: Home) -> Iterator[Finding]:
    from pdmigrate.source.discover import spec

    context = parent(path)
    if not under(file, context):
        return
    start = len(context) + 1 if context else 0
    texts = [line.strip() for line in raw.decode("utf-8", "replace").splitlines()]
    rules = spec(rule for text in texts if text for rule in _rules(text))
    if rules.match_file(file[start:]):
        return
    for place, example in ((home.module, home.module), (top_folder(home), example_file(home))):
        if rules.match_file(example[start:]):
            message = f"{place} is kept out of the image, and {file} is not: the server would not work there"
            hint = f"add at the end of {path}:\n    !{place[start:]}"
            yield finding("PD546", message, hint=hint, site=Site(path, 1))


def _rules(text: str) -> tuple[str, ...]:
    """A line of ``.dockerignore`` in the words of ``.gitignore``: it begins at the top, and lets whole folders in."""
    if text[0] != "!":
        return (f"/{text.lstrip('/')}",)
    place = text[1:].strip("/ ")
    return f"!/{place}", f"!/{place}/**"


def _copies(text: str) -> Iterator[_Copy]:
    """The instructions of a Dockerfile that copy from where the image is built."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        first, logical = number, lines[number]
        while logical.rstrip().endswith("\\") and number + 1 < len(lines):
            number += 1
            if not lines[number].lstrip().startswith("#"):
                logical = f"{logical.rstrip()[:-1]} {lines[number]}"
        number += 1
        match = _COPY.fullmatch(logical.strip())
        words = _words(match[1].strip()) if match else []
        options = tuple(word for word in words if word.startswith("--"))
        places = [word for word in words if not word.startswith("--")]
        if len(places) > 1 and not any(option.startswith("--from") for option in options):
            yield _Copy(first + 1, options, tuple(map(_plain, places[:-1])), places[-1])


def _words(text: str) -> list[str]:
    begin = text.find("[")
    try:
        if begin >= 0 and text.endswith("]"):
            listed = json.loads(text[begin:])
            return [*text[:begin].split(), *(word for word in listed if isinstance(word, str))]
        return shlex.split(text)
    except ValueError:
        return []  # docker refuses it as well, or it is a text within the file that stands after ``<<``


def _plain(source: str) -> str:
    path = posixpath.normpath(source.lstrip("/") or ".")
    return "" if path == "." else path


def _matches(source: str, path: str) -> bool:
    if "*" not in source and "?" not in source and "[" not in source:
        return source == path
    from pdmigrate.source.discover import is_bounded

    parts, wanted = source.split("/"), path.split("/")
    if len(parts) != len(wanted) or not is_bounded(source):
        return False
    from fnmatch import fnmatchcase

    return all(map(fnmatchcase, wanted, parts))
