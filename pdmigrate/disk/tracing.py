"""The questions asked of a tree while a result was made from it, each with the digest of its answer.

If the same questions get the same answers again, the result is the same.  That is true only if no question is missed,
so questions are noted where they are answered: in this package, and in the code that answers for many files at once
(``asked``).  A trace during which the disk was reached in another way is not ``whole``, and therefore useless.
"""

from __future__ import annotations

import os

try:
    # The same as `hashlib.blake2b`, without the 3 ms that loading OpenSSL takes: a fifth of the time of a hook.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b


def digest(raw: bytes) -> str:
    """A digest of bytes, as text."""
    return blake2b(raw, digest_size=16).hexdigest()


Question = tuple[object, ...]
"""A name and plain arguments."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Concatenate, ParamSpec, TypeVar

    P = ParamSpec("P")
    R = TypeVar("R", bound=str | os.PathLike[str])
    T = TypeVar("T")

QUESTIONS: dict[str, Callable[..., object]] = {}
"""The questions to this package that a trace may hold, by name: functions of a root and plain arguments."""


class Trace:
    """The questions that were asked, in order, with the digests of their answers."""

    def __init__(self) -> None:
        self.answers: dict[Question, str] = {}
        self.whole = True
        """Whether every access to the disk was a noted question, and no question got two different answers."""
        self.asking = False

    def note(self, question: Question, answer: str) -> None:
        if self.answers.setdefault(question, answer) != answer:
            self.whole = False


class tracing:  # noqa: N801 - used as a function; contextlib takes longer to import than hooks have
    """A context manager that gives the trace of the questions inside; the trace around a ``part`` gets them, too."""

    def __init__(self, *, part: bool = False) -> None:
        self._part = part

    def __enter__(self) -> Trace:
        if _traces and not self._part:
            _traces[-1].whole = False  # questions inside are noted in the inner trace only
        _traces.append(Trace())
        return _traces[-1]

    def __exit__(self, *_: object) -> None:
        inner = _traces.pop()
        if self._part:
            repeat(inner)


def repeat(part: Trace) -> None:
    """Note the questions of an earlier trace, with their answers, as if they were asked now."""
    if _traces and not _traces[-1].asking:
        _traces[-1].whole &= part.whole
        for question, answer in part.answers.items():
            _traces[-1].note(question, answer)


_traces: list[Trace] = []


def asked(question: Question, answer: Callable[[], T]) -> T:
    """The result of ``answer()``, noted as the answer to ``question``; questions asked meanwhile are not noted.

    An answer is bytes, or plain values that are equal if their ``repr`` is.
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
    trace.note(question, digest(found if isinstance(found, bytes) else repr(found).encode("utf-8", "surrogatepass")))
    return found


def question(function: Callable[Concatenate[R, P], T]) -> Callable[Concatenate[R, P], T]:
    """Decorate a function of a root so that each call is noted with its arguments: plain values, given by position."""
    name = function.__name__

    def ask(root: R, /, *arguments: P.args, **named: P.kwargs) -> T:
        if not _traces or named:
            return function(root, *arguments, **named)
        place: str | os.PathLike[str] = root
        return asked((name, os.fspath(place), *arguments), lambda: function(root, *arguments, **named))

    QUESTIONS[name] = ask
    return ask


def reached() -> None:
    """Note an access to the disk: unless it serves to answer a question, the trace is no longer whole."""
    if _traces and not _traces[-1].asking:
        _traces[-1].whole = False
