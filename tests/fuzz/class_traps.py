"""Models of which a schema was once claimed that pydantic does not make of the running program.

A class changes after it is made, or is not simply what its body says at the end of the program.
"""

from __future__ import annotations

from textwrap import dedent

from tests.schemas.oracle_client import Case

TRAPS = {
    "annotations changed in the body": """
        class M(BaseModel):
            x: int
            __annotations__["y"] = str
    """,
    "annotations changed later": """
        class M(BaseModel):
            x: int
        M.__annotations__["y"] = str
        M.model_rebuild(force=True)
    """,
    "dataclass changed later": """
        from dataclasses import dataclass
        @dataclass
        class M:
            x: str = "a"
        M.x = "b"
        M.__doc__ = "Q"
    """,
    "tuple assignment": """
        class M(BaseModel):
            x: int
            y: int
            x, y = 1, 2
    """,
    "rebuilt with a namespace": """
        class M(BaseModel):
            x: "Later"
        M.model_rebuild(_types_namespace={"Later": int})
        class Later(BaseModel):
            a: int
    """,
    "forward in a loop": """
        class M(BaseModel):
            x: "T"
        for T in (int, str):
            M.model_rebuild()
    """,
    "exec in the body": """
        class M(BaseModel):
            exec("x: int = 3")
    """,
    "init subclass adds": """
        class Base(BaseModel):
            def __init_subclass__(cls, **kw):
                cls.__annotations__["z"] = int
                super().__init_subclass__(**kw)
        class M(Base):
            x: int
    """,
    "type call": """
        M = type("M", (BaseModel,), {"__annotations__": {"x": int}})
    """,
    "two classes of one name": """
        def make(T):
            class Inner(BaseModel):
                a: T
            return Inner
        A, B = make(int), make(str)
        class M(BaseModel):
            x: A
            y: B
    """,
    "generic rebound": """
        T = TypeVar("T")
        class G(BaseModel, Generic[T]):
            x: T
        M = G[int]
        class G(BaseModel, Generic[T]):
            y: T
    """,
    "config assigned later": """
        class M(BaseModel):
            x: int
        M.model_config["title"] = "T"
    """,
    "inner Config with base": """
        class Base(BaseModel):
            class Config:
                extra = "forbid"
        class M(Base):
            class Config(Base.Config):
                title = "T"
            x: int
    """,
    "a class that derives from a named tuple": """
        class Pair(NamedTuple):
            a: int
        class More(Pair):
            b: str
        class M(BaseModel):
            a: More
    """,
    "keywords that are spread": """
        OPTIONS = {"extra": "forbid"}
        class M(BaseModel, **OPTIONS):
            x: int
    """,
    "enum ignore": """
        class E(Enum):
            _ignore_ = ["tmp"]
            tmp = 3
            A = 1
        class M(BaseModel):
            e: E
    """,
    "enum private": """
        class E(Enum):
            A = 1
            _hidden = 2
            __secret = 3
        class M(BaseModel):
            e: E
    """,
    "excluded default": """
        class Inner(BaseModel):
            a: int = Field(1, exclude=True)
            b: int = Field(2, alias="bB")
        class M(BaseModel):
            i: Inner = Inner(bB=3)
    """,
}
CASES = {name: Case(dedent(source)) for name, source in TRAPS.items()}
