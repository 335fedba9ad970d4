"""What ``extract`` prints for published servers is what was recorded, and nothing of our code runs for none of them.

``python -m tests.published`` records anew what is printed, for a change that is meant. What the servers run is summed
up at the end of the tests, from all of them: ``benchmarks/rent.py`` says how they are chosen.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping

import pytest

from benchmarks.migrate.servers import PublishedServer
from benchmarks.published import unpacked
from benchmarks.rent import Meter, chosen, options_of
from tests.published.recording import RECORDS, file_of, record

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.mark.parametrize("name", chosen())
def test_what_is_printed_is_what_was_recorded(
    name: str,
    servers: Mapping[str, PublishedServer],
    measuring: Meter,
    record_property: Callable[[str, object], None],
) -> None:
    with unpacked(servers[name]) as folder:
        measured = measuring.measure(folder, options_of(servers[name]))
    record_property("imported", measuring.imported)
    record_property("ran", measured.ran)
    then, now = file_of(name).read_text(encoding="utf-8").split("\n"), record(measured).split("\n")
    difference = "\n".join(difflib.unified_diff(then, now, "recorded", "printed", lineterm="", n=0))
    assert not difference, f"{difference}\nif that is meant: python -m tests.published {name}"


def test_no_record_is_of_a_server_that_is_not_tested() -> None:
    assert {*RECORDS.iterdir()} == {file_of(name) for name in chosen()}
