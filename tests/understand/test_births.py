"""The order in which objects count as made."""

from __future__ import annotations

from pdmigrate.understand.values.containers import Births


def test_what_is_carried_out_for_a_branch_is_between_the_branch_and_all_before_it() -> None:
    births = Births()
    with births.earlier(None):
        old = next(births)
    with births.earlier(None), births.earlier(None):
        branch = next(births)
        with births.earlier(branch):
            asked = next(births)
            inner = next(births)
            with births.earlier(inner):
                asked_by_inner = next(births)
        with births.earlier(branch):
            asked_later = next(births)
        new = next(births)
    assert old < asked < asked_by_inner < inner < asked_later < branch < new
