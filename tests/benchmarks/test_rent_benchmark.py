"""What no server runs, counted, and the servers that are enough to know it."""

from __future__ import annotations

import io
import zipfile

import pytest

from benchmarks.published import NotFetchedError, refuse_traps
from benchmarks.rent import cover, numbers, ranges, together


def test_neighbouring_lines_are_joined_and_taken_apart() -> None:
    assert ranges((3, 4, 5, 9, 11, 12)) == ["3-5", "9", "11-12"]
    assert list(numbers("3-5 9 11-12")) == [3, 4, 5, 9, 11, 12]
    assert (ranges(()), list(numbers(""))) == ([], [])


def test_what_any_server_ran_is_not_idle() -> None:
    assert together([{"a.py": "1-2"}, {"a.py": "2-3", "b.py": "7"}]) == {"a.py": {1, 2, 3}, "b.py": {7}}


@pytest.mark.parametrize(
    ("limit", "taken"),
    [
        (100, ["cheap", "rare"]),
        (5, ["cheap"]),
        (0.5, []),
    ],
)
def test_servers_are_chosen_by_what_they_add_for_their_time(limit: float, taken: list[str]) -> None:
    ran = {"cheap": {1, 2, 3}, "dear": {1, 2, 3}, "part": {1}, "rare": {9}}
    assert cover(ran, {"cheap": 1, "dear": 50, "part": 0.9, "rare": 10}, limit) == taken


def test_a_server_that_others_make_up_for_is_not_chosen() -> None:
    ran = {"first": {1, 2, 3, 4}, "left": {1, 2, 5, 6}, "right": {3, 4, 7, 8}}
    assert cover(ran, {"first": 1, "left": 2, "right": 2}, 100) == ["left", "right"]


@pytest.mark.parametrize("name", ["../outside.py", "/outside.py", "inside/../../outside.py", "..\\outside.py"])
def test_wheels_with_files_outside_their_folder_are_refused(name: str) -> None:
    with zipfile.ZipFile(io.BytesIO(), "w") as wheel:
        wheel.writestr(name, "")
        with pytest.raises(NotFetchedError, match="outside"):
            refuse_traps(wheel)


def test_wheels_that_unpack_to_more_than_wheels_hold_are_refused() -> None:
    with zipfile.ZipFile(io.BytesIO(), "w") as wheel:
        wheel.writestr("small.py", "")
        refuse_traps(wheel)
        wheel.infolist()[0].file_size = 10**12
        with pytest.raises(NotFetchedError, match="unpacks to"):
            refuse_traps(wheel)
