"""Which rules each release of an SDK follows, measured; ``measured.json`` of the signatures is made here.

    python -m benchmarks.sdk_versions               # what is new: the first and last release of every minor series
    python -m benchmarks.sdk_versions --only 1.29.0 1.29.1 --again
    python -m benchmarks.sdk_versions --new         # exit status 1 when the index has releases that were not measured

A release is installed into an environment of its own (``.cache/versions``) and lists the functions of
``tests/schemas/signatures/cases.py`` and 150 random ones.  It follows the rules that predict all of them; where
neighbours follow different rules, the releases between them are measured as well.  Exit status 1 when no rules fit a
release: the functions and fields that differ are printed, and a new variant belongs into ``rules.py``.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from packaging.version import Version

from pdmigrate.model import Known
from pdmigrate.sdk.schemas.signatures.fields import listed_by
from pdmigrate.sdk.schemas.signatures.rules import VARIANTS
from tests.schemas.signatures.asking import Case, Oracle, specs_of, wrong
from tests.schemas.signatures.cases import SETTLED, UNSETTLED
from tests.schemas.signatures.generating import functions

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".cache" / "versions"
MEASURED = ROOT / "pdmigrate" / "sdk" / "schemas" / "signatures" / "measured.json"

FAMILIES = {
    "mcp1-fastmcp": ("mcp", 1),
    "mcp2-mcpserver": ("mcp", 2),
    "fastmcp2": ("fastmcp", 2),
    "fastmcp3": ("fastmcp", 3),
    "fastmcp4": ("fastmcp", 4),
}
OLDEST = {"mcp": Version("1.2"), "fastmcp": Version("2.2")}
PYDANTIC = ("pydantic==2.14.3", "pydantic==2.11.10", "pydantic")
"""Tried in this order: older releases need names that newer releases of pydantic no longer have."""


@dataclass(frozen=True)
class Measurement:
    """What one release was found to follow; ``variant`` is ``None`` where no rules fit."""

    release: Version
    variant: str | None
    functions: int
    wrong: Mapping[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--new", action="store_true", help="only say which releases have not been measured")
    parser.add_argument("--only", nargs="+", default=[], metavar="VERSION", help="only these releases")
    parser.add_argument("--family", choices=FAMILIES, action="append", help="only this family; repeatable")
    parser.add_argument("--again", action="store_true", help="measure what was measured before, too")
    given_ = parser.parse_args()
    table = json.loads(MEASURED.read_text(encoding="utf-8"))
    if given_.new:
        return _say_new(table)
    failed = False
    for family in given_.family or FAMILIES:
        package, _ = FAMILIES[family]
        known: dict[str, str] = table.setdefault(family, {"package": package, "releases": {}})["releases"]
        for measured in _measure(family, [Version(text) for text in given_.only], {} if given_.again else known):
            failed |= _note(family, measured, known)
            MEASURED.write_text(json.dumps(_sorted(table), indent=1) + "\n", encoding="utf-8")
    return int(failed)


def _note(family: str, measured: Measurement, known: dict[str, str]) -> bool:
    """Keep one result; whether no rules fit."""
    _tell(f"{family} {measured.release}: {measured.variant or 'no rules fit'} ({measured.functions} functions)")
    if measured.variant is not None:
        known[str(measured.release)] = measured.variant
        return False
    known.pop(str(measured.release), None)
    for name, fields in list(measured.wrong.items())[:12]:
        _tell(f"    {name}: {json.dumps(fields, default=repr)[:400]}")
    return True


def _measure(family: str, only: Sequence[Version], known: Mapping[str, str]) -> Iterator[Measurement]:
    """The wanted releases, then those between neighbours that differ until no gap is left."""
    releases = _released(family)
    wanted = [v for v in releases if v in only] if only else [v for v in _ends(releases) if str(v) not in known]
    found = {Version(text): variant for text, variant in known.items()}
    while wanted:
        for release in wanted:
            measured = _measured(family, release)
            if measured.variant is not None:
                found[release] = measured.variant
            yield measured
        wanted = [] if only else [v for v in _between(releases, found) if v not in found]


def _ends(releases: Sequence[Version]) -> list[Version]:
    """The first and the last release of every minor series; of the newest major series its pre-releases as well."""
    series: dict[tuple[int, ...], list[Version]] = {}
    for release in (v for v in releases if not v.is_prerelease):
        series.setdefault(release.release[:2], []).append(release)
    ends = {end for group in series.values() for end in (group[0], group[-1])}
    coming = {v for v in releases if v.is_prerelease and v.release[1:] == (0, 0)}
    return sorted(ends | coming)


def _between(releases: Sequence[Version], found: Mapping[Version, str]) -> Iterator[Version]:
    """The release in the middle of each gap between two neighbours that follow different rules."""
    for one, two in pairwise(sorted(found)):
        inside = [v for v in releases if one < v < two and not v.is_prerelease]
        if found[one] != found[two] and inside:
            yield inside[len(inside) // 2]


def _measured(family: str, release: Version) -> Measurement:
    package, _ = FAMILIES[family]
    cases = {name: case for name, case in _cases().items() if family in case.families or name.startswith("random")}
    versions, listings = _listings(family, f"{package}=={release}", cases)
    ordered = _nearest(package, release)
    best: Mapping[str, Any] | None = None
    for variant in ordered:
        bad = _wrong(variant, family, versions, listings)
        if not bad:
            return Measurement(release, variant, len(listings), {})
        best = bad if best is None or len(bad) < len(best) else best
    return Measurement(release, None, len(listings), best or {})


def _nearest(package: str, release: Version) -> list[str]:
    """The variants of a package, first the one that a release of this number should follow by the names of them."""
    named = sorted((Version(name.split()[1]), name) for name in VARIANTS if name.split()[0] == package)
    below = [name for first, name in reversed(named) if first <= release and first.major == release.major]
    return below + [name for first, name in named if first > release and first.major == release.major]


def _wrong(variant: str, family: str, versions: Mapping[str, str], listings: Mapping[str, Any]) -> dict[str, Any]:
    """The functions that a server with the rules of ``variant`` would list in another way than this release does."""
    found: dict[str, Any] = {}
    for name, real in listings.items():
        function, options, server = _specs(name, family)
        said = listed_by(VARIANTS[variant], function, options, versions, server)
        if "tool" in real:
            bad = wrong(said, real)
        elif name in SETTLED and any(isinstance(field, Known) for field in said.values()):
            bad = {"refused by the SDK": real}
        else:
            continue
        if bad:
            found[name] = bad
    return found


def _listings(family: str, pin: str, cases: Mapping[str, Case]) -> tuple[Mapping[str, str], dict[str, Any]]:
    """What a release lists for each of ``cases``, and the versions in its environment.

    Raises:
        RuntimeError: it cannot be installed, or not imported.
    """
    problem = ""
    for pydantic in PYDANTIC:
        try:
            interpreter = _environment(pin, pydantic)
        except subprocess.CalledProcessError as error:
            problem = error.stderr[-300:]
            continue
        with Oracle(interpreter) as oracle:
            found = {name: oracle.ask(case, family) for name, case in cases.items()}
            usable = {name: answer for name, answer in found.items() if answer.get("stage") != "import"}
            if len(usable) > len(found) // 2:
                return oracle.versions, usable
            problem = str(next(iter(found.values())))
        shutil.rmtree(interpreter.parents[1])
    raise RuntimeError(f"{pin} cannot be measured: {problem}")


def _environment(pin: str, pydantic: str) -> Path:
    target = CACHE / f"{pin}-{pydantic}".replace("==", "-")
    interpreter = target / "bin" / "python"
    if not (target / ".complete").exists():
        shutil.rmtree(target, ignore_errors=True)
        uv = str(Path(sys.executable).with_name("uv"))
        for command in (
            [uv, "venv", "--quiet", "--python", sys.executable, str(target)],
            [uv, "pip", "install", "--quiet", "--python", str(interpreter), pin, pydantic],
        ):
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
        (target / ".complete").touch()
    return interpreter


@cache
def _cases() -> Mapping[str, Case]:
    unsettled = {name: case for name, (case, _) in UNSETTLED.items()}
    return {**SETTLED, **unsettled, **{f"random {number}": case for number, case in enumerate(_random())}}


def _random() -> list[Case]:
    found: list[Case] = []

    @seed(7)
    @settings(max_examples=150, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(case=functions())
    def collect(case: Case) -> None:
        found.append(case)

    collect()
    return found


@cache
def _specs(name: str, family: str) -> Any:
    return specs_of(_cases()[name], family, {})


@cache
def _released(family: str) -> tuple[Version, ...]:
    """Every release of a family's SDK on the package index, in order."""
    package, major = FAMILIES[family]
    command = [sys.executable, "-m", "pip", "index", "versions", "--pre", package]
    text = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
    line = re.search(r"Available versions: (.*)", text)
    versions = map(Version, line[1].split(", ")) if line else ()
    return tuple(sorted(v for v in versions if v.major == major and v >= OLDEST[package]))


def _say_new(table: Mapping[str, Any]) -> int:
    """Name the releases after the newest measured one of each family."""
    status = 0
    for family in FAMILIES:
        last = max(map(Version, table[family]["releases"]))
        if newer := [str(v) for v in _released(family) if v > last]:
            _tell(f"{family}: {', '.join(newer)} came after {last}, the newest that was measured")
            status = 1
    return status


def _tell(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - the result of this program


def _sorted(table: Mapping[str, Any]) -> dict[str, Any]:
    return {
        family: {**entry, "releases": dict(sorted(entry["releases"].items(), key=lambda item: Version(item[0])))}
        for family, entry in table.items()
    }


if __name__ == "__main__":
    sys.exit(main())
