"""Questions about all files of a tree at once, answered from what can be seen of them without parsing (``Glances``).

Every answer is a plain value, and recorded in the trace of the result that is made from it: a file that is added or
changed later matters only to results for which a question now has another answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

from pdmigrate import disk
from pdmigrate.families import DECORATED_NAMES
from pdmigrate.tree.code import users
from pdmigrate.tree.code.executing import may_execute
from pdmigrate.tree.code.mention_index import MentionIndex
from pdmigrate.tree.code.modules import LARGEST, ModuleIndex
from pdmigrate.tree.code.reachable import Reachable
from pdmigrate.tree.glances import Glances

if TYPE_CHECKING:
    from pdmigrate.tree.code.clues import Named
    from pdmigrate.tree.code.followed import Followed
    from pdmigrate.tree.code.mentions import Mentions
    from pdmigrate.tree.code.modules import SourceModule

P = ParamSpec("P")
T = TypeVar("T")

QUESTIONS: dict[str, Callable[..., object]] = {}
"""The questions about a tree that a trace may hold, by name: methods of ``Whole``."""

_MOST_BYTES = 16_000_000
"""How many bytes of the content of files are kept for the next question."""
_MOST_PARSED = 1_000_000
"""How many bytes of source are kept parsed for the next program: their trees take a hundred times as much."""
DEEPEST = 5
"""How many levels of derivation from an SDK's server class are followed."""


def _question(method: Callable[Concatenate[Whole, P], T]) -> Callable[Concatenate[Whole, P], T]:
    """Make a method a question: recorded with its arguments and answer in a trace, and answered once."""
    name = f"whole.{method.__name__}"

    def ask(whole: Whole, /, *arguments: P.args, **named: P.kwargs) -> T:
        question = (name, *arguments)
        return disk.asked(question, lambda: whole.once(question, lambda: method(whole, *arguments, **named)))

    ask.__name__, ask.__doc__ = method.__name__, method.__doc__
    QUESTIONS[name] = ask
    return ask


