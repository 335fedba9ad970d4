"""Model modules in which a class is not simply what its body says at the end of the program."""

from __future__ import annotations

from textwrap import dedent

from tests.schemas.oracle_client import Case

TRAPS = {
    "rebound default": """
        DEFAULT = "a"
        class M(BaseModel):
            x: str = DEFAULT
        DEFAULT = "b"
    """,
    "rebound description": """
        TEXT = "a"
        class M(BaseModel):
            x: str = Field(description=TEXT)
        TEXT = "b"
    """,
    "rebound type": """
        T1 = int
        class M(BaseModel):
            x: T1
        T1 = str
    """,
    "conditional field": """
        class M(BaseModel):
            x: int
            if True:
                y: int = 3
    """,
    "conditional field else": """
        WIDE = False
        class M(BaseModel):
            x: int
            if WIDE:
                y: int = 3
            else:
                z: str
    """,
    "unknown conditional": """
        import os
        class M(BaseModel):
            x: int
            if os.environ.get("QQ"):
                y: int = 3
    """,
    "loop class": """
        made = []
        for word in ("a", "b"):
            class M(BaseModel):
                x: str = Field(word, description=f"the {word}")
            made.append(M)
        M = made[0]
    """,
    "factory": """
        def make(text):
            class M(BaseModel):
                x: str = Field(description=text)
            return M
        A = make("first")
        M = make("second")
    """,
    "factory first": """
        def make(text):
            class M(BaseModel):
                x: str = Field(description=text)
            return M
        M = make("first")
        A = make("second")
    """,
    "doc assigned": """
        class M(BaseModel):
            '''Docs.'''
            x: int
        M.__doc__ = "Other."
    """,
    "doc in body": """
        class M(BaseModel):
            __doc__ = f"Docs {1 + 1}."
            x: int
    """,
    "twice": """
        class M(BaseModel):
            x: int = 1
            y: int = 2
            x: str = "a"
    """,
    "mutated default": """
        DEF = [1]
        class M(BaseModel):
            x: list = DEF
        DEF.append(2)
    """,
    "mutated field info": """
        class M(BaseModel):
            x: int
        M.model_fields["x"].description = "later"
        M.model_rebuild(force=True)
    """,
    "config assigned later": """
        class M(BaseModel):
            x: int
        M.model_config["title"] = "T"
    """,
    "setattr class": """
        class M(BaseModel):
            x: int = 3
        M.x = 4
    """,
    "class redefined": """
        class Inner(BaseModel):
            a: int
        class M(BaseModel):
            x: Inner
        class Inner(BaseModel):
            b: str
    """,
    "forward to redefined": """
        class M(BaseModel):
            x: "Inner"
        class Inner(BaseModel):
            a: int
        M.model_rebuild()
        class Inner(BaseModel):
            b: str
    """,
    "enum with computed members": """
        class E(str, Enum):
            A = "a"
            B = A + "b"
            C = B.upper()
        class M(BaseModel):
            e: E = E.C
    """,
    "enum from loop": """
        class E(Enum):
            _ignore_ = "n"
            for n in ("A", "B"):
                vars()[n] = n
        class M(BaseModel):
            e: E
    """,
    "field named like its type": """
        class date_(BaseModel):
            a: int
        class M(BaseModel):
            date: Optional[date] = None
            date_: Optional[date_] = None
    """,
    "inherit config dict": """
        class Base(BaseModel):
            model_config = ConfigDict(extra="forbid")
        class M(Base):
            model_config = Base.model_config | {"title": "T"}
            x: int
    """,
    "kwargs spread in Field": """
        COMMON = {"description": "common", "ge": 1}
        class M(BaseModel):
            x: int = Field(3, **COMMON)
    """,
    "helper makes field": """
        def f(text, **more):
            return Field(description=text.upper(), **more)
        class M(BaseModel):
            x: int = f("abc", ge=3)
    """,
    "decorated factory": """
        def deco(cls):
            cls.__doc__ = "changed"
            return cls
        @deco
        class M(BaseModel):
            x: int
    """,
    "mixin method names": """
        class M(BaseModel):
            x: int
            @property
            def schema_(self): return 1
            @field_validator("x")
            def v(cls, v): return v
    """,
    "private and classvar": """
        class M(BaseModel):
            KINDS: ClassVar[list] = []
            _p: dict = PrivateAttr(default_factory=dict)
            x: Literal["a", "b"] = "a"
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
    "subclass of generic container": """
        class L(list[int]): pass
        class M(BaseModel):
            x: List["int"]
            y: "Optional[list['str']]" = None
    """,
    "type under TYPE_CHECKING": """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from os import PathLike as X
        class M(BaseModel):
            x: int
    """,
    "try import type": """
        try:
            from nosuchpkg import Thing
        except ImportError:
            Thing = str
        class M(BaseModel):
            x: Thing
    """,
}

CASES = {name: Case(dedent(source)) for name, source in TRAPS.items()}
