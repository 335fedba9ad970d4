"""Models of which a schema was once claimed that pydantic does not make of the running program."""

from __future__ import annotations

from textwrap import dedent

from tests.schemas.oracle_client import Case

TRAPS = {
    "a class that derives from a named tuple": (
        "M",
        """
        class Pair(NamedTuple):
            a: int
        class More(Pair):
            b: str
        class M(BaseModel):
            a: More
    """,
    ),
    "keywords that are spread": (
        "M",
        """
        OPTIONS = {"extra": "forbid"}
        class M(BaseModel, **OPTIONS):
            x: int
    """,
    ),
    "enum ignore": (
        "M",
        """
        class E(Enum):
            _ignore_ = ["tmp"]
            tmp = 3
            A = 1
        class M(BaseModel):
            e: E
    """,
    ),
    "enum private": (
        "M",
        """
        class E(Enum):
            A = 1
            _hidden = 2
            __secret = 3
        class M(BaseModel):
            e: E
    """,
    ),
    "excluded default": (
        "M",
        """
        class Inner(BaseModel):
            a: int = Field(1, exclude=True)
            b: int = Field(2, alias="bB")
        class M(BaseModel):
            i: Inner = Inner(bB=3)
    """,
    ),
}
CASES = {name: Case(dedent(source), target) for name, (target, source) in TRAPS.items()}
