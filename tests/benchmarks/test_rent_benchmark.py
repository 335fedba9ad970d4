"""What no server runs, counted."""

from __future__ import annotations

from benchmarks.rent import Row, ranges, table


def test_neighbouring_lines_are_joined() -> None:
    assert ranges((3, 4, 5, 9, 11, 12)) == ["3-5", "9", "11-12"]
    assert ranges(()) == []


def test_the_table_names_modules_with_idle_statements_and_sums_up_packages() -> None:
    rows = [Row("evaluate/a.py", 10, (3, 4)), Row("evaluate/b.py", 7, ()), Row("recognise/c.py", 2, (1,))]
    printed = [line.split() for line in table(rows, lines=True).splitlines()]
    assert printed == [
        ["evaluate/a.py", "2", "of", "10"],
        ["3-4"],
        ["recognise/c.py", "1", "of", "2"],
        ["1"],
        ["evaluate/", "2", "of", "17"],
        ["knowledge/", "0", "of", "0"],
        ["schemas/", "0", "of", "0"],
        ["recognise/", "1", "of", "2"],
    ]