class Whole:
    """The tree below ``root``; ``files`` are all its Python files, in their order."""

    def __init__(self, root: Path, files: tuple[str, ...] = (), glances: Glances | None = None) -> None:
        self.root = root
        self._files = files
        self._glances = glances or Glances(root, files)
        self._answers: dict[disk.Question, object] = {}
        self._modules: dict[str, SourceModule] = {}
        self._module_bytes = 0
        self._mentions: dict[str, Mentions] = {}
        self._mention_index = MentionIndex(root)
        self.followed: dict[tuple[str, ...], tuple[Followed, ...]] = {}
        """Results of commands, by entry point (``runs.py``); a program that uses one notes the questions behind it."""
        self._raw: dict[str, bytes] = {}
        self._raw_bytes = 0
        self._parsed: dict[str, tuple[bytes, object]] = {}

    def once(self, question: disk.Question, answer: Callable[[], T]) -> T:
        """``answer()``, computed once for each ``question``: the files are taken not to change during a run."""
        if question not in self._answers:
            self._answers[question] = answer()
        return cast("T", self._answers[question])

    def state(self) -> list[object]:
        """The state that all answers so far depend on: the contents of all files, and the names in some folders."""
        return [self._glances.digest, self._named_in(self._paths.listed), self._paths.listed]

    @property
    def listed(self) -> tuple[str, ...]:
        """The folders that were listed to answer questions about all files."""
        return tuple(self._paths.listed)

    def learn(self, followed: Mapping[tuple[str, ...], tuple[Followed, ...]]) -> None:
        """Add the results of commands that another process has followed; must not be called during a trace."""
        for key, ends in followed.items():
            known = self.followed.get(key, ())
            for end in ends:
                if end.versions not in [each.versions for each in known]:
                    known = self.followed[key] = (*known, end)
                    # The answers depend on the names in these folders, too, which ``state`` has to cover from now on.
                    for folder in end.listed:
                        self._paths.names_in(folder)

    def is_as(self, state: list[Any]) -> bool:
        """Whether the answers given in ``state`` are still valid."""
        contents, names, folders = state
        return bool(self._glances.digest == contents and self._named_in(folders) == names)

    def _named_in(self, folders: Iterable[str]) -> str:
        """The digest of all names in these folders; cached, since many programs ask about the same folders."""
        known = tuple(folders)
        return self.once(
            ("names", known),
            lambda: disk.digest(repr([sorted(self._paths.names_in(folder)) for folder in known]).encode()),
        )

    def module(self, path: str, raw: bytes, name: str, make: Callable[[], SourceModule]) -> SourceModule:
        """The module of a file with this content, made once; all programs that read the same content share its tree."""
        known = self._modules.get(path)
        if known is None or known.source.raw != raw or known.name != name:
            if self._module_bytes > _MOST_PARSED:
                # Programs keep the modules that they use; only a module shared by several may be parsed once more.
                self._modules.clear()
                self._module_bytes = 0
            known = self._modules[path] = make()
            self._module_bytes += len(raw)
        return known

    def parsed(self, path: str, raw: bytes, make: Callable[[], T]) -> T:
        """``make()`` for a file with this content, made once; all programs that read the same content share it."""
        known, made = self._parsed.get(path, (b"", None))
        if made is None or known != raw:
            made = make()
            self._parsed[path] = raw, made
        return cast("T", made)

    def mentions(self, path: str, raw: bytes) -> Mentions:
        """The mentions of a file with this content, found once."""
        known = self._mentions.get(path)
        if known is None or known.raw != raw:
            known = self._mentions[path] = self._mention_index.of(path, raw)
        return known

    def keep(self) -> None:
        """Save the mentions found in files for the next run."""
        self._mention_index.save(frozenset(self._files))

    # --- for answering questions: called outside of a question, these make a trace incomplete

    def raw(self, path: str) -> bytes:
        """The content of a file, cached up to ``_MOST_BYTES`` in all; empty if the file cannot be read."""
        disk.reached()
        if path not in self._raw:
            try:
                raw = disk.read(self.root, path, LARGEST)
            except OSError:
                raw = b""  # reported where that file is needed
            self._raw_bytes += len(raw)
            if self._raw_bytes > _MOST_BYTES:
                self._raw.clear()
                self._raw_bytes = len(raw)
            self._raw[path] = raw
        return self._raw[path]

    def importing(self, path: str) -> tuple[str, ...]:
        """The files whose import statements may name the module at ``path``."""
        disk.reached()
        may = self._glances.importing(path)
        return tuple(file for file in self._files if file in may)

    def holding(self, *words: str) -> tuple[str, ...]:
        """The files that may have one of these words in an import statement; ``*`` counts as a word."""
        disk.reached()
        may = self._glances.holding(*words)
        return tuple(file for file in self._files if file in may)

    def registers(self, path: str) -> bool:
        """Whether a file may register tools."""
        disk.reached()
        glance = self._glances.at(path)
        return glance is not None and glance.registers

    def starts(self, path: str) -> bool:
        """Whether a file may be a script, or start something."""
        disk.reached()
        glance = self._glances.at(path)
        return glance is not None and glance.starts

    @_question
    def files(self) -> tuple[str, ...]:
        """All Python files of the tree."""
        return self._files

    @_question
    def may_import(self, path: str) -> tuple[str, ...]:
        """The files whose import statements may name the module at ``path``."""
        return self.importing(path)

    @_question
    def may_hold(self, *words: str) -> tuple[str, ...]:
        """The files that may have one of these words in an import statement."""
        return self.holding(*words)

    @_question
    def using(self, path: str, name: str) -> tuple[str, ...]:
        """The other files that use ``name`` of the module at ``path``."""
        return tuple(users.using(self._paths, self._paths.at(path), name))

    @_question
    def imports(self, path: str) -> tuple[str, ...]:
        """The first names of the modules that a file imports by absolute names; none if the file cannot be read."""
        glance = self._glances.at(path)
        return tuple(glance.imports) if glance is not None else ()

    @_question
    def importers(self, path: str) -> tuple[str, ...]:
        """The other files that import the module at ``path`` and register tools or are run as scripts."""
        return tuple(users.importers(self._paths, path))

    @_question
    def registering(self, path: str) -> tuple[str, ...]:
        """The files, tests apart, that import the module at ``path`` and register tools."""
        return tuple(users.registering(self._paths, path))

    @_question
    def calling(
        self, path: str, derived: tuple[str, ...], handed_on: tuple[str, ...]
    ) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The other files that may call classes of the module at ``path``, with their local names (``users.py``)."""
        return tuple(users.calling(self._paths, self._paths.at(path), derived, handed_on))

    @_question
    def saying(self, *words: str) -> tuple[str, ...]:
        """The files that contain one of these words anywhere, and the files that cannot be read, which may."""
        named = re.compile(rb"\b(?:%s)\b" % b"|".join(re.escape(word.encode()) for word in words))
        return tuple(file for file, raw in self._texts(self._files) if raw is None or named.search(raw))

    @_question
    def may_execute(self, module: str, function: str, path: str) -> bool:
        """Whether a command that calls ``function`` of ``module`` may execute the file at ``path``."""
        near = self._reachable.reaches(module.partition(".")[0], path)
        return near and may_execute(self._paths, module, function, path)

    def may_concern(self, path: str, parts: tuple[str, ...]) -> bool:
        """Whether a server made in ``path`` may have anything to do with the files in ``parts`` of the tree."""
        disk.reached()
        return self._reachable.may_concern(path, parts)

    @_question
    def server_classes(self) -> tuple[str, ...]:
        """The names of the SDKs' server classes, and of the classes of the tree that may derive from one."""
        glances = map(self._glances.at, self._files)
        classes = [found for glance in glances if glance is not None for found in glance.classes.items()]
        found = set(DECORATED_NAMES)
        for _ in range(DEEPEST):
            more = {name for name, words in classes if not found.isdisjoint(words)}
            if more <= found:
                break
            found |= more
        return tuple(sorted(found))

    @_question
    def renamed(self) -> tuple[str, ...]:
        """The aliases under which files import a server class: other files may import the class by such an alias."""
        from pdmigrate.tree.deriving import renamed_in

        return tuple(sorted(set(renamed_in(self.root, self._glances.of_mcp))))

    @_question
    def named(self) -> Named:
        """Which SDKs the imports of all files name."""
        from pdmigrate.tree.code.clues import named_in

        return named_in(raw for _, raw in self._texts(self._glances.of_mcp) if raw is not None)

    @_question
    def shape(self) -> int | None:
        """The major version of ``mcp`` whose way of registering handlers is used in the first file that uses one."""
        from pdmigrate.tree.code.clues import registers_as

        texts = (raw for _, raw in self._texts(self._glances.of_mcp) if raw is not None and b"mcp" in raw)
        return next((found for raw in texts if (found := registers_as(raw)) is not None), None)

    def _texts(self, files: tuple[str, ...]) -> Iterator[tuple[str, bytes | None]]:
        for file in files:
            try:
                yield file, disk.read(self.root, file)
            except OSError:
                yield file, None  # reported where that file is needed

    @cached_property
    def _reachable(self) -> Reachable:
        return Reachable(self._files, self._glances, self._paths.dotted_name)

    @cached_property
    def _paths(self) -> ModuleIndex:
        return ModuleIndex(self)
