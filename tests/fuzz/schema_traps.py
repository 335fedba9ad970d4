"""Models of which a schema was once claimed that pydantic does not make of the running program."""

from __future__ import annotations

from textwrap import dedent

from tests.schemas.oracle_client import Case

TRAPS = {
    "a generic dataclass, typed dict and named tuple": (
        "M",
        """
        T = TypeVar("T")
        @dataclass
        class Box(Generic[T]):
            value: T
        class Entry(TypedDict, Generic[T]):
            value: T
        class Pair(NamedTuple, Generic[T]):
            first: T
            second: int = 1
        class M(BaseModel):
            a: Box[int]
            b: Entry[str]
            c: Pair[bool]
    """,
    ),
    "type variables with defaults": (
        "M",
        """
        from typing_extensions import TypeVar as Variable
        T = Variable("T", default=int)
        class Page(BaseModel, Generic[T]):
            items: list[T]
        class M(BaseModel):
            a: Page
            b: Page[str]
    """,
    ),
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
    "a reference to a name that is bound twice": (
        "M",
        """
        class M(BaseModel):
            x: "Kind"
        Kind: Any = int
        M.model_rebuild()
        Kind: Any = str
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
    "alias of an instance": (
        "M",
        """
        class Inner(BaseModel):
            model_config = ConfigDict(alias_generator=to_camel)
            some_name: int = 1
        class M(BaseModel):
            i: Inner = Inner(someName=3)
            j: Inner = Inner(some_name=4)
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
    "instance by name": (
        "M",
        """
        class Inner(BaseModel):
            model_config = ConfigDict(populate_by_name=True)
            a: int = Field(1, alias="theA")
            b: Annotated[int, Field(alias="theB")] = 2
        class M(BaseModel):
            i: Inner = Inner(a=3, b=5)
            j: Inner = Inner(theA=4, theB=6)
    """,
    ),
    "reading an aliased field": (
        "M",
        """
        class Inner(BaseModel):
            a: str = Field("x", validation_alias="theA")
            b: str = Field("y", validation_alias=AliasChoices("theB", "b1"))
        class M(BaseModel):
            i: str = Inner(theA="z").a
            j: str = Inner(a="z").a
            k: str = Inner(theB="z").b
    """,
    ),
}
CASES = {name: Case(dedent(source), target) for name, (target, source) in TRAPS.items()}
