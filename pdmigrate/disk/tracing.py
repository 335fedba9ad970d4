"""What was asked of a tree while something was made of it: every question, with the digest of its answer.

Who asks the same questions again, and gets the same answers, would make the same of them.  That is only true if no
question is missed, so they are noted where they are answered: at this door, and in what answers for many files at once
(``asked``).  What reaches the disk in another way leaves a trace that is not ``whole``, and good for nothing.
"""

from __future__ import annotations

import os

Question = tuple[object, ...]
"""A name and plain arguments."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Concatenate, ParamSpec, TypeVar

    from pdmigrate.disk.places import Root

    P = ParamSpec("P")
    R = TypeVar("R", bound=Root)
    T = TypeVar("T")

QUESTIONS: dict[str, Callable[..., object]] = {}
"""What a trace may hold of this door, by name: functions of a root and plain arguments."""


class Trace:
    """The questions that were asked, in their order, with the digests of their answers."""

    def __init__(self) -> None:
        self.answers: dict[Question, str] = {}
        self.whole = True
        """Whether nothing was asked besides, and nothing got two answers."""
        self.asking = False

    def note(self, question: Question, answer: str) -> None:
        if self.answers.setdefault(question, answer) != answer:
            self.whole = False


class tracing:  # noqa: N801 - used as a function; contextlib takes longer to import than hooks have
    """Gives the trace of what is asked while it lasts."""

    def __enter__(self) -> Trace:
        if _traces:
            _traces[-1].whole = False  # what is asked from here on is noted elsewhere
        _traces.append(Trace())
        return _traces[-1]

    def __exit__(self, *_: object) -> None:
        _traces.pop()


_traces: list[Trace] = []


def asked(question: Question, answer: Callable[[], T]) -> T:
    """``answer()``, noted as that of ``question``; what is asked to find it is not noted by itself.

    An answer is bytes, or plain values whose text tells them apart.
    """
    trace = _traces[-1] if _traces else None
    if trace is None or trace.asking:
        return answer()
    trace.asking = True
    try:
        found = answer()
    except OSError as error:
        trace.note(question, f"{type(error).__name__} {error.errno} {error.strerror}")
        raise
    except BaseException:
        trace.whole = False
        raise
    finally:
        trace.asking = False
    trace.note(question, _digest(found))
    return found


def question(function: Callable[Concatenate[R, P], T]) -> Callable[Concatenate[R, P], T]:
    """A function of a root that is noted with its arguments, which are plain values, given by position."""
    name = function.__name__

    def ask(root: R, /, *arguments: P.args, **named: P.kwargs) -> T:
        if not _traces or named:
            return function(root, *arguments, **named)
        return asked((name, _text(root), *arguments), lambda: function(root, *arguments, **named))

    ask.__name__, ask.__qualname__, ask.__doc__ = name, function.__qualname__, function.__doc__
    QUESTIONS[name] = ask
    return ask


def _text(root: Root) -> str:
    return os.fspath(root)


def reached() -> None:
    """The disk is reached: by a question that is being answered, or past all of them."""
    if _traces and not _traces[-1].asking:
        _traces[-1].whole = False


def _digest(answer: object) -> str:
    from pdmigrate.disk.places import digest

    return digest(answer if isinstance(answer, bytes) else repr(answer).encode("utf-8", "surrogatepass"))
