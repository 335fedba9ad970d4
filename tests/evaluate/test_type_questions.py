# ruff: noqa: E501 - each expression stands in one line
"""``get_origin`` and ``get_args``: what is computed equals what Python computes."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from pdmigrate.model import Known
from tests.support.program import evaluate_program

HEAD = """
import collections.abc, types, typing
from typing import Annotated, Any, Callable, Dict, List, Literal, Mapping, Optional, Sequence, Set, Tuple, Union
from typing import get_args, get_origin
NONE = type(None)
class Own: pass
"""
KNOWN = {
    "lists": "[get_origin(list[int]) is list, get_origin(List[int]) is list, get_args(list[int])[0] is int]",
    "dicts": "[get_origin(Dict[str, int]) is dict, [a is str for a in get_args(dict[str, int])]]",
    "tuples": "[get_origin(Tuple[int, str]) is tuple, len(get_args(tuple[int, str, bool])), get_origin(Set[int]) is set]",
    "plain": "[get_origin(int), get_origin(str), get_origin(None), get_origin(Any), get_origin(list), get_origin(Own)]",
    "arguments of plain": "[list(get_args(int)), list(get_args(list)), list(get_args(Own)), list(get_args('text'))]",
    "optional": "[get_origin(Optional[int]) is Union, get_args(Optional[int])[0] is int, get_args(Optional[int])[1] is NONE]",
    "union": "[get_origin(Union[int, str]) is Union, [a is str for a in get_args(Union[int, str])]]",
    "union with None": "[a is NONE for a in get_args(Union[int, None])]",
    "operator": "[get_origin(int | None) in (Union, types.UnionType), [a is NONE for a in get_args(int | None)]]",
    "operator on a generic": "[get_origin(list[int] | None) in (Union, types.UnionType), len(get_args(list[int] | None))]",
    "operator on typing": "get_origin(List[int] | None) is Union",
    "literal": "[get_origin(Literal['a', 'b']) is Literal, list(get_args(Literal['a', 2, None])), Literal is Union]",
    "annotated": "[get_origin(Annotated[int, 'x']) is Annotated, get_args(Annotated[int, 'x'])[1]]",
    "abstract": "[get_origin(Sequence[int]) is collections.abc.Sequence, get_origin(Sequence[int]) is Sequence]",
    "abstract in": "[get_origin(Mapping[str, int]) in (dict, collections.abc.Mapping), get_origin(list[int]) in (tuple, set)]",
    "not the same": "[get_origin(list[int]) is Literal, get_origin(Literal[1]) is Union, get_origin(int) is Literal, Literal is Any]",
    "no union": "[None in (Union, types.UnionType), int in (Union, Literal), Union == None, 'x' == Literal, Own in (Union,)]",
    "without None": "[a is int for a in get_args(Optional[int]) if a is not NONE]",
}
DOUBTFUL = {
    "one since 3.14": "get_origin(int | None) is Union",
    "equal since 3.14": "types.UnionType == Union",
    "in since 3.14": "get_origin(int | str) in (Union,)",
    "flattened": "len(get_args(Union[int, Union[str, int]]))",
    "taken out": "len(get_args(Union[int, int, str]))",
    "of literals": "len(get_args(Union[Literal['a'], Literal['a']]))",
    "optional of optional": "len(get_args(Optional[Optional[int]]))",
    "literal twice": "len(get_args(Literal['a', 'a']))",
    "literal in a literal": "len(get_args(Literal[Literal['a'], 'b']))",
    "annotated twice": "len(get_args(Annotated[Annotated[int, 1], 2]))",
    "callable": "str(get_args(Callable[[int], str]))",
    "forward reference": "str(get_args(Union['Own', int])[0])",
    "operator twice": "str(get_origin(int | int))",
    "none twice": "len(get_args(Union[None, Optional[int]]))",
    "a bare alias": "get_origin(List) is list",
}


def python(body: str) -> Any:
    names: dict[str, Any] = {}
    exec(f"{dedent(HEAD)}\nresult = {body}", names)
    return names["result"]


@pytest.mark.parametrize("body", KNOWN.values(), ids=KNOWN)
def test_a_question_about_a_type_is_answered_as_python_does(body: str) -> None:
    found = evaluate_program(f"{dedent(HEAD)}\nresult = {body}")
    assert isinstance(found, Known), found
    assert found.value == python(body)


@pytest.mark.parametrize("body", DOUBTFUL.values(), ids=DOUBTFUL)
def test_an_answer_that_the_evaluator_cannot_follow_is_not_claimed(body: str) -> None:
    found = evaluate_program(f"{dedent(HEAD)}\nresult = {body}")
    assert not isinstance(found, Known), found
