"""The error that stops the building of a type at its first unknown part, with the part's place in the schema."""

from __future__ import annotations

import re

from pdmigrate.model import Site, Unknown
from pdmigrate.sdk.schemas.specs import UnknownSpec

UNKNOWN_NAME = "PD340"
DECIDED_BY_CODE = "PD341"
REFUSED = "PD342"
NOT_EVALUATED = "PD343"
NO_SUCH_MEMBER = "PD344"
OTHER_VERSION = "PD345"
REFUSED_BY_SDK = "PD311"
SDK_NOT_MEASURED = "PD346"

_ADDRESS = re.compile(r":\d{9,}\b")
"""The number by which pydantic tells classes of one name apart, different in every process."""


class UnsettledError(Exception):
    """A part of a spec is not known.

    What builds, refuses or reads a spec raises it; it stays inside this package, where it becomes an ``Unknown``.
    """

    def __init__(
        self, reason: str, code: str = NOT_EVALUATED, site: Site | None = None, *, endless: bool = False
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code
        self.site = site
        self.path: tuple[str, ...] = ()
        self.endless = endless

    def unknown(self) -> Unknown:
        return Unknown(self.reason, self.code, ".".join(self.path), self.site)


def unsettled(spec: UnknownSpec) -> UnsettledError:
    return UnsettledError(spec.reason, spec.code, spec.site, endless=spec.endless)


class at:  # noqa: N801 - used as a function is
    """Mark that the code inside builds the part of the schema at the path ``steps``.

    Like ``refusing``, this is a class and not a generator because it is entered for every part of every schema.
    """

    __slots__ = ("site", "steps")

    def __init__(self, *steps: str, site: Site | None = None) -> None:
        self.steps, self.site = steps, site

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, UnsettledError):
            error.path = (*self.steps, *error.path)
            error.site = error.site or self.site


class refusing:  # noqa: N801 - used as a function is
    """Turn a refusal of typing or pydantic into ``UnsettledError``.

    pydantic raises bare exceptions, too.  The target's program fails in the same way, or runs on a version that accepts
    what is refused here.
    """

    __slots__ = ("what",)

    def __init__(self, what: str) -> None:
        self.what = what

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, UnsettledError):
            raise UnsettledError(f"{self.what}: {_said(error)}", REFUSED) from error


_NO_SCHEMA = re.compile(
    r"(?:Cannot generate a JsonSchema|Unable to generate pydantic-core schema) for "
    r"(?:core_schema\.(\w+)Schema\b)?(?: ?\(?<class '(?:builtins\.)?([^']+)'>)?"
)


def _said(error: Exception) -> str:
    """What typing or pydantic says, in one line and without the names of pydantic's own parts."""
    first, *others = _ADDRESS.sub("", str(error).strip()).splitlines() or [type(error).__name__]
    if (found := _NO_SCHEMA.match(first)) and (name := found[2] or found[1]):
        return f"pydantic has no schema for `{name}`"
    if not (others and first.startswith("Error building")):
        return first
    last = re.sub(r"^\s*(?:\w*[eE]rror: )*", "", others[-1])
    is_pattern = "regex parse error:" in others[-4:][0]
    return f"invalid pattern `{others[-3].strip()}`: {last}" if is_pattern else last
