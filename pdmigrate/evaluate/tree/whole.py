"""What is asked of all files of a tree at once, answered by what can be seen of them without parsing (``Glances``).

Every answer is a plain value, and noted where somebody traces what a result was made from: a file that was not there,
or said something else, matters to those alone whose questions it answers in another way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

from pdmigrate import disk
from pdmigrate.evaluate.tree import users
from pdmigrate.evaluate.tree.mention_index import MentionIndex
from pdmigrate.evaluate.tree.modules import LARGEST, ModuleIndex
from pdmigrate.evaluate.tree.reachable import Reachable
from pdmigrate.families import DECORATED_NAMES
from pdmigrate.tree.glances import Glances

if TYPE_CHECKING:
    from pdmigrate.dialects.shapes import Named
    from pdmigrate.evaluate.tree.mentions import Mentions
    from pdmigrate.evaluate.tree.modules import SourceModule

P = ParamSpec("P")
T = TypeVar("T")

QUESTIONS: dict[str, Callable[..., object]] = {}
"""What a trace may hold of a tree, by name: methods of ``Whole``."""

_MOST_BYTES = 16_000_000
"""How much of the content of files is kept for the next question."""
_MOST_PARSED = 1_000_000
"""How many bytes of source are kept parsed for the next program: their trees take a hundred times as much."""
DEEPEST = 5
"""How many classes may stand between a server and the SDK's class."""


def _question(method: Callable[Concatenate[Whole, P], T]) -> Callable[Concatenate[Whole, P], T]:
    """A method that is noted with its arguments, and finds its answer once."""
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
        self._raw: dict[str, bytes] = {}
        self._raw_bytes = 0

    def once(self, question: disk.Question, answer: Callable[[], T]) -> T:
        """``answer()``, found once for each ``question``: the files of a tree do not change while it is looked at."""
        if question not in self._answers:
            self._answers[question] = answer()
        return cast("T", self._answers[question])

    def state(self) -> list[object]:
        """What all answers so far were found from: the contents of all files, and the names in some folders."""
        return [self._glances.digest, self._named_in(self._paths.listed), self._paths.listed]

    def is_as(self, state: list[Any]) -> bool:
        """Whether what was answered in a state would be answered now."""
        contents, names, folders = state
        return bool(self._glances.digest == contents and self._named_in(folders) == names)

    def _named_in(self, folders: Iterable[str]) -> str:
        """The digest of all names in these folders: many programs ask of the same ones."""
        known = tuple(folders)
        return self.once(
            ("names", known),
            lambda: disk.digest(repr([sorted(self._paths.names_in(folder)) for folder in known]).encode()),
        )

    def module(self, path: str, raw: bytes, name: str, make: Callable[[], SourceModule]) -> SourceModule:
        """``make()`` of a file with this content, made once, with its tree, for all who have read the same."""
        known = self._modules.get(path)
        if known is None or known.source.raw != raw or known.name != name:
            if self._module_bytes > _MOST_PARSED:
                # Programs hold on to theirs; only what several of them share may be parsed once more.
                self._modules.clear()
                self._module_bytes = 0
            known = self._modules[path] = make()
            self._module_bytes += len(raw)
        return known

    def mentions(self, path: str, raw: bytes) -> Mentions:
        """What a file with this content says of others, looked for once."""
        known = self._mentions.get(path)
        if known is None or known.raw != raw:
            known = self._mentions[path] = self._mention_index.of(path, raw)
        return known

    def keep(self) -> None:
        """Let what was found in files be known in the next run."""
        self._mention_index.save(frozenset(self._files))

    # --- for those who answer questions: asked by themselves, these are not noted

    def raw(self, path: str) -> bytes:
        """The content of a file, as long as there are not too many; empty where it cannot be read."""
        disk.reached()
        if path not in self._raw:
            try:
                raw = disk.read(self.root, path, LARGEST)
            except OSError:
                raw = b""  # said of that file where it is wanted
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
        """The files that may have one of these words in an import statement; ``*`` is one."""
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
    def using(self, path: str, name: str) -> tuple[str, ...]:
        """The other files that use ``name`` of the module at ``path``."""
        return tuple(users.using(self._paths, self._paths.at(path), name))

    @_question
    def imports(self, path: str) -> tuple[str, ...]:
        """The first names of the modules that a file imports by their whole names; none of one that cannot be read."""
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
        """The other files that may call classes of the module at ``path``, with their names there (``users.py``)."""
        return tuple(users.calling(self._paths, self._paths.at(path), derived, handed_on))

    @_question
    def saying(self, *words: str) -> tuple[str, ...]:
        """The files that hold one of these words anywhere, and those that cannot be read, which may."""
        named = re.compile(rb"\b(?:%s)\b" % b"|".join(re.escape(word.encode()) for word in words))
        return tuple(file for file, raw in self._texts(self._files) if raw is None or named.search(raw))

    @_question
    def reaches(self, start: str, path: str) -> bool:
        """Whether the package or module ``start`` may come to import the module at ``path``."""
        return self._reachable.reaches(start, path)

    def shares(self, path: str, parts: tuple[str, ...]) -> bool:
        """Whether a server made in ``path`` may have anything to do with the files in ``parts`` of the tree."""
        disk.reached()
        return self._reachable.shares(path, parts)

    @_question
    def server_classes(self) -> tuple[str, ...]:
        """The names of the classes of the tree that may derive from a server class, and of those themselves."""
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
        """The names that files give to a server class where they import it: others may import it from there."""
        from pdmigrate.tree.deriving import renamed_in

        return tuple(sorted(set(renamed_in(self.root, self._glances.of_mcp))))

    @_question
    def named(self) -> Named:
        """Which SDKs the imports of all files name."""
        from pdmigrate.dialects.shapes import named_in_any

        return named_in_any(raw for _, raw in self._texts(self._glances.of_mcp) if raw is not None)

    @_question
    def shape(self) -> int | None:
        """The major version of ``mcp`` whose way of registering handlers is used in the first file that uses one."""
        from pdmigrate.dialects.shapes import registers_as

        texts = (raw for _, raw in self._texts(self._glances.of_mcp) if raw is not None and b"mcp" in raw)
        return next((found for raw in texts if (found := registers_as(raw)) is not None), None)

    def _texts(self, files: tuple[str, ...]) -> Iterator[tuple[str, bytes | None]]:
        for file in files:
            try:
                yield file, disk.read(self.root, file)
            except OSError:
                yield file, None  # said of that file where it is wanted

    @cached_property
    def _reachable(self) -> Reachable:
        return Reachable(self._files, self._glances, self._paths.dotted_name)

    @cached_property
    def _paths(self) -> ModuleIndex:
        return ModuleIndex(self)
