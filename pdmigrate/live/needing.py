"""Why a server does not start: the variables that it misses, read off what it printed and what its source reads."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from pdmigrate.counting import joined
from pdmigrate.errors import OutsideError

CODE = "PD349"
_READ = re.compile(
    rb"(?:environ(?:\.get|\.pop|\.setdefault)?[ \t]*[\[(]|getenv[ \t]*\(|\benv(?:var)?[ \t]*=[ \t]*\[?)"
    rb"\s*[\"'](\w+)[\"']"
)
_NAME = re.compile(r"\b[A-Z][A-Z0-9_]{2,}\b")
_QUOTED = r"[`'\"$]?(?P<{}>[A-Z][A-Z0-9]*_[A-Z0-9_]+)[`'\"]?"
_MISSING = re.compile(
    r"KeyError: ['\"](?P<a>[A-Z]\w+)['\"]"
    r"|env(?:ironment)?[ _]var(?:iable)?s?:? [`'\"$]?(?P<b>[A-Z][A-Z0-9_]+)"
    rf"|\b{_QUOTED.format('c')}(?: environment)?(?: variable)? "
    r"(?:(?:is|was|are|has|have|been|must|needs?|to|be) ){0,3}(?:not|unset|missing|required|undefined|empty|set\b)"
    r"|(?:set|missing|provide|export|requires?|needs?|define)(?: the| a| your| required)*(?: variable)?:? "
    rf"{_QUOTED.format('d')}"
)
_MODEL = re.compile(r"validation errors? for (\w+)")
_FIELD = re.compile(r"^[ \t]*(\w+)\n[ \t]*[Ff]ield required", re.MULTILINE)
_PREFIX = re.compile(rb"env_prefix[\"']?[ \t]*[=:][ \t]*[\"'](\w*)[\"']")
_CREDENTIAL = re.compile(
    r"api[ _-]?key|token|secret|password|credential|not authenticated|unauthori[sz]ed", re.IGNORECASE
)
SECRET = re.compile(r"key|token|secret|passw|credential|cookie|private|dsn|database_url|_pat$|^pat_", re.IGNORECASE)
"""Matches names of variables whose values are secret."""
_SHORTEST = 4
_MOST = 5


def explained(
    error: OutsideError,
    sources: Iterable[bytes],
    named: Iterable[str],
    environment: Mapping[str, str],
    kept: Mapping[str, str],
) -> OutsideError:
    """``error``, or one that names the variables that the server misses.

    ``sources`` are the files that the server runs, ``named`` the variables that the project says it needs, and
    ``environment`` those that it was started with, ``kept`` those of its ``.env``. No value of a secret one is in the
    result.
    """
    said, hint = hidden(error.message, {**kept, **environment}), error.hint
    files = tuple(sources)
    read = {name.decode() for raw in files for name in _READ.findall(raw)} | {*named}
    first, _, printed = said.partition("\n")
    missing = _missing(printed or first, files, read, environment)
    if not missing:
        again = f"{hint}; " if hint else ""
        way = "" if "--live" in hint else "what it needs goes into --live 'CMD ARGUMENTS' or --env NAME=VALUE; "
        return OutsideError(said, hint=f"{again}{way}--no-live goes on without it", code=error.code)
    one = len(missing) == 1
    told = f"{first}: it needs {joined(missing)}, which {'is' if one else 'are'} not set"
    options = " ".join(f"--env {name}=..." for name in missing)
    return OutsideError(
        "\n".join(filter(None, (told, printed))),
        hint=f"set {'it' if one else 'them'} in the environment, or with {options}; --no-live goes on without it",
        code=CODE,
    )


def hidden(text: str, environment: Mapping[str, str]) -> str:
    """``text`` without the values of secret variables."""
    secrets = {value: name for name, value in environment.items() if SECRET.search(name) and len(value) >= _SHORTEST}
    for value in sorted(secrets, key=len, reverse=True):
        text = text.replace(value, f"(the value of {secrets[value]})")
    return text


def dotenv(text: str) -> dict[str, str]:
    """The variables of a ``.env`` file."""
    lines = (line.strip().removeprefix("export ").partition("=") for line in text.splitlines() if "=" in line)
    return {name.strip(): value.strip().strip("\"'") for name, _, value in lines if not name.startswith("#")}


def _missing(printed: str, files: Collection[bytes], read: set[str], environment: Mapping[str, str]) -> tuple[str, ...]:
    """The variables that the server says it misses, in the order in which it says so."""
    lines = printed.splitlines()
    for end in (lines[-1:], lines[-4:], lines):  # what is said last is why it ended
        text = "\n".join(end)
        said = [match[match.lastgroup or 0] for match in _MISSING.finditer(text)]
        more = (*_of_settings(text, files), *_of_options(text, files))
        names = [*said, *more, *(name for name in _NAME.findall(text) if name in read)]
        if missing := _unset(names, environment):
            return missing
    return _unset(sorted(filter(SECRET.search, read)), environment) if _CREDENTIAL.search(printed) else ()


def _unset(names: Iterable[str], environment: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if not environment.get(name)))[:_MOST]


def _of_settings(printed: str, files: Collection[bytes]) -> Iterator[str]:
    """The variables behind the fields that a settings class of pydantic lacks: their names with its prefix."""
    for model in _MODEL.finditer(printed):
        defined = re.compile(rb"^[ \t]*class %s\b" % re.escape(model[1].encode()), re.MULTILINE)
        bodies = [raw[found.end() : found.end() + 3_000] for raw in files if (found := defined.search(raw))]
        if not any(b"env" in raw.lower() or b"Settings" in raw for raw in files):
            continue
        prefix = next((found[1].decode() for body in bodies if (found := _PREFIX.search(body))), "")
        for field in _FIELD.findall(printed[model.end() :]):
            yield field if field.isupper() else f"{prefix}{field}".upper()


def _of_options(printed: str, files: Collection[bytes]) -> Iterator[str]:
    """The variables that stand in for the options of a command line that are missing."""
    for option in re.findall(r"[Mm]issing option ['\"]?(--[\w-]+)", printed):
        declared = re.compile(rb"[\"']%s[\"'][^@]{0,300}?envvar\s*=\s*\[?\s*[\"'](\w+)" % re.escape(option.encode()))
        yield from (found[1].decode() for raw in files if (found := declared.search(raw)))
