"""JSON and TOML that Python's own readers take, or end on in their own ways."""

from __future__ import annotations

import pytest

from pdmigrate.source.documents import DEEPEST, DocumentError, read_json, read_toml

BAD_JSON = {
    "": "Expecting value",
    "[1,\n2": "Expecting",
    "NaN": "not finite",
    '{"a": [1, -Infinity]}': "not finite",
    "1e999": "not finite",
    "9" * 5000: "too many digits",
    "[" * 100_000: "nested too deeply",
    "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1): "nested too deeply",
    '{"a":' * DEEPEST + "1" + "}" * DEEPEST: "nested too deeply",
}


@pytest.mark.parametrize("text", BAD_JSON, ids=lambda text: text[:9])
def test_what_is_no_json_is_one_error(text: str) -> None:
    with pytest.raises(DocumentError, match=BAD_JSON[text]):
        read_json(text)


def test_the_line_of_a_mistake_is_known() -> None:
    with pytest.raises(DocumentError) as caught:
        read_json(b'{\n"a": 1,\n}')
    assert caught.value.line == 3


def test_bytes_are_utf_8_with_or_without_a_mark() -> None:
    assert read_json(b'\xef\xbb\xbf"\xc3\xa9"') == "é"
    with pytest.raises(DocumentError, match="utf-8"):
        read_json(b'"\xff"')


def test_what_is_deep_and_not_too_deep_is_read() -> None:
    value = read_json("[" * (DEEPEST - 1) + "]" * (DEEPEST - 1))
    assert isinstance(value, list)
    assert read_json('{"a": 1, "a": 2}') == {"a": 2}


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "9" * 5000, "[a", "a = nan", "\0"])
def test_what_is_no_toml_is_one_error(text: str) -> None:
    with pytest.raises(DocumentError):
        read_toml(text)
