"""What ``MANIFEST.in`` says about one file: the commands of setuptools, in order."""

from __future__ import annotations

from collections.abc import Iterator

from pdmigrate.project.shipping.globs import matches


def matching_lines(text: str, path: str) -> Iterator[tuple[str, bool]]:
    """The lines that match ``path``, each with whether it includes the file; the last one decides."""
    for line in text.replace("\\\r\n", " ").replace("\\\n", " ").splitlines():
        words = line.split("#", 1)[0].split()
        if len(words) >= 2 and any(matches(glob, path) for glob in _globs(words[0], words[1:])):
            yield line.strip(), words[0] in ("include", "recursive-include", "global-include", "graft")


def _globs(command: str, words: list[str]) -> list[str]:
    folder, rest = words[0].strip("/"), words[1:]
    if command in ("include", "exclude"):
        return words
    if command in ("recursive-include", "recursive-exclude"):
        return [f"**/{glob}" if folder == "." else f"{folder}/**/{glob}" for glob in rest]
    if command in ("global-include", "global-exclude"):
        return [f"**/{glob}" for glob in words]
    if command in ("graft", "prune"):
        return ["**" if folder == "." else f"{folder}/**"]
    return []
