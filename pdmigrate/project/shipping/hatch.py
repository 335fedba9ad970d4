"""hatchling: packages, or all files that its filters let through, and nothing that git ignores."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import PurePosixPath

from pdmigrate.describe.homes import Home
from pdmigrate.model import Finding, JsonValue, mapping
from pdmigrate.project.shipping.model import (
    Addition,
    Build,
    example_file,
    parent,
    pattern,
    project_name,
    siblings,
    strings,
    top_folder,
    under,
)

_BUILD = ("tool", "hatch", "build")


class Inclusion(Enum):
    """How a file gets into a target, or what keeps it out."""

    SELECTED = "selected"
    FORCED = "force-include"
    OUTSIDE = "outside of only-include or packages"
    EXCLUDED = "exclude"
    NOT_INCLUDED = "include"
    NOT_PACKAGE = "only-packages"

    @property
    def ships(self) -> bool:
        return self in (Inclusion.SELECTED, Inclusion.FORCED)


@dataclass(frozen=True)
class Target:
    """The settings of a target (``wheel``, ``sdist``); for keys that it does not set, those of the whole build."""

    build: Build
    name: str

    def place(self, key: str) -> tuple[str, ...]:
        """The path of the table that decides ``key``; the target's own table where neither sets the key."""
        own = (*_BUILD, "targets", self.name)
        return _BUILD if key not in self.build.table(*own) and key in self.build.table(*_BUILD) else own

    def get(self, key: str) -> JsonValue:
        return self.build.table(*self.place(key)).get(key)

    @cached_property
    def forced(self) -> Mapping[str, str]:
        found = mapping(self.get("force-include"))
        return {source.rstrip("/"): to for source, to in found.items() if isinstance(to, str)}

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """The only paths that are considered; empty for all."""
        given = strings(self.get("only-include")) or strings(self.get("packages"))
        return tuple(_normal(root) for root in given or self.found_by_name)

    @cached_property
    def found_by_name(self) -> tuple[str, ...]:
        """What a wheel consists of when nothing is selected: the package or module with the project's name."""
        if self.name != "wheel" or any(strings(self.get(key)) for key in ("include", "packages", "only-include")):
            return ()
        tree = self.build.tree
        for name in _module_names(project_name(self.build)):
            for folder in (name, f"src/{name}"):
                if tree.has(f"{folder}/__init__.py"):
                    return (folder,)
            if tree.has(f"{name}.py"):
                return (f"{name}.py",)
            spaces = [folder for folder in tree.folders_in("") if tree.has(f"{folder}/{name}/__init__.py")]
            if len(spaces) == 1:
                return (spaces[0],)
        return ("\0",)  # No path matches this: hatchling reports that nothing is selected.

    def way(self, path: str, *, in_package: bool) -> Inclusion:
        """How ``path`` gets in, or what keeps it out; ``in_package``: whether its folder is a Python package."""
        if any(under(path, source) for source in self.forced):
            return Inclusion.FORCED
        if path in self.roots:
            return Inclusion.SELECTED
        if self.roots and not any(under(path, root) for root in self.roots):
            return Inclusion.OUTSIDE
        if _match(strings(self.get("artifacts")), path):
            return Inclusion.SELECTED
        if self.get("only-packages") is True and not in_package:
            return Inclusion.NOT_PACKAGE
        if _match(strings(self.get("exclude")), path):
            return Inclusion.EXCLUDED
        include = strings(self.get("include"))
        return (
            Inclusion.NOT_INCLUDED if include and not self.roots and not _match(include, path) else Inclusion.SELECTED
        )


def rules(build: Build) -> Iterator[Addition | Finding]:
    """Additions to filters that select the server but not its files; findings for excludes of its files (PD521)."""
    wheel, sdist = Target(build, "wheel"), Target(build, "sdist")
    for home in build.homes:
        place = parent(home.module)
        package = build.tree.has(f"{place}/__init__.py" if place else "__init__.py")
        known = [(path, wheel.way(path, in_package=package)) for path in siblings(build, home)]
        # One file of several that is put elsewhere is the server: nothing but entry points is moved on its own.
        known.sort(key=lambda each: each[1] is not Inclusion.FORCED)
        server = next(((path, way) for path, way in known if way.ships), None)
        if server is None:
            continue
        yield from _completed(wheel, home, server, in_package=package)
        # A wheel is made from the sdist, so the files of the wheel have to be in the sdist.
        if sdist.way(server[0], in_package=package).ships:
            yield from _completed(
                sdist, home, (server[0], sdist.way(server[0], in_package=package)), in_package=package
            )


def _completed(
    target: Target, home: Home, server: tuple[str, Inclusion], *, in_package: bool
) -> Iterator[Addition | Finding]:
    for path, package in ((home.module, in_package), (example_file(home), False)):
        way = target.way(path, in_package=package)
        thing = path if path == home.module else top_folder(home)
        if server[1] is Inclusion.FORCED and way is not Inclusion.FORCED:
            goal = PurePosixPath(target.forced[_source(target, server[0])]).parent / PurePosixPath(thing).name
            if way is not Inclusion.SELECTED or goal.as_posix() != thing:
                yield _not_forced(target, thing, goal.as_posix())
        elif way is Inclusion.EXCLUDED:
            yield from _excluded(target, path)
        elif way in (Inclusion.NOT_PACKAGE, Inclusion.NOT_INCLUDED):
            key = "include" if way is Inclusion.NOT_INCLUDED else "artifacts"
            glob = f"/{path}" if path == home.module else f"/{pattern(home)}"
            yield Addition((*target.place(key), key), (glob,))
        elif way is Inclusion.OUTSIDE:
            key = "packages" if not strings(target.get("only-include")) and strings(target.get("packages")) else ""
            key = key or "only-include"
            yield Addition((*target.place(key), key), (*target.found_by_name, thing))


def _not_forced(target: Target, thing: str, goal: str) -> Finding:
    table = ".".join((*target.place("force-include"), "force-include"))
    message = f"force-include puts the server elsewhere in the {target.name} than {thing}"
    return target.build.finding(
        "PD520", message, hint=f'add to [{table}]:\n    "{thing}" = "{goal}"', mark="force-include"
    )


def _source(target: Target, path: str) -> str:
    return next(source for source in target.forced if under(path, source))


def _excluded(target: Target, path: str) -> Iterator[Finding]:
    for line in strings(target.get("exclude")):
        if _match((line,), path):
            yield target.build.finding(
                "PD521",
                f'exclude = ["{line}"] takes {path} out of the {target.name}',
                hint=f"remove or narrow the pattern in [{'.'.join(target.place('exclude'))}]",
                mark=line,
            )


def _match(patterns: Iterable[str], path: str) -> bool:
    """Whether patterns as in ``.gitignore`` match ``path``; the last pattern that applies decides."""
    given = list(patterns)
    if not given:
        return False
    from pdmigrate.source.discover import spec

    return spec(given).match_file(path)


def _module_names(project: str) -> tuple[str, ...]:
    """The names under which hatchling looks for a project's package: as written, and normalised."""
    normal = re.sub(r"[-_.]+", "-", project).lower()
    return tuple(dict.fromkeys(re.sub(r"[^\w.]+", "_", name) for name in (project, normal) if name))


def _normal(path: str) -> str:
    text = PurePosixPath(path.replace("\\", "/")).as_posix()
    return "" if text == "." else text
